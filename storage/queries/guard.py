"""The guard of SQL that users write: it only reads, and only the tables of its scope.

On SQLite an authorizer rejects every other table and all functions that reach beyond the database,
while the query is compiled.  PostgreSQL has privileges instead, and those of Bullseye's role may be
wide: a superuser's query can read the server's files.  So there the text may name no other table
and no function that does more than compute, and runs in a read-only transaction.  Both limit the
time.
"""

import re
import sqlite3
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, CursorResult, Row, text
from sqlalchemy.exc import DBAPIError

from storage.errors import BadQuery
from storage.tables import VIEWS, metadata
from storage.values import COLUMNS

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
#: SQLite's functions that return rows and read no table
_JSON_FUNCTIONS = {"json_each", "json_tree"}
#: our views, those of archived rows included
_VIEWS = {*VIEWS, "solution"}
#: the tables that they read
_BEHIND_VIEWS = {"answer", "batch", "summary", "archived_answers", "archived_solution"}
#: makes SQLite set these up, which an authorizer would reject
_USE_JSON_FUNCTIONS = "SELECT 1 FROM json_each('[]'), json_tree('[]')"
#: SQLSTATE of a PostgreSQL query that was cancelled, as by `statement_timeout`
_QUERY_CANCELED = "57014"


class Scope(NamedTuple):
    """What a text may read, and how messages name it."""

    name: str
    remedy: str
    tables: frozenset[str]
    columns: frozenset[str]  #: of these tables
    may_recur: bool  #: whether it may contain WITH RECURSIVE


#: the scope of an expression over the view
WHERE = Scope(
    "--where",
    "write one SQL condition over the columns of answers, as in --where 'clues = 17 and ms > 1'",
    frozenset({"answers"}),
    frozenset(COLUMNS),
    may_recur=False,
)
#: the scope of a query over the views and the tables
QUERY = Scope(
    "the query",
    "write one SELECT over answers, summaries, batch, chunk, answer, solution and meta",
    frozenset({*VIEWS, *metadata.tables}),
    frozenset(COLUMNS).union(*(made.columns.keys() for made in metadata.tables.values())),
    may_recur=True,
)


class Found(NamedTuple):
    """The result of a query."""

    columns: tuple[str, ...]
    rows: Generator[Row[Any]]  #: to be closed before the connection, if some are not read


def execute(
    connection: Connection, query: str, scope: Scope = WHERE, fetch_seconds: float = FETCH_SECONDS
) -> Found:
    """Run a query that contains the user's text; its rows are fetched as they are read.

    Raises BadQuery if the database rejects it, now or at a later row, or finds no further row for
    `fetch_seconds`.
    """
    with _translated(scope, fetch_seconds):
        result = _execute(connection, query, scope, fetch_seconds)
    return Found(tuple(result.keys()), _fetch(connection, result, scope, fetch_seconds))


def _execute(
    connection: Connection, query: str, scope: Scope, fetch_seconds: float
) -> CursorResult[Any]:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(fetch_seconds * 1000)}")
        query = query.replace("%", "%%")
    with _limited(connection, scope, fetch_seconds), _authorized(connection, scope):
        return connection.exec_driver_sql(
            query, execution_options={"stream_results": True, "yield_per": ROWS_PER_FETCH}
        )


def _fetch(
    connection: Connection, result: CursorResult[Any], scope: Scope, fetch_seconds: float
) -> Generator[Row[Any]]:
    with closing(result):
        while True:
            limited = _limited(connection, scope, fetch_seconds)
            with _translated(scope, fetch_seconds), limited:
                rows = result.fetchmany(ROWS_PER_FETCH)
            if not rows:
                return
            yield from rows


@contextmanager
def _translated(scope: Scope, fetch_seconds: float) -> Iterator[None]:
    """Raise errors of the driver as BadQuery."""
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == _QUERY_CANCELED:
            raise _timed_out(scope, fetch_seconds) from error
        reason = str(error.orig).partition("\n")[0]
        raise rejected(scope, f"is not valid ({reason})") from error


def rejected(scope: Scope, reason: str) -> BadQuery:
    """Return the error for a text of this scope, with the reason and what to write instead."""
    return BadQuery(f"{scope.name} {reason}", scope.remedy)


def _timed_out(scope: Scope, seconds: float) -> BadQuery:
    return BadQuery(f"{scope.name} found nothing within {seconds:g} s", "simplify it")


# --- SQLite ---


@contextmanager
def _limited(connection: Connection, scope: Scope, seconds: float) -> Iterator[None]:
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
            raise _timed_out(scope, seconds) from error
        # Ctrl-C: it was raised inside the progress handler, where SQLite discards exceptions.
        raise KeyboardInterrupt from error
    finally:
        driver.set_progress_handler(None, INSTRUCTIONS_PER_CHECK)
        driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def _authorized(connection: Connection, scope: Scope) -> Iterator[None]:
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.execute(_USE_JSON_FUNCTIONS).close()
    driver.set_authorizer(partial(_authorize, scope))
    try:
        yield
    finally:
        driver.set_authorizer(None)


def _authorize(
    scope: Scope, action: int, what: str | None, part: str | None, _: object, view: object
) -> int:
    """Allow reading the tables of the scope, and those of the view through the view.

    SQLite names a table without a column and without the view if a query only counts its rows.
    """
    if action == sqlite3.SQLITE_READ:
        through_view = what in _BEHIND_VIEWS and (view in _VIEWS or not part)
        allowed = what in scope.tables or what in _JSON_FUNCTIONS or through_view
    elif action == sqlite3.SQLITE_FUNCTION:
        allowed = part not in _FORBIDDEN_FUNCTIONS
    elif action == sqlite3.SQLITE_RECURSIVE:
        allowed = scope.may_recur
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
_FORBIDDEN_NAMES = text(
    """
SELECT proname FROM pg_proc
WHERE proname = ANY(:words) AND (provolatile = 'v' OR proname LIKE '%\\_to\\_xml%')
UNION SELECT relname FROM pg_class
WHERE relname = ANY(:words) AND relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
ORDER BY 1 LIMIT 1
"""
)


def check_words(connection: Connection, text: str, scope: Scope = WHERE) -> None:
    """On PostgreSQL, raise BadQuery if the text names a forbidden function or table."""
    if connection.dialect.name != "postgresql":
        return
    if _ESCAPED_NAME in text.upper():
        raise rejected(scope, f"must not use {_ESCAPED_NAME!r}")
    names = {"words": sorted(_words(text) - scope.columns - scope.tables)}
    if name := connection.execute(_FORBIDDEN_NAMES, names).scalar():
        raise rejected(scope, f"must not use {name!r}")


def bare(text: str) -> str:
    r"""Return the text without its literals, or all of it if the end of a literal is not certain.

    >>> bare("label = 'a;b' OR ms > 5"), bare(r"label = E'\'; --'")
    ('label =   OR ms > 5', "label = E'\\'; --'")
    """
    return text if _HIDES_QUOTES.search(text) else _LITERAL.sub(" ", text)


def _words(text: str) -> set[str]:
    """Return the words outside literals.

    >>> sorted(_words("label = 'from Ann''s list' OR ms > 5"))
    ['5', 'label', 'ms', 'or']
    >>> sorted(_words(r"label = E'\\' OR secret('')"))
    ['e', 'label', 'or', 'secret']
    """
    return {word.lower() for word in _WORD.findall(bare(text))}
