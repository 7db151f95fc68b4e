"""Stores answers in bulk, and looks up which puzzles have one."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select, union_all

from storage.database import Step, together
from storage.summaries import fingerprints, table
from storage.summaries.summary import Columns
from storage.tables import answer, search, solution
from storage.values import MAX_INTEGER, Answers

#: the values of one column, one for each answer
Column = Sequence[Any]

#: columns in which the answers of a chunk usually agree; such a value is a literal of the statement
CONSTANT_COLUMNS = frozenset(
    {"batch_id", "kind", "size", "clues", "status", "solutions", "complete"}
    | {"worker", "attempts", "solved_at"}
)
#: greatest number of parameters of a statement for SQLite, whose older versions allow 999
MAX_PARAMETERS = 900
#: psycopg's names of types that it does not know by their name in SQL
PSYCOPG_TYPES = {"FLOAT": "float8"}
#: the detail of an answer with more solutions
LARGE_COUNT = "the number of solutions exceeds 64 bits: see solutions_text"
#: ids are looked up as one range if it is less than this many times as long as their list
MAX_RANGE_FACTOR = 4
#: greatest number of ids in one query
IDS_PER_QUERY = 500


# Statements that run for every chunk are built once: building one takes longer than running it.
_ids_between = union_all(
    *(
        select(table.c.id).where(table.c.id.between(bindparam("least"), bindparam("most")))
        for table in (answer, search)
    )
)
_ids_among = union_all(
    *(
        select(table.c.id).where(table.c.id.in_(bindparam("some", expanding=True)))
        for table in (answer, search)
    )
)


def add(
    connection: Connection,
    batch_id: int,
    found: Answers,
    worker: str | None,
    attempts: int,
    now: str,
) -> None:
    """Insert answers that are stored `now`, their further solutions and their summaries.

    A constraint of the database rejects a second answer to a puzzle.  PostgreSQL checks that the
    batch exists once, for the summaries; the caller has updated its chunk or locked the batch.
    """
    if not found.id:
        return
    columns = _columns(found, batch_id, worker, attempts, now)
    insert_columns(connection, answer, columns)
    if any(found.further):
        each = zip(found.id, found.further, strict=True)
        further = [(id_, *kept) for id_, some in each for kept in some]
        insert_columns(connection, solution, list(zip(*further, strict=True)))
    named = dict(zip(answer.c.keys(), columns, strict=True)) | {"solutions": found.solutions}
    measured = Columns(*(named[name] for name in Columns._fields))
    with _in_one_trip(connection):
        table.add(connection, batch_id, measured, worker)
        if attempts:  # copies of reused answers are not found again, since their originals are
            final = fingerprints.with_final_answer(found.id, found.puzzle, named["status"])
            fingerprints.add(connection, batch_id, *final)


def _in_one_trip(connection: Connection) -> AbstractContextManager[object]:
    """Send the statements of the block, which return no rows, together at its end."""
    driver: Any = connection.connection.dbapi_connection
    return nullcontext() if connection.dialect.name == "sqlite" else driver.pipeline()


def stored(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Return those of the given puzzle ids that have an answer, or a search of their own."""
    return of_ids(ids, together(connection, *lookups(ids)))


def lookups(ids: Sequence[int]) -> list[Step]:
    """Return the statements of `stored`, whose rows `of_ids` reads."""
    if not ids:
        return []
    least, most = min(ids), max(ids)
    if most - least < MAX_RANGE_FACTOR * len(ids):  # as in most chunks
        return [(_ids_between, {"least": least, "most": most})]
    parts = (ids[start : start + IDS_PER_QUERY] for start in range(0, len(ids), IDS_PER_QUERY))
    return [(_ids_among, {"some": list(part)}) for part in parts]


def of_ids(ids: Sequence[int], found: Iterable[Sequence[Any]]) -> frozenset[int]:
    """Return those of the given ids that the rows of `lookups` contain."""
    return frozenset(id_ for rows in found for (id_,) in rows).intersection(ids)


def insert_columns(connection: Connection, into: Table, columns: Sequence[Column]) -> None:
    """Insert rows, given as one sequence of values for each column of the table, in its order.

    Bypasses SQLAlchemy, which takes two to three times as long.  Columns that are None in all rows
    are left out: SQLite's driver takes as long for one None as for five other values.
    """
    named = zip((column.name for column in into.c), columns, strict=True)
    given = {name: column for name, column in named if not _all_equal(column, None)}
    if connection.dialect.name == "sqlite":
        _insert_many(connection, into.name, given)
    else:
        _copy(connection, into, given)


def _insert_many(connection: Connection, into: str, given: dict[str, Column]) -> None:
    """Insert into SQLite, many rows per statement; a value that all rows share is a literal.

    Executing a statement takes as long as four of its parameters, and the driver executes it once
    for each row that it is given.
    """
    constants = {
        name: _literal(column[0])
        for name, column in given.items()
        if name in CONSTANT_COLUMNS and _all_equal(column, column[0])
    }
    varying = {name: column for name, column in given.items() if name not in constants}
    values = list(chain.from_iterable(zip(*varying.values(), strict=True)))
    row = f"({', '.join(constants.get(name, '?') for name in given)})"
    step = MAX_PARAMETERS // len(varying) * len(varying)
    driver: Any = connection.connection.dbapi_connection
    for start in range(0, len(values), step):
        some = values[start : start + step]
        rows = ", ".join([row] * (len(some) // len(varying)))
        statement = f"INSERT INTO {into} ({', '.join(given)}) VALUES {rows}"  # noqa: S608 # our own names
        driver.execute(statement, some)


def _all_equal(column: Column, value: object) -> bool:
    # The first comparison alone decides most cases.
    return column[0] == value and column.count(value) == len(column)


def _literal(value: str | int) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def _copy(connection: Connection, into: Table, given: dict[str, Column]) -> None:
    """Insert into PostgreSQL; as binary, which takes a third of the time that text takes."""
    driver: Any = connection.connection.dbapi_connection  # psycopg's
    types = [into.c[name].type.compile(connection.dialect) for name in given]
    copying = f"COPY {into.name} ({', '.join(given)}) FROM STDIN BINARY"
    with driver.cursor() as cursor, cursor.copy(copying) as copy:
        copy.set_types([PSYCOPG_TYPES.get(type_, type_.lower()) for type_ in types])
        for line in zip(*given.values(), strict=True):
            copy.write_row(line)


def _columns(
    found: Answers, batch_id: int, worker: str | None, attempts: int, now: str
) -> list[Column]:
    """Return the columns of the table `answer`, in its order.

    Values are exactly str, int or float: for subclasses such as bool and Status, SQLite's driver
    first searches for an adapter.
    """
    # fmt: off
    (
        id_, position, label, kind, size, clues, puzzle, status, solutions, complete, solution,
        score, bound, nodes, ms, detail, option_counts, _,
    ) = found
    n = len(id_)
    solutions_text: Column = (None,) * n
    if max(filter(None, set(solutions)), default=0) > MAX_INTEGER:
        solutions, solutions_text, detail = _large_counts_as_text(solutions, detail)
    return [
        id_, (batch_id,) * n, position, label, kind, size, clues, puzzle, [*map(str, status)],
        solutions, [1 if one else 0 for one in complete], solution, score, bound, nodes, ms,
        (worker,) * n, (attempts,) * n, (now,) * n, detail, solutions_text,
        option_counts,
    ]
    # fmt: on


def _large_counts_as_text(solutions: Column, details: Column) -> tuple[Column, Column, Column]:
    """Return numbers of solutions without those beyond 64 bits, these as text, and the details."""
    large = [number is not None and number > MAX_INTEGER for number in solutions]
    each = list(zip(solutions, details, large, strict=True))
    return (
        [None if is_large else number for number, _, is_large in each],
        [str(number) if is_large else None for number, _, is_large in each],
        [_large(detail) if is_large else detail for _, detail, is_large in each],
    )


def _large(detail: str | None) -> str:
    return f"{detail}; {LARGE_COUNT}" if detail else LARGE_COUNT
