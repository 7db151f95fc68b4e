"""Creates the tables of release 0.1.0."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

#: the tables; the types in braces are those of the database
_TABLES = """
CREATE TABLE meta ("key" VARCHAR NOT NULL, value VARCHAR NOT NULL, PRIMARY KEY ("key"));
CREATE TABLE batch (
    id {new_id}, name VARCHAR, source VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    options TEXT NOT NULL, puzzles INTEGER NOT NULL, first_id {id} NOT NULL,
    queue VARCHAR NOT NULL, ready SMALLINT NOT NULL, created_at VARCHAR NOT NULL,
    cancelled_at VARCHAR);
CREATE TABLE chunk (
    id {never_reused_id}, batch_id INTEGER NOT NULL REFERENCES batch (id), count INTEGER NOT NULL,
    answered INTEGER NOT NULL, bytes INTEGER NOT NULL, state VARCHAR NOT NULL, sent_at VARCHAR,
    taken_at VARCHAR, attempts INTEGER NOT NULL, done_at VARCHAR, worker VARCHAR, begun {id},
    suspect {id}, puzzles TEXT NOT NULL);
CREATE INDEX chunk_of_batch ON chunk (batch_id, state);
CREATE INDEX chunk_by_sending ON chunk (sent_at);
CREATE INDEX chunk_under_way ON chunk (batch_id) WHERE state IN ('sent', 'taken');
CREATE TABLE answer (
    id {id} NOT NULL PRIMARY KEY, batch_id INTEGER NOT NULL REFERENCES batch (id),
    position INTEGER NOT NULL, label VARCHAR, kind VARCHAR NOT NULL, size INTEGER, clues INTEGER,
    puzzle TEXT NOT NULL, status VARCHAR NOT NULL, solutions BIGINT, complete SMALLINT NOT NULL,
    solution TEXT, score BIGINT, bound BIGINT, nodes BIGINT, ms FLOAT, worker VARCHAR,
    attempts INTEGER NOT NULL, solved_at VARCHAR NOT NULL, detail TEXT);
CREATE TABLE solution (
    answer_id {id} NOT NULL REFERENCES answer (id), rank INTEGER NOT NULL, score BIGINT,
    text TEXT NOT NULL, PRIMARY KEY (answer_id, rank));
CREATE VIEW answers AS
SELECT id, batch_id AS batch, position, label, kind, size, clues, puzzle, status, solutions,
       complete, solution, score, bound, nodes, ms, worker, attempts, solved_at, detail
FROM answer
"""
_TYPES = {
    "sqlite": {
        "id": "INTEGER",
        "new_id": "INTEGER NOT NULL PRIMARY KEY",
        "never_reused_id": "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT",
    },
    "postgresql": {
        "id": "BIGINT",
        "new_id": "SERIAL PRIMARY KEY",
        "never_reused_id": "SERIAL PRIMARY KEY",
    },
}


def upgrade() -> None:
    for statement in _TABLES.format(**_TYPES[op.get_bind().dialect.name]).split(";"):
        op.execute(statement)
    new = sa.text("INSERT INTO meta VALUES ('id', :id), ('puzzles', '0')")
    op.execute(new.bindparams(id=secrets.token_hex(8)))
