"""Answers: written in bulk, each puzzle's once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, select

from storage.clock import utc
from storage.tables import answer, solution
from storage.values import Answer

#: ids lie close together if their range is this many times their number at most
SPREAD = 4
#: ids named in one statement
NAMED = 500


def add(
    connection: Connection,
    batch_id: int,
    found: Sequence[Answer],
    worker: str | None,
    attempts: int,
) -> None:
    """Store answers that are not stored yet, with their further solutions."""
    if not found:
        return
    now: str = connection.execute(select(utc())).scalar_one()
    _insert(connection, answer, _lines(found, batch_id, worker, attempts, now))
    further = [(one.id, *kept) for one in found if one.further for kept in one.further]
    if further:
        _insert(connection, solution, further)


def stored(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Which of these puzzles have an answer."""
    if not ids:
        return frozenset()
    least, most = min(ids), max(ids)
    if most - least < SPREAD * len(ids):  # neighbours, as in most chunks: one range serves all
        near = select(answer.c.id).where(answer.c.id.between(least, most))
        return frozenset(connection.execute(near).scalars()).intersection(ids)
    found: set[int] = set()
    for start in range(0, len(ids), NAMED):
        some = select(answer.c.id).where(answer.c.id.in_(ids[start : start + NAMED]))
        found.update(connection.execute(some).scalars())
    return frozenset(found)


def _insert(connection: Connection, into: Table, lines: Sequence[tuple[object, ...]]) -> None:
    """Tuples straight to the driver, PostgreSQL's by COPY: two to three times as fast."""
    names = ", ".join(column.name for column in into.c)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" for _ in into.c)
        statement = f"INSERT INTO {into.name} ({names}) VALUES ({marks})"  # noqa: S608 # our own names
        connection.exec_driver_sql(statement, list(lines))
        return
    driver: Any = connection.connection.driver_connection  # psycopg's
    copying = f"COPY {into.name} ({names}) FROM STDIN"
    with driver.cursor() as cursor, cursor.copy(copying) as copy:
        for line in lines:
            copy.write_row(line)


def _lines(
    found: Sequence[Answer], batch_id: int, worker: str | None, attempts: int, now: str
) -> list[tuple[object, ...]]:
    """In the order of the table's columns; one expression, for it runs for every puzzle.

    Plain values only: SQLite's driver asks for adapters of anything that is not str, int or float
    itself, such as a bool or a Status.
    """
    # fmt: off
    return [
        (
            id_, batch_id, position, label, kind, size, clues, puzzle, status.value, solutions,
            1 if complete else 0, solution, score, bound, nodes, ms, worker, attempts, now, detail,
        )
        for id_, position, label, kind, size, clues, puzzle, status, solutions, complete, solution,
            score, bound, nodes, ms, detail, _ in found
    ]
    # fmt: on
