"""`meta` holds the last batch number in use, so that the numbers of deleted batches stay unused."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

meta = sa.table("meta", sa.column("key", sa.String), sa.column("value", sa.String))


def upgrade() -> None:
    last = op.get_bind().execute(sa.text("SELECT coalesce(max(id), 0) FROM batch")).scalar_one()
    op.bulk_insert(meta, [{"key": "batches", "value": str(last)}])


def downgrade() -> None:
    op.execute(sa.delete(meta).where(meta.c.key == "batches"))
