"""Creates the tables of release 0.1.0.

They are written out instead of imported from `storage.tables`, which changes with later releases.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    meta = op.create_table(
        "meta",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("value", sa.String, nullable=False),
    )
    op.create_table(
        "batch",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String),
        sa.Column("source", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("puzzles", sa.Integer, nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("queue", sa.String, nullable=False),
        sa.Column("ready", sa.SmallInteger, nullable=False),
        sa.Column("created_at", sa.String, nullable=False),
        sa.Column("cancelled_at", sa.String),
    )
    op.create_table(
        "chunk",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("sent_at", sa.String),
        sa.Column("taken_at", sa.String),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("done_at", sa.String),
        sa.Column("worker", sa.String),
        sa.Column("begun", Id),
        sa.Column("suspect", Id),
        sa.Column("puzzles", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("chunk_of_batch", "chunk", ["batch_id", "state"])
    op.create_index("chunk_by_sending", "chunk", ["sent_at"])
    under_way = sa.text("state IN ('sent', 'taken')")
    op.create_index(
        "chunk_under_way", "chunk", ["batch_id"], sqlite_where=under_way, postgresql_where=under_way
    )
    op.create_table(
        "answer",
        sa.Column("id", Id, primary_key=True, autoincrement=False),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("label", sa.String),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("size", sa.Integer),
        sa.Column("clues", sa.Integer),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("solutions", sa.BigInteger),
        sa.Column("complete", sa.SmallInteger, nullable=False),
        sa.Column("solution", sa.Text),
        sa.Column("score", sa.BigInteger),
        sa.Column("bound", sa.BigInteger),
        sa.Column("nodes", sa.BigInteger),
        sa.Column("ms", sa.Float),
        sa.Column("worker", sa.String),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("solved_at", sa.String, nullable=False),
        sa.Column("detail", sa.Text),
    )
    op.create_table(
        "solution",
        sa.Column(
            "answer_id",
            Id,
            sa.ForeignKey("answer.id"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("rank", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("score", sa.BigInteger),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.bulk_insert(
        meta,
        [{"key": "id", "value": secrets.token_hex(8)}, {"key": "puzzles", "value": "0"}],
    )
    op.execute(
        "CREATE VIEW answers AS SELECT id, batch_id AS batch, position, label, kind, size, clues, "
        "puzzle, status, solutions, complete, solution, score, bound, nodes, ms, worker, attempts, "
        "solved_at, detail FROM answer"
    )
