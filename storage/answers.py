"""Answers: written in bulk, each puzzle's once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select

from storage.clock import utc
from storage.tables import answer, solution
from storage.values import Answers

#: the values of one column, in the order of the answers
Column = Sequence[Any]

#: columns that the answers of a chunk mostly agree in, and whose words are our own
AGREED = frozenset(
    {"batch_id", "kind", "size", "clues", "status", "solutions", "complete"}
    | {"worker", "attempts", "solved_at"}
)
#: ids lie close together if their range is this many times their number at most
SPREAD = 4
#: ids named in one statement
NAMED = 500


# Built once: to build a statement takes longer than to run it.
_now = select(utc())
_near = select(answer.c.id).where(answer.c.id.between(bindparam("least"), bindparam("most")))


def add(
    connection: Connection,
    batch_id: int,
    found: Answers,
    worker: str | None,
    attempts: int,
) -> None:
    """Store answers that are not stored yet, with their further solutions."""
    if not found.id:
        return
    now: str = connection.execute(_now).scalar_one()
    insert_columns(connection, answer, _columns(found, batch_id, worker, attempts, now))
    if any(found.further):
        each = zip(found.id, found.further, strict=True)
        further = [(id_, *kept) for id_, some in each for kept in some]
        insert_columns(connection, solution, list(zip(*further, strict=True)))


def stored(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Which of these puzzles have an answer."""
    if not ids:
        return frozenset()
    least, most = min(ids), max(ids)
    if most - least < SPREAD * len(ids):  # neighbours, as in most chunks: one range serves all
        near = connection.execute(_near, {"least": least, "most": most})
        return frozenset(near.scalars()).intersection(ids)
    found: set[int] = set()
    for start in range(0, len(ids), NAMED):
        some = select(answer.c.id).where(answer.c.id.in_(ids[start : start + NAMED]))
        found.update(connection.execute(some).scalars())
    return frozenset(found)


def insert_columns(connection: Connection, into: Table, columns: Sequence[Column]) -> None:
    """Tuples straight to the driver, two to three times as fast; columns without a value left out.

    SQLite's driver takes as long for a None as for five values, because it looks for an adapter
    first.
    """
    named = zip((column.name for column in into.c), columns, strict=True)
    given = {name: column for name, column in named if not _agrees(column, None)}
    if connection.dialect.name == "sqlite":
        _execute_many(connection, into.name, given)
    else:
        _copy(connection, into.name, given)


def _execute_many(connection: Connection, into: str, given: dict[str, Column]) -> None:
    """SQLite: what all lines agree in is said once, in the statement, which saves a quarter."""
    agreed = {
        name: _literal(column[0])
        for name, column in given.items()
        if name in AGREED and _agrees(column, column[0])
    }
    values = (agreed.get(name, "?") for name in given)
    statement = f"INSERT INTO {into} ({', '.join(given)}) VALUES ({', '.join(values)})"  # noqa: S608 # our own names
    apart = (column for name, column in given.items() if name not in agreed)
    connection.exec_driver_sql(statement, list(zip(*apart, strict=True)))


def _agrees(column: Column, value: object) -> bool:
    """Whether every line has this value; mostly the first one tells."""
    return column[0] == value and column.count(value) == len(column)


def _literal(value: str | int) -> str:
    """As SQL writes it."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def _copy(connection: Connection, into: str, given: dict[str, Column]) -> None:
    driver: Any = connection.connection.dbapi_connection  # psycopg's
    copying = f"COPY {into} ({', '.join(given)}) FROM STDIN"
    with driver.cursor() as cursor, cursor.copy(copying) as copy:
        for line in zip(*given.values(), strict=True):
            copy.write_row(line)


def _columns(
    found: Answers, batch_id: int, worker: str | None, attempts: int, now: str
) -> list[Column]:
    """In the order of the table's.

    Plain values only: SQLite's driver asks for adapters of anything that is not str, int or float
    itself, such as a bool or a Status.
    """
    # fmt: off
    (
        id_, position, label, kind, size, clues, puzzle, status, solutions, complete, solution,
        score, bound, nodes, ms, detail, _,
    ) = found
    n = len(id_)
    return [
        id_, (batch_id,) * n, position, label, kind, size, clues, puzzle, [*map(str, status)],
        solutions, [1 if one else 0 for one in complete], solution, score, bound, nodes, ms,
        (worker,) * n, (attempts,) * n, (now,) * n, detail,
    ]
    # fmt: on
