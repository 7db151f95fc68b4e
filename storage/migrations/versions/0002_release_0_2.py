"""Upgrades the tables of release 0.1.0 to those of release 0.2.0.

What the answers of one transaction have in common is moved to their summary.  The numbers of these
summaries, and the hashes of puzzles, follow from the answers: `storage.summaries.scan` computes
them afterwards, since they must mean the same as those of new answers.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import context, op

revision = "0002"
down_revision = "0001"

#: puzzles whose answers are moved together
BLOCK_PUZZLES = 8192

#: the new tables; the types in braces are those of the database
_TABLES = """
CREATE TABLE payload (
    chunk_id integer NOT NULL PRIMARY KEY REFERENCES chunk, puzzles text NOT NULL);
CREATE TABLE search (
    id {id} NOT NULL PRIMARY KEY, batch_id integer NOT NULL REFERENCES batch,
    position integer NOT NULL, label varchar, kind varchar NOT NULL, size integer, clues integer,
    puzzle text NOT NULL, setup text NOT NULL, estimate text, began_at varchar NOT NULL,
    worked_at varchar NOT NULL, elapsed float NOT NULL, parts integer NOT NULL,
    open integer NOT NULL, share float NOT NULL, progress float NOT NULL,
    solutions varchar NOT NULL, nodes bigint NOT NULL, ns bigint NOT NULL, bound bigint,
    first_solutions varchar NOT NULL, first_nodes bigint NOT NULL, ended_at varchar);
CREATE INDEX search_open ON search (batch_id) WHERE ended_at IS NULL;
CREATE TABLE search_worker (
    search_id {id} NOT NULL REFERENCES search, worker varchar NOT NULL, turns integer NOT NULL,
    nodes bigint NOT NULL, PRIMARY KEY (search_id, worker));
CREATE TABLE part (
    chunk_id integer NOT NULL PRIMARY KEY REFERENCES chunk,
    search_id {id} NOT NULL REFERENCES search, share float NOT NULL, bound bigint,
    turns integer NOT NULL, solutions varchar NOT NULL, nodes bigint NOT NULL,
    ns bigint NOT NULL, ended_at varchar, detail text, path {bytes});
CREATE INDEX part_open ON part (search_id, bound) WHERE ended_at IS NULL;
CREATE TABLE candidate (
    id {new_id}, search_id {id} NOT NULL REFERENCES search, score bigint,
    path {bytes} NOT NULL, text text NOT NULL);
CREATE INDEX candidate_of_search ON candidate (search_id, score);
CREATE TABLE summary (
    id {new_id}, batch_id integer NOT NULL REFERENCES batch, worker varchar,
    status varchar NOT NULL, complete smallint NOT NULL, solutions smallint,
    first_id {id} NOT NULL, last_id {id} NOT NULL, answers integer NOT NULL, timed integer NOT NULL,
    total_ms float NOT NULL, max_ms float, max_nodes bigint, max_score bigint,
    grids integer NOT NULL, unguessed integer NOT NULL, last_at varchar NOT NULL,
    details {bytes} NOT NULL, kind varchar NOT NULL, size integer, attempts integer NOT NULL);
CREATE INDEX summary_of_batch ON summary (batch_id);
CREATE TABLE fingerprint (
    id {new_id}, batch_id integer NOT NULL REFERENCES batch, first_id {id} NOT NULL,
    hashes {bytes} NOT NULL, offsets {bytes});
CREATE INDEX fingerprint_of_batch ON fingerprint (batch_id);
CREATE TABLE archive (
    id {new_id}, batch_id integer NOT NULL REFERENCES batch, path text NOT NULL,
    content varchar NOT NULL, rows bigint NOT NULL, bytes bigint NOT NULL,
    checksum varchar NOT NULL, archived_at varchar NOT NULL);
CREATE TABLE extra (answer_id {id} NOT NULL PRIMARY KEY, data text NOT NULL);
CREATE TABLE answer_new (
    id {id} NOT NULL PRIMARY KEY, summary_id {id} NOT NULL, solutions bigint, score bigint,
    bound bigint, nodes bigint, ns bigint, clues integer, label varchar, puzzle text NOT NULL,
    solution text, detail text, solutions_text varchar, option_counts text);
CREATE TEMPORARY TABLE place (answer_id {id} NOT NULL PRIMARY KEY, summary_id {id})
"""
_TYPES = {
    "sqlite": {"id": "integer", "new_id": "integer NOT NULL PRIMARY KEY", "bytes": "blob"},
    "postgresql": {"id": "bigint", "new_id": "bigserial PRIMARY KEY", "bytes": "bytea"},
}
_CHANGES = """
ALTER TABLE batch ADD COLUMN priority varchar DEFAULT 'normal' NOT NULL;
ALTER TABLE batch ADD COLUMN served bigint DEFAULT 0 NOT NULL;
ALTER TABLE batch ADD COLUMN active smallint DEFAULT 1 NOT NULL;
CREATE INDEX batch_in_turn ON batch (queue, served, id) WHERE active = 1;
ALTER TABLE chunk DROP COLUMN begun;
ALTER TABLE chunk DROP COLUMN suspect;
ALTER TABLE chunk ADD COLUMN kind varchar DEFAULT '' NOT NULL;
ALTER TABLE chunk ADD COLUMN digest varchar DEFAULT '' NOT NULL;
ALTER TABLE chunk ADD COLUMN cost smallint DEFAULT 8 NOT NULL;
CREATE INDEX chunk_new ON chunk (state, batch_id, id, count, bytes, cost) WHERE state = 'new';
CREATE INDEX chunk_new_parts ON chunk (batch_id, state, count) WHERE state = 'new' AND count = 0;
INSERT INTO meta SELECT 'batches', CAST(coalesce(max(id), 0) AS varchar) FROM batch
"""
#: texts that are soon deleted, and random bytes, are not worth compressing
_UNCOMPRESSED = """
ALTER TABLE payload ALTER COLUMN puzzles SET STORAGE EXTERNAL;
ALTER TABLE fingerprint ALTER COLUMN hashes SET STORAGE EXTERNAL
"""

#: the summary of each answer of a block: a number for each combination of what answers share
_PLACE = """
INSERT INTO place
SELECT id, CAST(:last AS bigint) + dense_rank() OVER (
    ORDER BY worker, attempts, solved_at, status, complete, kind, size, score IS NULL,
             CASE WHEN solutions > 1 THEN 2 ELSE solutions END) AS summary_id
FROM answer WHERE id BETWEEN :first_id AND :last_id
"""
_SUMMARISE = """
INSERT INTO summary
       (id, batch_id, worker, status, complete, solutions, first_id, last_id, answers, timed,
        total_ms, grids, unguessed, last_at, details, kind, size, attempts)
SELECT summary_id, min(batch_id), min(worker), min(status), min(complete),
       min(CASE WHEN solutions > 1 THEN 2 ELSE solutions END), min(id), max(id), count(*), 0,
       0, 0, 0, min(solved_at), :nothing, min(kind), min(size), min(attempts)
FROM answer JOIN place ON answer_id = id WHERE id BETWEEN :first_id AND :last_id
GROUP BY summary_id
"""
_MOVE = """
INSERT INTO answer_new
       (id, summary_id, solutions, score, bound, nodes, ns, clues, label, puzzle, solution, detail)
SELECT id, summary_id, CASE WHEN solutions > 1 THEN solutions END, score, bound, nodes,
       CAST(round(ms * 1000000) AS bigint), clues, label, puzzle, solution, detail
FROM answer JOIN place ON answer_id = id WHERE id BETWEEN :first_id AND :last_id ORDER BY id
"""

_ANSWERS = """
CREATE VIEW answers AS
SELECT answer.id, summary.batch_id AS batch,
       CAST(answer.id - batch.first_id + 1 AS integer) AS position, answer.label, summary.kind,
       summary.size, answer.clues, answer.puzzle, summary.status,
       CAST(CASE WHEN summary.solutions = 2 THEN answer.solutions ELSE summary.solutions END
            AS bigint) AS solutions,
       summary.complete, answer.solution, answer.score, answer.bound, answer.nodes,
       CAST(CAST(answer.ns AS float) / 1000000 AS float) AS ms, summary.worker, summary.attempts,
       {time} AS solved_at, answer.detail, batch.name AS batch_name, answer.solutions_text,
       answer.option_counts,
       (SELECT extra.data FROM extra WHERE extra.answer_id = answer.id) AS extra
FROM answer
JOIN summary ON summary.id = answer.summary_id
            AND answer.id >= summary.first_id AND answer.id <= summary.last_id
JOIN batch ON batch.id = summary.batch_id
          AND answer.id >= batch.first_id AND answer.id < batch.first_id + batch.puzzles
"""
_SUMMARIES = """
CREATE VIEW summaries AS
SELECT batch.id AS batch, worker, status, complete, solutions, summary.first_id, last_id, answers,
       timed, total_ms, max_ms, max_nodes, max_score, grids, unguessed, {time} AS last_at,
       batch.name AS batch_name
FROM summary JOIN batch ON batch.id = summary.batch_id
"""


def upgrade() -> None:
    connection = op.get_bind()
    database = connection.dialect.name
    op.execute("DROP VIEW answers")
    _run(_TABLES.format(**_TYPES[database]))
    _run(_CHANGES)
    if database == "postgresql":
        _run(_UNCOMPRESSED)
    _move_puzzles(connection)
    _move_answers(connection)
    _replace_answers()
    time = "CAST(summary.last_at AS timestamptz)" if database == "postgresql" else "summary.last_at"
    op.execute(_ANSWERS.format(time=time))
    op.execute(_SUMMARIES.format(time=time))


def _run(statements: str) -> None:
    for statement in statements.split(";"):
        op.execute(statement)


def _move_puzzles(connection: sa.Connection) -> None:
    unfinished = sa.text("SELECT id, batch_id, puzzles FROM chunk WHERE state <> 'done'")
    for chunk_id, batch_id, puzzles in connection.execute(unfinished).all():
        _complete(connection, chunk_id, batch_id, puzzles)
    op.drop_column("chunk", "puzzles")


def _complete(connection: sa.Connection, chunk_id: int, batch_id: int, puzzles: str) -> None:
    """Give a chunk its kind and digest; move its cover problems to a new one if it has both."""
    rows: list[list[Any]] = json.loads(puzzles)
    covers = [row for row in rows if row[3].startswith("{")]
    grids = [row for row in rows if not row[3].startswith("{")]
    if not covers or not grids:
        _store(connection, chunk_id, "cover" if covers else "sudoku", rows, puzzles)
        return
    _store(connection, chunk_id, "sudoku", grids, _packed(grids))
    new = sa.text(
        "INSERT INTO chunk (batch_id, state, attempts, count, answered, bytes, puzzles)"
        " VALUES (:batch_id, 'new', 0, 0, 0, 0, '') RETURNING id"
    )
    new_id = connection.execute(new, {"batch_id": batch_id}).scalar_one()
    _store(connection, new_id, "cover", covers, _packed(covers))


def _store(
    connection: sa.Connection, chunk_id: int, kind: str, rows: list[list[Any]], packed: str
) -> None:
    ids = {row[0] for row in rows}
    between = sa.text("SELECT id FROM answer WHERE id BETWEEN :least AND :most")
    found = connection.execute(between, {"least": min(ids), "most": max(ids)}).scalars()
    values = {
        "id": chunk_id,
        "kind": kind,
        "count": len(rows),
        "answered": len(ids.intersection(found)),
        "bytes": len(packed),
        "digest": hashlib.sha256(packed.encode()).hexdigest()[:32],
    }
    change = "kind = :kind, count = :count, answered = :answered, bytes = :bytes, digest = :digest"
    connection.execute(sa.text(f"UPDATE chunk SET {change} WHERE id = :id"), values)  # noqa: S608 # our own text
    payload = sa.text("INSERT INTO payload VALUES (:id, :packed)")
    connection.execute(payload, {"id": chunk_id, "packed": packed})


def _packed(rows: list[list[Any]]) -> str:
    return json.dumps(rows, separators=(",", ":"))


def _move_answers(connection: sa.Connection) -> None:
    """Move all answers to a table without what summaries have: the first half of all steps."""
    report = context.config.attributes.get("progress")
    answers = connection.execute(sa.text("SELECT count(*) FROM answer")).scalar_one()
    moved = 0
    for block in _blocks(connection):
        moved += _move_block(connection, block)
        if report and moved:
            report(moved, 2 * answers)
    op.execute("DROP TABLE place")
    if connection.dialect.name == "postgresql":
        op.execute("SELECT setval('summary_id_seq', max(id)) FROM summary HAVING count(*) > 0")


def _blocks(connection: sa.Connection) -> Iterator[dict[str, int]]:
    """Yield the first and the last id of each block of puzzles of a batch."""
    batches = connection.execute(sa.text("SELECT first_id, puzzles FROM batch ORDER BY first_id"))
    for first_id, puzzles in batches.all():
        end = first_id + puzzles
        for first in range(first_id, end, BLOCK_PUZZLES):
            yield {"first_id": first, "last_id": min(first + BLOCK_PUZZLES, end) - 1}


def _move_block(connection: sa.Connection, block: dict[str, int]) -> int:
    """Move the answers of a block; return their number."""
    last = connection.execute(sa.text("SELECT coalesce(max(id), 0) FROM summary")).scalar_one()
    connection.execute(sa.text(_PLACE), {**block, "last": last})
    connection.execute(sa.text(_SUMMARISE), {**block, "nothing": b""})
    moved = connection.execute(sa.text(_MOVE), block).rowcount
    connection.execute(sa.text("DELETE FROM place"))
    return moved


def _replace_answers() -> None:
    """Give the new table the name of the old one, to which the table `solution` refers."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    if postgresql:
        op.drop_constraint("solution_answer_id_fkey", "solution", type_="foreignkey")
    op.drop_table("answer")
    op.rename_table("answer_new", "answer")
    if postgresql:
        op.execute("ALTER INDEX answer_new_pkey RENAME TO answer_pkey")
        op.create_foreign_key(
            "solution_answer_id_fkey", "solution", "answer", ["answer_id"], ["id"]
        )
