"""The view `answers` ends with the name of the batch; on PostgreSQL its times are timestamps."""

from alembic import op

revision = "0003"
down_revision = "0002"

#: the columns of the view in schema 0002, apart from its time
BEFORE_TIME = (
    "answer.id, answer.batch_id AS batch, answer.position, answer.label, answer.kind, answer.size, "
    "answer.clues, answer.puzzle, answer.status, answer.solutions, answer.complete, "
    "answer.solution, answer.score, answer.bound, answer.nodes, answer.ms, answer.worker, "
    "answer.attempts"
)


def upgrade() -> None:
    postgresql = op.get_bind().dialect.name == "postgresql"
    time = (
        "CAST(answer.solved_at AS timestamptz) AS solved_at" if postgresql else "answer.solved_at"
    )
    op.execute("DROP VIEW answers")
    # LEFT JOIN: both databases leave it out of queries that do not use the name.
    op.execute(
        f"CREATE VIEW answers AS SELECT {BEFORE_TIME}, {time}, answer.detail, "  # noqa: S608 # our own text
        "batch.name AS batch_name FROM answer LEFT JOIN batch ON batch.id = answer.batch_id"
    )


def downgrade() -> None:
    op.execute("DROP VIEW answers")
    op.execute(
        f"CREATE VIEW answers AS SELECT {BEFORE_TIME}, answer.solved_at, answer.detail FROM answer"  # noqa: S608 # our own text
    )
