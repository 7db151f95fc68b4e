"""Rows of the view `answers`: filtered and sorted, or one by its id."""

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import Connection, Row, select

from storage import batches
from storage.errors import NoSuchPuzzle
from storage.queries import filters, guard
from storage.tables import COLUMNS, solution
from storage.values import Kept


def select_answers(
    connection: Connection,
    *,
    batch: int | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: str | None = None,
    first: int | None = None,
) -> Generator[Row[Any]]:
    """Yield rows of the view `answers`, in input order unless `sort` names a column.

    `status` may also contain the shorthands `unique` and `multiple`; `where` is an SQL expression
    over the view's columns; `-` before the column of `sort` means descending.  Raises BadQuery if
    one of them is not valid, and NoSuchBatch.
    """
    whole = batches.find(connection, batch) if batch is not None else None
    conditions = [f"id BETWEEN {whole.first_id} AND {whole.last_id}"] if whole else []
    if status:
        conditions.append(filters.with_status(status))
    if min_score is not None:
        conditions.append(f"score >= {min_score}")
    if where is not None:
        conditions.append(filters.expression(where))
        guard.check_words(connection, where)
    query = _query(conditions, filters.order(sort), first)
    return _stream(connection, query, guarded=where is not None)


def find_answer(connection: Connection, puzzle_id: int) -> Row[Any]:
    """Return the answer to one puzzle, or raise NoSuchPuzzle."""
    query = _query([f"id = {puzzle_id}"], filters.order(None), None)
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


def _query(conditions: Sequence[str], order: str, first: int | None) -> str:
    query = f"SELECT {', '.join(COLUMNS)} FROM answers"  # noqa: S608 # every part is checked
    if conditions:
        query += " WHERE " + " AND ".join(conditions)
    query += f" ORDER BY {order}"
    if first is not None:
        query += f" LIMIT {min(first, filters.MAX_INTEGER)}"
    return query


def _stream(connection: Connection, query: str, *, guarded: bool) -> Generator[Row[Any]]:
    if guarded:
        yield from guard.stream(connection, query)
        return
    streamed = {"stream_results": True, "yield_per": guard.ROWS_PER_FETCH}
    with closing(connection.exec_driver_sql(query, execution_options=streamed)) as found:
        yield from found
