"""Answers of a batch can be in Parquet files, which the table `archive` lists."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "archive",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("content", sa.String, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("checksum", sa.String, nullable=False),
        sa.Column("archived_at", sa.String, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("archive")
