"""An answer may have the number of solutions with each option, as the last column of the view."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute("DROP VIEW answers")
    op.add_column("answer", sa.Column("option_counts", sa.Text))
    _create_view(", answer.solutions_text, answer.option_counts")


def downgrade() -> None:
    op.execute("DROP VIEW answers")
    op.drop_column("answer", "option_counts")
    _create_view(", answer.solutions_text")


def _create_view(further: str) -> None:
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
