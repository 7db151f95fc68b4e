"""The guard of SQL that users write: it only reads, only the tables of its scope, with limits.

`storage.queries.sql` writes what the database gets, from the user's text, as a query that can do
nothing else.  Should that fail, there is a second line: on SQLite an authorizer rejects everything
but reading while the query is compiled; on PostgreSQL the transaction is read-only, finds
functions, operators and types in pg_catalog only, and has the rights of the role READER if there is
one.
"""

import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, text
from sqlalchemy.exc import DBAPIError

from storage.archive.catalogue import attach
from storage.errors import BadQuery
from storage.tables import VIEWS, metadata

#: the role of PostgreSQL that queries of users have, if the administrator has made it
READER = "bullseye_reader"
#: most rows, and bytes of texts, that are fetched from PostgreSQL at a time
ROWS_PER_FETCH = 1000
BYTES_PER_FETCH = 4 << 20
#: seconds within which the database must find the next rows
FETCH_SECONDS = 60.0
#: bounds of what SQLite may create or read: bytes of a value, bytes of a pattern of LIKE, columns
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 64 << 20,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
}
#: instructions of SQLite's virtual machine between two checks of the clock: some milliseconds
INSTRUCTIONS_PER_CHECK = 100_000
#: what SQLite may do for a query: no writing, no other files, no pragmas
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
#: makes SQLite set up its functions that return rows, which the authorizer would reject
_USE_JSON_FUNCTIONS = "SELECT 1 FROM json_each('[]'), json_tree('[]')"
#: SQLSTATE of a PostgreSQL query that was cancelled, as by `statement_timeout`
_QUERY_CANCELED = "57014"


class Scope(NamedTuple):
    """What a text may read, and how messages name it."""

    name: str
    remedy: str
    tables: frozenset[str]


#: the scope of an expression over the view
WHERE = Scope(
    "--where",
    "write one SQL condition over the columns of answers, as in --where 'clues = 17 and ms > 1'",
    frozenset({"answers"}),
)
#: the scope of a query over the views and the tables
QUERY = Scope(
    "the query",
    "write one SELECT over answers, summaries, batch, chunk, answer, solution and meta",
    frozenset({*VIEWS, *metadata.tables}),
)


class QueryResult(NamedTuple):
    """The result of a query."""

    columns: tuple[str, ...]
    rows: Generator[Row[Any]]  #: to be closed before the connection, if some are not read


def run_query(
    connection: Connection, text: str, fetch_seconds: float = FETCH_SECONDS
) -> QueryResult:
    """Run one SELECT over the views and the tables; raise BadQuery if it is not one."""
    attach(connection, solutions=True)
    query = _checked(connection, QUERY, text.rstrip("; \t\r\n"))
    return execute(connection, query, QUERY, fetch_seconds)


def condition(connection: Connection, text: str) -> tuple[str, str]:
    """Return a condition that reads the view `answers` and nothing else, or raise BadQuery.

    It is followed by what a query with this condition must select from.
    """
    sql = _checked(connection, WHERE, text)
    schema = _schemas(connection).get("answers", "").replace('"', '""')
    return f"({sql})", f'"{schema}".answers AS answers' if schema else "answers"


def execute(
    connection: Connection, query: str, scope: Scope = WHERE, fetch_seconds: float = FETCH_SECONDS
) -> QueryResult:
    """Run a query that was written from a checked text; its rows are fetched as they are read.

    Raises BadQuery if the database rejects it, now or at a later row, or finds no further row for
    `fetch_seconds`.  The limits end with the last row, or when the rows are closed.
    """
    rows = _rows(connection, query, scope, fetch_seconds)
    return QueryResult(next(rows), rows)


def _rows(connection: Connection, query: str, scope: Scope, seconds: float) -> Generator[Any]:
    """Yield the names of the columns, then the rows, of which some are in memory at a time."""
    postgresql = connection.dialect.name == "postgresql"
    limited = (
        _restricted(connection, seconds) if postgresql else _limited(connection, scope, seconds)
    )
    most = ROWS_PER_FETCH if postgresql else 1  # SQLite itself returns one row at a time
    number = 1
    with _translated(scope, seconds), limited as restart:
        with nullcontext() if postgresql else _authorized(connection):
            text = query.replace("%", "%%") if postgresql else query
            result = connection.exec_driver_sql(text, execution_options={"stream_results": True})
        with closing(result):
            yield tuple(result.keys())
            while rows := result.fetchmany(number):
                yield from rows
                if most > 1:
                    fitting = BYTES_PER_FETCH // max(1, *map(_size, rows))
                    number = max(1, min(most, 4 * number, fitting))
                restart()


def _size(row: Row[Any]) -> int:
    return sum(len(value) for value in row if isinstance(value, str | bytes))


def rejected(scope: Scope, reason: str, *, is_out_of_scope: bool = False) -> BadQuery:
    """Return the error for a text of this scope, with the reason and what to write instead.

    Who writes one query of our tables knows what to write: the reason says what is wrong with it.
    """
    remedy = scope.remedy if is_out_of_scope or scope is WHERE else ""
    return BadQuery(f"{scope.name} {reason}", remedy)


def _checked(connection: Connection, scope: Scope, text: str) -> str:
    from storage.queries.sql import Checker, OutOfScope, Refused  # noqa: PLC0415 # sqlglot takes 0.15 s

    schemas = _schemas(connection)
    tables = {name: schemas.get(name, "") for name in scope.tables}
    try:
        checker = Checker(connection.dialect.name, tables)
        return checker.checked(text, condition=scope is WHERE)
    except Refused as refused:
        is_out_of_scope = isinstance(refused, OutOfScope)
        raise rejected(scope, str(refused), is_out_of_scope=is_out_of_scope) from refused


@contextmanager
def _translated(scope: Scope, fetch_seconds: float) -> Iterator[None]:
    """Raise errors of the driver as BadQuery."""
    try:
        yield
    except MemoryError as error:
        raise rejected(scope, "has a row that does not fit into memory") from error
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == _QUERY_CANCELED:
            raise _timed_out(scope, fetch_seconds) from error
        reason = str(error.orig).partition("\n")[0]
        raise rejected(scope, f"is not valid ({reason})") from error


def _timed_out(scope: Scope, seconds: float) -> BadQuery:
    return BadQuery(f"{scope.name} found nothing within {seconds:g} s", "simplify it")


# --- SQLite ---


@contextmanager
def _limited(
    connection: Connection, scope: Scope, seconds: float
) -> Iterator[Callable[[], object]]:
    """Limit time and memory of SQLite; yield what restarts the clock."""
    driver: Any = connection.connection.dbapi_connection
    deadline = [0.0]

    def restart() -> None:
        deadline[0] = time.monotonic() + seconds

    restart()
    before = {limit: driver.setlimit(limit, value) for limit, value in LIMITS.items()}
    driver.set_progress_handler(lambda: time.monotonic() > deadline[0], INSTRUCTIONS_PER_CHECK)
    try:
        yield restart
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() > deadline[0]:
            raise _timed_out(scope, seconds) from error
        # Ctrl-C: it was raised inside the progress handler, where SQLite discards exceptions.
        raise KeyboardInterrupt from error
    finally:
        driver.set_progress_handler(None, INSTRUCTIONS_PER_CHECK)
        for limit, value in before.items():
            driver.setlimit(limit, value)


@contextmanager
def _authorized(connection: Connection) -> Iterator[None]:
    """Let SQLite compile only what reads."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(_USE_JSON_FUNCTIONS).close()
    driver.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY
    )
    try:
        yield
    finally:
        driver.set_authorizer(None)


# --- PostgreSQL ---

#: restricts the transaction; a member of a role may take it on
_RESTRICT = text(
    """
SELECT set_config('transaction_read_only', 'on', true),
    set_config('statement_timeout', :timeout, true),
    set_config('search_path', 'pg_catalog, pg_temp', true),
    set_config('standard_conforming_strings', 'on', true),
    (SELECT set_config('role', rolname, true) FROM pg_roles
     WHERE rolname = :reader AND pg_has_role(oid, 'MEMBER'))
"""
)


@contextmanager
def _restricted(connection: Connection, seconds: float) -> Iterator[Callable[[], object]]:
    """Restrict what is executed meanwhile; the transaction then goes on without this."""
    with connection.begin_nested() as savepoint:
        try:
            connection.execute(_RESTRICT, {"reader": READER, "timeout": f"{seconds * 1000:.0f}"})
            yield lambda: None  # the server limits each fetch
        finally:
            savepoint.rollback()


_SCHEMAS = text(
    """
SELECT relname, nspname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relname = ANY(:names) AND pg_table_is_visible(pg_class.oid)
"""
)


def _schemas(connection: Connection) -> Mapping[str, str]:
    """Return the schema in which PostgreSQL finds each table or view; nothing for SQLite.

    Archived answers are read through temporary views.
    """
    if connection.dialect.name != "postgresql":
        return {}
    found = connection.execute(_SCHEMAS, {"names": sorted(QUERY.tables)})
    return {name: schema for name, schema in found}  # noqa: C416 # rows are not pairs to mypy
