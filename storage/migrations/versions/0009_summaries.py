"""Answers have summaries, and hashes of their puzzles; those without a solution have an index.

Both are made for the answers that are already stored by migration 0013.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
UNSOLVED = "status <> 'solved'"


def upgrade() -> None:
    _create_summary()
    _create_fingerprint()
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
