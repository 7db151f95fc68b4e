"""A part of a search has the options below which it began, for the proof of the whole count."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("part", sa.Column("path", sa.LargeBinary))


def downgrade() -> None:
    op.drop_column("part", "path")
