"""Batches have a priority and take turns; parts of a search are sent before untouched chunks."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

#: the conditions of the partial indexes on chunks that wait to be sent
NEW = "state = 'new'"
NEW_PARTS = "state = 'new' AND count = 0"


def upgrade() -> None:
    op.execute("DROP VIEW answers")
    priority = sa.Column("priority", sa.String, nullable=False, server_default="normal")
    op.add_column("batch", priority)
    op.add_column("batch", sa.Column("served", sa.BigInteger))
    _create_index("chunk_new", NEW)
    _create_index("chunk_new_parts", NEW_PARTS)
    _create_view()


def downgrade() -> None:
    op.execute("DROP VIEW answers")
    op.drop_index("chunk_new_parts", "chunk")
    op.drop_index("chunk_new", "chunk")
    op.drop_column("batch", "served")
    op.drop_column("batch", "priority")
    _create_view()


def _create_index(name: str, condition: str) -> None:
    where = sa.text(condition)
    columns = ["batch_id", "id"]
    op.create_index(name, "chunk", columns, sqlite_where=where, postgresql_where=where)


def _create_view() -> None:
    """Create the view of schema 0003."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    time = (
        "CAST(answer.solved_at AS timestamptz) AS solved_at" if postgresql else "answer.solved_at"
    )
    op.execute(
        "CREATE VIEW answers AS SELECT answer.id, answer.batch_id AS batch, answer.position, "  # noqa: S608 # our own text
        "answer.label, answer.kind, answer.size, answer.clues, answer.puzzle, answer.status, "
        "answer.solutions, answer.complete, answer.solution, answer.score, answer.bound, "
        f"answer.nodes, answer.ms, answer.worker, answer.attempts, {time}, answer.detail, "
        "batch.name AS batch_name FROM answer LEFT JOIN batch ON batch.id = answer.batch_id"
    )
