"""Answers have summaries, and hashes of their puzzles; those without a solution have an index.

The summaries of answers that are already stored are made by the functions that make those of new
ones: what a row means must not depend on when it was added.  A migration that changes its meaning
makes all rows again.
"""

import sqlalchemy as sa
from alembic import context, op

from storage.summaries import rebuild

revision = "0009"
down_revision = "0008"

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
UNSOLVED = "status <> 'solved'"


def upgrade() -> None:
    _create_summary()
    _create_fingerprint()
    connection = op.get_bind()
    _summarise(connection)
    condition = sa.text(UNSOLVED)
    op.create_index(
        "answer_unsolved",
        "answer",
        ["status", "id"],
        sqlite_where=condition,
        postgresql_where=condition,
    )


def downgrade() -> None:
    op.drop_index("answer_unsolved", "answer")
    op.drop_table("fingerprint")
    op.drop_table("summary")


def _summarise(connection: sa.Connection) -> None:
    """Add the summaries of all answers, which takes some seconds for each million."""
    report = context.config.attributes.get("progress")
    batches = connection.execute(sa.text("SELECT id, first_id, puzzles FROM batch")).all()
    total, done = sum(batch.puzzles for batch in batches), 0
    for batch in batches:
        last_id = batch.first_id + batch.puzzles - 1
        for first, last in rebuild.blocks(batch.first_id, last_id):
            rebuild.add(connection, batch.id, first, last)
            done += last - first + 1
            if report:
                report(done, total)


def _create_summary() -> None:
    op.create_table(
        "summary",
        sa.Column("id", Id, primary_key=True),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("worker", sa.String),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("complete", sa.SmallInteger, nullable=False),
        sa.Column("solutions", sa.SmallInteger),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("last_id", Id, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("timed", sa.Integer, nullable=False),
        sa.Column("total_ms", sa.Float, nullable=False),
        sa.Column("max_ms", sa.Float),
        sa.Column("max_nodes", sa.BigInteger),
        sa.Column("max_score", sa.BigInteger),
        sa.Column("grids", sa.Integer, nullable=False),
        sa.Column("unguessed", sa.Integer, nullable=False),
        sa.Column("last_at", sa.String, nullable=False),
        sa.Column("details", sa.LargeBinary, nullable=False),
    )
    op.create_index("summary_of_batch", "summary", ["batch_id"])


def _create_fingerprint() -> None:
    op.create_table(
        "fingerprint",
        sa.Column("id", Id, primary_key=True),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("hashes", sa.LargeBinary, nullable=False),
        sa.Column("offsets", sa.LargeBinary),
    )
    op.create_index("fingerprint_of_batch", "fingerprint", ["batch_id"])
    if op.get_bind().dialect.name == "postgresql":  # random bytes cannot be compressed
        op.execute("ALTER TABLE fingerprint ALTER COLUMN hashes SET STORAGE EXTERNAL")
