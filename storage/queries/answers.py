"""Rows of the view `answers`: filtered and sorted, or one by its id."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from storage import batches
from storage.archive.attach import attach
from storage.archive.texts import ahead, of_rows, texts
from storage.batches import Batch
from storage.database import avoid_sorting
from storage.errors import NoSuchPuzzle
from storage.queries import filters, guard, zones
from storage.queries.lines import Form, Known, line
from storage.queries.progress import count_outcomes
from storage.tables import solution, summary
from storage.values import COLUMNS, MAX_INTEGER, Kept

#: answers from which ADBC saves more time than loading it takes
MANY_ANSWERS = 200_000


def select_answers(
    connection: Connection,
    *,
    batch: int | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: Sequence[str] = (),
    first: int | None = None,
    offset: int = 0,
    form: Form | None = None,
    columns: Sequence[str] = COLUMNS,
) -> Generator[Any]:
    """Yield rows of the view `answers`, in input order unless `sort` names columns.

    With `form`, texts are yielded that are lines with `columns`, or with Form.ARROW a
    `pyarrow.Table` for each row group; the connection is then not to be used any more.  `status`
    may also contain the shorthands `unique` and `multiple`; `where` is an SQL expression over the
    view's columns; `-` before a column in `sort` means descending; `offset` answers are skipped.
    Raises BadQuery if one of them is not valid, and NoSuchBatch.
    """
    whole = batches.find(connection, batch) if batch is not None else None
    near: list[str] = []
    if min_score is not None:
        near = zones.with_least(connection, whole, status, "score", min_score)
    elif first is not None and where is None:
        near = zones.first(connection, whole, status, sort, first + offset)
    if status and not near:
        near = zones.with_status(connection, whole, status)
    conditions = _conditions(whole, status, min_score, near)
    order = f" ORDER BY {filters.order(sort, scan=not near)}"
    enough = ""
    if first is not None and where is None and filters.sorts_numbers(sort):
        enough = f"{order} LIMIT {min(first + offset, MAX_INTEGER)}"
    archived = _attach(connection, whole, conditions, enough)
    selected = ", ".join(columns)
    if form:
        selected = line(connection.dialect.name, form, columns, _known(connection, whole))
    query = _query(connection, selected, conditions, where) + order
    if first is not None or offset:
        most = MAX_INTEGER if first is None else min(first, MAX_INTEGER)
        query += f" LIMIT {most} OFFSET {min(offset, MAX_INTEGER)}"
    if not (status or sort or where or min_score is not None):
        avoid_sorting(connection)
    if form is None:
        return _stream(connection, query, guarded=where is not None)
    if where is not None:  # in this thread, so that Ctrl-C ends a long search
        return _formed(of_rows(guard.execute(connection, query).rows), form, columns)
    many = not (archived or near) and first is None and _are_many(connection, whole)
    found = _formed(texts(connection, query, many=many), form, columns)
    return ahead(found) if form is Form.ARROW else found


def count_answers(
    connection: Connection,
    *,
    batch: int | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
) -> int:
    """Return the number of rows that `select_answers` yields without `first` and `offset`.

    By statuses alone, they are counted from the summaries.
    """
    whole = batches.find(connection, batch) if batch is not None else None
    near: list[str] = []
    if min_score is not None:
        near = zones.with_least(connection, whole, status, "score", min_score)
    conditions = _conditions(whole, status, min_score, near)
    if where is None and min_score is None:
        return sum(
            one.puzzles
            for one in count_outcomes(connection, batch)
            if not status or filters.has_status(one, status)
        )
    _attach(connection, whole, conditions)
    query = _query(connection, "count(*)", conditions, where)
    ((number,),) = _stream(connection, query, guarded=where is not None)
    return int(number)


def find_answer(connection: Connection, puzzle_id: int) -> Row[Any]:
    """Return the answer to one puzzle, or raise NoSuchPuzzle."""
    condition = f"id = {puzzle_id}"
    query = _query(connection, ", ".join(COLUMNS), [condition])
    row = connection.exec_driver_sql(query).first()
    if row is None:
        attach(connection, puzzle_id, puzzle_id, conditions=[condition], solutions=True)
        row = connection.exec_driver_sql(query).first()
    if row is None:
        raise NoSuchPuzzle(
            f"puzzle {puzzle_id} has no answer",
            "bullseye results lists the answered puzzles",
        )
    return row


def further_solutions(connection: Connection, puzzle_id: int) -> list[Kept]:
    """Return the kept solutions of a puzzle after the first, by rank."""
    wanted = (
        select(solution.c.rank, solution.c.score, solution.c.text)
        .where(solution.c.answer_id == puzzle_id)
        .order_by(solution.c.rank)
    )
    return [Kept(*line) for line in connection.execute(wanted)]


def _conditions(
    whole: Batch | None, status: Sequence[str], min_score: int | None, near: Sequence[str]
) -> list[str]:
    """Return the conditions that select answers, without that of the user; raise BadQuery.

    `near` are those of zones that contain them.  Where zones narrow the search, the range of the
    whole batch is not stated as well: SQLite would read all of it.
    """
    conditions = []
    if status:
        conditions.append(filters.with_status(status))
    if min_score is not None:
        conditions.append(f"score >= {min_score}")
    return [*(near or zones.of_batch(whole)), *conditions]


def _known(connection: Connection, whole: Batch | None) -> Known:
    """Return what is known of the answers of a batch, or of all batches."""
    constants = {"batch": whole.id, "batch_name": whole.name} if whole else {}
    s = summary.c
    workers = select(s.worker).where(s.worker.is_not(None), *_of_batch(whole)).distinct()
    return Known(constants, _usual(connection, whole), connection.execute(workers).scalars().all())


def _usual(connection: Connection, whole: Batch | None) -> dict[str, Any]:
    """Return what most answers with one solution have in common."""
    s = summary.c
    shared = (s.kind, s.size, s.status, s.complete, s.solutions, s.attempts)
    wanted = select(*shared).where(s.solutions == 1, s.size.is_not(None), *_of_batch(whole))
    most = wanted.group_by(*shared).order_by(func.sum(s.answers).desc()).limit(1)
    found = connection.execute(most).mappings().first()
    return dict(found) if found else {}


def _of_batch(whole: Batch | None) -> list[ColumnElement[bool]]:
    return [summary.c.batch_id == whole.id] if whole else []


def _attach(
    connection: Connection, whole: Batch | None, conditions: Sequence[str], order: str = ""
) -> bool:
    """Let the view have the archived answers that match these conditions, and return if it has."""
    ids = (whole.first_id, whole.last_id) if whole else (None, None)
    return attach(connection, *ids, conditions=conditions, order=order)


def _query(
    connection: Connection, selected: str, conditions: Sequence[str], where: str | None = None
) -> str:
    """Return the query for answers that match all conditions, and that of the user."""
    view = "answers"
    if where is not None:
        users, view = guard.condition(connection, where)
        conditions = [*conditions, users]
    query = f"SELECT {selected} FROM {view}"  # noqa: S608 # every part is checked
    return query + " WHERE " + " AND ".join(conditions) if conditions else query


def _are_many(connection: Connection, whole: Batch | None) -> bool:
    answers = func.coalesce(func.sum(summary.c.answers), 0)
    number = connection.execute(select(answers).where(*_of_batch(whole))).scalar_one()
    return bool(number >= MANY_ANSWERS)


def _formed(lines: Generator[bytes], form: Form, columns: Sequence[str]) -> Generator[Any]:
    """Return texts of lines, or with Form.ARROW the tables that these are parsed to."""
    if form is not Form.ARROW:
        return lines
    from storage.archive import arrow, reading  # noqa: PLC0415 # pyarrow is optional

    return reading.row_groups(lines, Form.ARROW.value, arrow.of_answers(columns))


def _stream(connection: Connection, query: str, *, guarded: bool) -> Generator[Row[Any]]:
    if guarded:
        yield from guard.execute(connection, query).rows
        return
    if connection.dialect.name == "postgresql":
        query = query.replace("%", "%%")
    streamed = {"stream_results": True, "yield_per": guard.ROWS_PER_FETCH}
    with closing(connection.exec_driver_sql(query, execution_options=streamed)) as found:
        yield from found
