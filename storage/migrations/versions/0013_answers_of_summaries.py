"""What the answers of one transaction have in common is in their summary, and not in each of them.

An answer of a 9x9 sudoku takes 201 bytes in SQLite instead of 268, and 273 in PostgreSQL instead of
361.  A summary now also has the kind and the size of its puzzles, the attempt, and answers that
`retry` may withdraw, so all rows are made again by the functions that make those of new answers:
what a row means must not depend on when it was added.

Summaries and hashes in databases of schemas before 0009 are made here for the first time.

The view also joins a summary by its range of ids: a planner that expects few summaries, as that of
PostgreSQL before it knows the tables, then reads the answers of each once, and not all of them.
"""

import zlib
from collections.abc import Iterator
from itertools import compress

import sqlalchemy as sa
from alembic import context, op

from storage.answers import add_summaries, insert_columns
from storage.summaries import details, fingerprints
from storage.summaries.outcomes import SEVERAL, at, places_of
from storage.summaries.summary import Columns

revision = "0013"
down_revision = "0012"

#: puzzles that are read together, as in a chunk of the easiest ones
BLOCK_PUZZLES = 8192
Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")

#: the summary of each answer of a block
_place = sa.Table(
    "place",
    sa.MetaData(),
    sa.Column("id", Id, primary_key=True, autoincrement=False),
    sa.Column("summary_id", Id),
    prefixes=["TEMPORARY"],
)
_BLOCK = sa.text(f"""
SELECT worker, attempts, puzzle, id, kind, size, clues, status, complete,
       CASE WHEN solutions_text IS NULL THEN solutions ELSE {SEVERAL} END,
       score, nodes, CAST(round(ms * 1000000) AS float) / 1000000, solved_at
FROM answer WHERE id BETWEEN :first AND :last ORDER BY id
""")  # noqa: S608 # our own text
_MOVE = sa.text(f"""
INSERT INTO answer_new
SELECT answer.id, place.summary_id, CASE WHEN solutions >= {SEVERAL} THEN solutions END, score,
       bound, nodes, CAST(round(ms * 1000000) AS bigint), clues, label, puzzle, solution, detail,
       solutions_text, option_counts
FROM answer JOIN place ON place.id = answer.id
WHERE answer.id BETWEEN :first AND :last ORDER BY answer.id
""")  # noqa: S608 # our own text

_ANSWERS = f"""
CREATE VIEW answers AS
SELECT answer.id, summary.batch_id AS batch,
       CAST(answer.id - batch.first_id + 1 AS integer) AS position, answer.label, summary.kind,
       summary.size, answer.clues, answer.puzzle, summary.status,
       CAST(CASE WHEN summary.solutions = {SEVERAL} THEN answer.solutions ELSE summary.solutions END
            AS bigint) AS solutions,
       summary.complete, answer.solution, answer.score, answer.bound, answer.nodes,
       CAST(CAST(answer.ns AS float) / 1000000 AS float) AS ms, summary.worker, summary.attempts,
       {{time}} AS solved_at, answer.detail, batch.name AS batch_name, answer.solutions_text,
       answer.option_counts
FROM answer
JOIN summary ON summary.id = answer.summary_id
            AND answer.id >= summary.first_id AND answer.id <= summary.last_id
JOIN batch ON batch.id = summary.batch_id
          AND answer.id >= batch.first_id AND answer.id < batch.first_id + batch.puzzles
"""  # noqa: S608 # our own text
_SUMMARIES = """
CREATE VIEW summaries AS
SELECT batch.id AS batch, worker, status, complete, solutions, summary.first_id, last_id, answers,
       timed, total_ms, max_ms, max_nodes, max_score, grids, unguessed, {time} AS last_at,
       batch.name AS batch_name
FROM summary JOIN batch ON batch.id = summary.batch_id
"""


def upgrade() -> None:
    op.execute("DROP VIEW answers")
    op.execute("DROP VIEW summaries")
    op.drop_index("answer_unsolved", "answer")
    op.add_column("summary", sa.Column("kind", sa.String, nullable=False, server_default=""))
    op.add_column("summary", sa.Column("size", sa.Integer))
    op.add_column("summary", sa.Column("attempts", sa.Integer, nullable=False, server_default="0"))
    _create_answer()
    _move_answers(op.get_bind())
    _replace_answer()
    op.execute(_ANSWERS.format(time=_time("summary.last_at")))
    op.execute(_SUMMARIES.format(time=_time("summary.last_at")))


def _create_answer() -> None:
    op.create_table(
        "answer_new",
        sa.Column("id", Id, primary_key=True, autoincrement=False),
        sa.Column("summary_id", Id, nullable=False),
        sa.Column("solutions", sa.BigInteger),
        sa.Column("score", sa.BigInteger),
        sa.Column("bound", sa.BigInteger),
        sa.Column("nodes", sa.BigInteger),
        sa.Column("ns", sa.BigInteger),
        sa.Column("clues", sa.Integer),
        sa.Column("label", sa.String),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("solution", sa.Text),
        sa.Column("detail", sa.Text),
        sa.Column("solutions_text", sa.String),
        sa.Column("option_counts", sa.Text),
    )


def _move_answers(connection: sa.Connection) -> None:
    """Move all answers to the new table, which takes some seconds for each million."""
    report = context.config.attributes.get("progress")
    is_archived = "SELECT batch_id FROM archive"
    connection.execute(sa.text(f"DELETE FROM summary WHERE batch_id NOT IN ({is_archived})"))  # noqa: S608 # our own text
    connection.execute(sa.text("DELETE FROM fingerprint"))
    _compress_details(connection)
    _place.create(connection)
    wanted = f"SELECT id, first_id, puzzles FROM batch WHERE id NOT IN ({is_archived})"  # noqa: S608 # our own text
    batches = connection.execute(sa.text(wanted)).all()
    total, done = sum(batch.puzzles for batch in batches), 0
    for batch in batches:
        for first, last in _blocks(batch.first_id, batch.puzzles):
            _move_block(connection, batch.id, first, last)
            done += last - first + 1
            if report:
                report(done, total)
    _place.drop(connection)


def _compress_details(connection: sa.Connection) -> None:
    """Compress the distributions of archived batches, as those of new summaries are."""
    change = sa.text("UPDATE summary SET details = :details WHERE id = :id")
    for id_, made in connection.execute(sa.text("SELECT id, details FROM summary")).all():
        connection.execute(change, {"id": id_, "details": zlib.compress(made, details.LEVEL)})


def _blocks(first_id: int, puzzles: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last id of each block of a batch."""
    end = first_id + puzzles
    for first in range(first_id, end, BLOCK_PUZZLES):
        yield first, min(first + BLOCK_PUZZLES, end) - 1


def _move_block(connection: sa.Connection, batch_id: int, first: int, last: int) -> None:
    rows = connection.execute(_BLOCK, {"first": first, "last": last}).all()
    if not rows:
        return
    workers, attempts, puzzles, *measured = zip(*rows, strict=True)
    found = Columns(*measured)
    for (worker, attempt, _), places in places_of((workers, attempts, found.solved_at)).items():
        some = at(found, places)
        ids = add_summaries(connection, batch_id, some, worker, attempt)
        insert_columns(connection, _place, [some.id, ids])
    connection.execute(_MOVE, {"first": first, "last": last})
    connection.execute(sa.delete(_place))
    searched = [attempt > 0 for attempt in attempts]
    if any(searched):
        columns = (compress(column, searched) for column in (found.id, puzzles, found.status))
        fingerprints.add(connection, batch_id, *map(list, columns))


def _replace_answer() -> None:
    """Give the new table the name of the old one, to which the table `solution` refers."""
    postgresql = op.get_bind().dialect.name == "postgresql"
    if postgresql:
        op.drop_constraint("solution_answer_id_fkey", "solution", type_="foreignkey")
    op.drop_table("answer")
    op.rename_table("answer_new", "answer")
    if postgresql:
        op.execute("ALTER INDEX answer_new_pkey RENAME TO answer_pkey")
        op.create_foreign_key(
            "solution_answer_id_fkey", "solution", "answer", ["answer_id"], ["id"]
        )


def _time(column: str) -> str:
    postgresql = op.get_bind().dialect.name == "postgresql"
    return f"CAST({column} AS timestamptz)" if postgresql else column
