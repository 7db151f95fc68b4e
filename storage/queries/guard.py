"""The guard of `--where`: the user's expression reads the view `answers` and nothing else.

On SQLite an authorizer rejects every other table and all functions that reach beyond the database,
while the query is compiled.  PostgreSQL has privileges instead, and those of Bullseye's role may be
wide: a superuser's query can read the server's files.  So there the expression may name no table
but the view and no function that does more than compute, and runs in a read-only transaction.
Both limit the time.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Connection, Row, text
from sqlalchemy.exc import DBAPIError

from storage.errors import BadQuery
from storage.tables import COLUMNS

#: rows fetched from the database at a time
ROWS_PER_FETCH = 1000
#: seconds within which the database must find the next rows
FETCH_SECONDS = 60.0
#: bytes of the longest value that SQLite may create or read
MAX_VALUE_BYTES = 64 << 20
#: instructions of SQLite's virtual machine between two checks of the clock: some milliseconds
INSTRUCTIONS_PER_CHECK = 100_000
#: SQLite's functions that reach beyond the database
_FORBIDDEN_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
#: SQLSTATE of a PostgreSQL query that was cancelled, as by `statement_timeout`
_QUERY_CANCELED = "57014"


def stream(
    connection: Connection, query: str, fetch_seconds: float = FETCH_SECONDS
) -> Iterator[Row[Any]]:
    """Yield the rows of a query that contains the user's expression.

    Raises BadQuery if the database rejects it, or finds no further row for `fetch_seconds`.
    """
    try:
        yield from _rows(connection, query, fetch_seconds)
    except DBAPIError as error:
        raise _bad_query(error, fetch_seconds) from error


def _rows(connection: Connection, query: str, fetch_seconds: float) -> Iterator[Row[Any]]:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(fetch_seconds * 1000)}")
        query = query.replace("%", "%%")
    with _limited(connection, fetch_seconds), _authorized(connection):
        found = connection.exec_driver_sql(
            query, execution_options={"stream_results": True, "yield_per": ROWS_PER_FETCH}
        )
    with closing(found):
        while True:
            with _limited(connection, fetch_seconds):
                rows = found.fetchmany(ROWS_PER_FETCH)
            if not rows:
                return
            yield from rows


def _bad_query(error: DBAPIError, fetch_seconds: float) -> BadQuery:
    if getattr(error.orig, "sqlstate", None) == _QUERY_CANCELED:
        return _timed_out(fetch_seconds)
    reason = str(error.orig).partition("\n")[0]
    return rejected(f"is not valid ({reason})")


def rejected(reason: str) -> BadQuery:
    """Return the error for an expression, with the reason and an example of a valid one."""
    return BadQuery(
        f"--where {reason}",
        "write one SQL condition over the columns of answers, "
        "as in --where 'clues = 17 and ms > 1'",
    )


def _timed_out(seconds: float) -> BadQuery:
    return BadQuery(f"--where found nothing within {seconds:g} s", "simplify it")


# --- SQLite ---


@contextmanager
def _limited(connection: Connection, seconds: float) -> Iterator[None]:
    """Limit time and memory of SQLite; PostgreSQL's `statement_timeout` limits each fetch."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    deadline = time.monotonic() + seconds
    before = driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    driver.set_progress_handler(lambda: time.monotonic() > deadline, INSTRUCTIONS_PER_CHECK)
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() > deadline:
            raise _timed_out(seconds) from error
        # Ctrl-C: it was raised inside the progress handler, where SQLite discards exceptions.
        raise KeyboardInterrupt from error
    finally:
        driver.set_progress_handler(None, INSTRUCTIONS_PER_CHECK)
        driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def _authorized(connection: Connection) -> Iterator[None]:
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.set_authorizer(_authorize)
    try:
        yield
    finally:
        driver.set_authorizer(None)


def _authorize(action: int, what: str | None, part: str | None, _: object, view: object) -> int:
    """Allow reading the view, and its tables through the view.

    SQLite names a table without a column and without the view if a query only counts its rows.
    """
    if action == sqlite3.SQLITE_READ:
        through_view = what in {"answer", "batch"} and (view == "answers" or not part)
        allowed = what == "answers" or through_view
    elif action == sqlite3.SQLITE_FUNCTION:
        allowed = part not in _FORBIDDEN_FUNCTIONS
    else:
        allowed = action == sqlite3.SQLITE_SELECT
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


# --- PostgreSQL ---

_LITERAL = re.compile(r"'(?:[^']|'')*'")
#: escapes, dollar quotes and comments, with which a quote need not be the end of a literal
_HIDES_QUOTES = re.compile(r"\\|\$|/\*|--")
#: introduces an identifier with escaped letters
_ESCAPED_NAME = "U&"
_WORD = re.compile(r"\w+")

#: finds a word that names a volatile function, which may do anything, a function that exports whole
#: tables as XML, or a table
_FORBIDDEN_NAMES = """
SELECT proname FROM pg_proc
WHERE proname = ANY(:words) AND (provolatile = 'v' OR proname LIKE '%\\_to\\_xml%')
UNION SELECT relname FROM pg_class
WHERE relname = ANY(:words) AND relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
ORDER BY 1 LIMIT 1
"""


def check_words(connection: Connection, where: str) -> None:
    """On PostgreSQL, raise BadQuery if the expression names a forbidden function or table."""
    if connection.dialect.name != "postgresql":
        return
    if _ESCAPED_NAME in where.upper():
        raise rejected(f"must not use {_ESCAPED_NAME!r}")
    names = {"words": sorted(_words(where) - {*COLUMNS, "answers"})}
    if name := connection.execute(text(_FORBIDDEN_NAMES), names).scalar():
        raise rejected(f"must not use {name!r}")


def _words(where: str) -> set[str]:
    """Return the words outside literals, or all words if the end of a literal is not certain.

    >>> sorted(_words("label = 'from Ann''s list' OR ms > 5"))
    ['5', 'label', 'ms', 'or']
    >>> sorted(_words(r"label = E'\\\\' OR secret('')"))
    ['e', 'label', 'or', 'secret']
    """
    bare = where if _HIDES_QUOTES.search(where) else _LITERAL.sub(" ", where)
    return {word.lower() for word in _WORD.findall(bare)}
