"""A query that holds a person's own words: it reads the view, nothing else, and not for ever."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from storage.errors import BadQuery

#: rows fetched at a time
PORTION = 1000
#: seconds that the database may look for one portion
PATIENCE = 60.0
#: bytes of the longest value that SQLite may make or read
LONGEST = 64 << 20
#: steps of SQLite's engine between two looks at clock and keyboard: some milliseconds
STEPS = 100_000
#: functions of SQLite that reach beyond the database
_FORBIDDEN = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


def stream(connection: Connection, query: str, patience: float = PATIENCE) -> Iterator[Row[Any]]:
    """The rows of `query`, a portion at a time.  Errors are the database's own."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(patience * 1000)}")
        query = query.replace("%", "%%")
    with _bounded(connection, patience), _reading_only(connection):
        found = connection.exec_driver_sql(
            query, execution_options={"stream_results": True, "yield_per": PORTION}
        )
    with closing(found):
        while True:
            with _bounded(connection, patience):
                portion = found.fetchmany(PORTION)
            if not portion:
                return
            yield from portion


@contextmanager
def _bounded(connection: Connection, patience: float) -> Iterator[None]:
    """SQLite looks up now and then; PostgreSQL bounds each fetch by itself."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    deadline = time.monotonic() + patience
    before = driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    driver.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
    try:
        yield
    except DBAPIError as error:
        if "interrupted" not in str(error.orig):
            raise
        if time.monotonic() > deadline:
            raise _endless(patience) from error
        # Else Ctrl-C, raised in the middle of the handler, where SQLite swallowed it.
        raise KeyboardInterrupt from error
    finally:
        driver.set_progress_handler(None, STEPS)
        driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


@contextmanager
def _reading_only(connection: Connection) -> Iterator[None]:
    """While SQLite compiles the query, it refuses everything but reading the view."""
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
    """What is read, and through which view; the table by itself is named when it is counted."""
    if action == sqlite3.SQLITE_READ:
        through = what == "answer" and (view == "answers" or not part)
        allowed = what == "answers" or through
    elif action == sqlite3.SQLITE_FUNCTION:
        allowed = part not in _FORBIDDEN
    else:
        allowed = action == sqlite3.SQLITE_SELECT
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def told(error: DBAPIError, patience: float = PATIENCE) -> BadQuery:
    """What the database says of a condition, in one sentence."""
    words = str(error.orig).partition("\n")[0]
    if "statement timeout" in words:
        return _endless(patience)
    return refused(f"is not understood ({words})")


def refused(why: str) -> BadQuery:
    """What is wrong with a condition, and how to cure it."""
    return BadQuery(
        f"--where {why}: write one SQL condition over the columns of answers, "
        "as in --where 'clues = 17 and ms > 1'"
    )


def _endless(patience: float) -> BadQuery:
    return BadQuery(f"--where was given up after {patience:g} s without an answer: simplify it")
