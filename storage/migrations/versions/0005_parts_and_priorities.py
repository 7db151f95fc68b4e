"""Batches have a priority and take turns; searches that last have parts, which are sent first.

The number of solutions of an answer may exceed 64 bits; it is then in the last column of the view.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

#: the conditions of the partial indexes on chunks that wait to be sent
NEW = "state = 'new'"
NEW_PARTS = "state = 'new' AND count = 0"
#: the condition of that on batches that take turns
ACTIVE = "active = 1"
#: the condition of those on searches and parts that have not ended
OPEN = "ended_at IS NULL"

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.execute("DROP VIEW answers")
    priority = sa.Column("priority", sa.String, nullable=False, server_default="normal")
    op.add_column("batch", priority)
    op.add_column("batch", sa.Column("served", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("batch", sa.Column("active", sa.SmallInteger, nullable=False, server_default="1"))
    _create_index("batch_in_turn", "batch", ["queue", "served", "id"], ACTIVE)
    op.add_column("chunk", sa.Column("cost", sa.SmallInteger, nullable=False, server_default="8"))
    op.add_column("answer", sa.Column("solutions_text", sa.String))
    choice = ["state", "batch_id", "id", "count", "bytes", "cost"]
    _create_index("chunk_new", "chunk", choice, NEW)
    _create_index("chunk_new_parts", "chunk", ["batch_id", "state", "count"], NEW_PARTS)
    _create_searches()
    _create_parts()
    _create_view(", answer.solutions_text")


def downgrade() -> None:
    op.execute("DROP VIEW answers")
    for table in ("search_worker", "candidate", "part", "search"):
        op.drop_table(table)
    op.drop_column("answer", "solutions_text")
    op.drop_index("chunk_new_parts", "chunk")
    op.drop_index("chunk_new", "chunk")
    op.drop_column("chunk", "cost")
    op.drop_index("batch_in_turn", "batch")
    op.drop_column("batch", "active")
    op.drop_column("batch", "served")
    op.drop_column("batch", "priority")
    _create_view()


def _create_searches() -> None:
    op.create_table(
        "search",
        sa.Column("id", Id, primary_key=True, autoincrement=False),
        sa.Column("batch_id", sa.Integer, sa.ForeignKey("batch.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("label", sa.String),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("size", sa.Integer),
        sa.Column("clues", sa.Integer),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("estimate", sa.Text),
        sa.Column("began_at", sa.String, nullable=False),
        sa.Column("worked_at", sa.String, nullable=False),
        sa.Column("elapsed", sa.Float, nullable=False),
        sa.Column("parts", sa.Integer, nullable=False),
        sa.Column("open", sa.Integer, nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.Column("progress", sa.Float, nullable=False),
        sa.Column("solutions", sa.String, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("ns", sa.BigInteger, nullable=False),
        sa.Column("bound", sa.BigInteger),
        sa.Column("first_solutions", sa.String, nullable=False),
        sa.Column("first_nodes", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.String),
    )
    _create_index("search_open", "search", ["batch_id"], OPEN)
    op.create_table(
        "search_worker",
        sa.Column(
            "search_id", Id, sa.ForeignKey("search.id"), primary_key=True, autoincrement=False
        ),
        sa.Column("worker", sa.String, primary_key=True),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
    )


def _create_parts() -> None:
    op.create_table(
        "part",
        sa.Column(
            "chunk_id",
            sa.Integer,
            sa.ForeignKey("chunk.id"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("search_id", Id, sa.ForeignKey("search.id"), nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.Column("bound", sa.BigInteger),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("solutions", sa.String, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("ns", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.String),
        sa.Column("detail", sa.Text),
    )
    _create_index("part_open", "part", ["search_id", "bound"], OPEN)
    op.create_table(
        "candidate",
        sa.Column("id", Id, primary_key=True),
        sa.Column("search_id", Id, sa.ForeignKey("search.id"), nullable=False),
        sa.Column("score", sa.BigInteger),
        sa.Column("path", sa.LargeBinary, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("candidate_of_search", "candidate", ["search_id", "score"])


def _create_index(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def _create_view(further: str = "") -> None:
    """Create the view of schema 0003, with further columns at its end."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    time = (
        "CAST(answer.solved_at AS timestamptz) AS solved_at" if postgresql else "answer.solved_at"
    )
    op.execute(
        "CREATE VIEW answers AS SELECT answer.id, answer.batch_id AS batch, answer.position, "  # noqa: S608 # our own text
        "answer.label, answer.kind, answer.size, answer.clues, answer.puzzle, answer.status, "
        "answer.solutions, answer.complete, answer.solution, answer.score, answer.bound, "
        f"answer.nodes, answer.ms, answer.worker, answer.attempts, {time}, answer.detail, "
        f"batch.name AS batch_name{further} FROM answer "
        "LEFT JOIN batch ON batch.id = answer.batch_id"
    )
