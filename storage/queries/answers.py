"""Rows of the view `answers`: filtered and sorted, or one by its id."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import Connection, Row, func, select

from storage import batches, tables
from storage.archive.attach import attach
from storage.batches import Batch
from storage.errors import NoSuchPuzzle
from storage.queries import filters, guard, zones
from storage.queries.lines import Form, record
from storage.tables import COLUMNS, chunk, search, solution
from storage.values import MAX_INTEGER, Kept


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
) -> Generator[Row[Any]]:
    """Yield rows of the view `answers`, in input order unless `sort` names columns.

    With `form`, a row is one text: the record of its `columns`.  `status` may also contain the
    shorthands `unique` and `multiple`; `where` is an SQL expression over the view's columns; `-`
    before a column in `sort` means descending; `offset` answers are skipped.  Raises BadQuery if
    one of them is not valid, and NoSuchBatch.
    """
    whole = batches.find(connection, batch) if batch is not None else None
    near: list[str] = []
    if first is not None and where is None and min_score is None:
        near = zones.first(connection, whole, status, sort, first + offset)
    conditions = _conditions(connection, whole, status, min_score, near)
    order = f" ORDER BY {filters.order(sort)}"
    enough = ""
    if first is not None and where is None and filters.sorts_numbers(sort):
        enough = f"{order} LIMIT {min(first + offset, MAX_INTEGER)}"
    _attach(connection, whole, conditions, enough)
    selected = record(connection.dialect.name, form, columns) if form else ", ".join(columns)
    query = _query(selected, conditions + _expression(connection, where)) + order
    if first is not None or offset:
        most = MAX_INTEGER if first is None else min(first, MAX_INTEGER)
        query += f" LIMIT {most} OFFSET {min(offset, MAX_INTEGER)}"
    return _stream(connection, query, guarded=where is not None)


def count_answers(
    connection: Connection,
    *,
    batch: int | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
) -> int:
    """Return the number of rows that `select_answers` yields without `first` and `offset`."""
    whole = batches.find(connection, batch) if batch is not None else None
    conditions = _conditions(connection, whole, status, min_score)
    _attach(connection, whole, conditions)
    query = _query("count(*)", conditions + _expression(connection, where))
    ((number,),) = _stream(connection, query, guarded=where is not None)
    return int(number)


def count_stored(connection: Connection, batch_id: int | None = None) -> int:
    """Return the number of all answers of a batch, or of all batches, without reading them."""
    ours = [tables.batch.c.ready == 1]
    if batch_id is not None:
        ours.append(tables.batch.c.id == batch_id)
    puzzles = select(func.coalesce(func.sum(tables.batch.c.puzzles), 0)).where(*ours)
    unanswered = func.coalesce(func.sum(chunk.c.count - chunk.c.answered), 0)
    in_chunks = select(unanswered).join(tables.batch).where(*ours)
    in_parts = select(func.count()).select_from(search).join(tables.batch)
    in_parts = in_parts.where(search.c.ended_at.is_(None), *ours)
    total, *to_do = (connection.execute(one).scalar_one() for one in (puzzles, in_chunks, in_parts))
    return int(total) - sum(map(int, to_do))


def find_answer(connection: Connection, puzzle_id: int) -> Row[Any]:
    """Return the answer to one puzzle, or raise NoSuchPuzzle."""
    condition = f"id = {puzzle_id}"
    query = _query(", ".join(COLUMNS), [condition])
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
    connection: Connection,
    whole: Batch | None,
    status: Sequence[str],
    min_score: int | None,
    near: Sequence[str] = (),
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
        near = zones.with_least(connection, whole, status, "score", min_score)
    return [*(near or zones.of_batch(whole)), *conditions]


def _expression(connection: Connection, where: str | None) -> list[str]:
    """Return the condition of the user, if there is one; raise BadQuery."""
    if where is None:
        return []
    found = filters.expression(where)
    guard.check_words(connection, where)
    return [found]


def _attach(
    connection: Connection, whole: Batch | None, conditions: Sequence[str], order: str = ""
) -> None:
    """Let the view have the archived answers that match these conditions."""
    ids = (whole.first_id, whole.last_id) if whole else (None, None)
    attach(connection, *ids, conditions=conditions, order=order)


def _query(selected: str, conditions: Sequence[str]) -> str:
    query = f"SELECT {selected} FROM answers"  # noqa: S608 # every part is checked
    return query + " WHERE " + " AND ".join(conditions) if conditions else query


def _stream(connection: Connection, query: str, *, guarded: bool) -> Generator[Row[Any]]:
    if guarded:
        yield from guard.execute(connection, query).rows
        return
    if connection.dialect.name == "postgresql":
        query = query.replace("%", "%%")
    streamed = {"stream_results": True, "yield_per": guard.ROWS_PER_FETCH}
    with closing(connection.exec_driver_sql(query, execution_options=streamed)) as found:
        yield from found
