"""Answers picked by a person's own words, which may read the view and nothing else."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from storage.errors import BadQuery
from storage.tables import COLUMNS
from storage.values import Status

Picked: TypeAlias = "Row[Any]"

#: what may stand for a status beside the statuses themselves
SHORTHANDS = {
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND solutions > 1)",
}
#: rows fetched at a time
PORTION = 1000
_EXAMPLE = "for example --where 'clues = 17 and ms > 1'"
_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
#: functions of SQLite that reach beyond the database
_FORBIDDEN = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}


def pick(
    connection: Connection,
    *,
    ids: tuple[int, int] | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: str | None = None,
    first: int | None = None,
) -> Iterator[Picked]:
    """Lines of the view, a portion at a time."""
    terms = [f"id BETWEEN {ids[0]} AND {ids[1]}"] if ids else []
    if status:
        terms.append("(" + " OR ".join(_status(word) for word in status) + ")")
    if min_score is not None:
        terms.append(f"score >= {min_score}")
    if where is not None:
        terms.append(_expression(where))
    query = f"SELECT {', '.join(COLUMNS)} FROM answers"  # noqa: S608 # every part is checked
    if terms:
        query += " WHERE " + " AND ".join(terms)
    query += f" ORDER BY {_order(sort)}"
    if first is not None:
        query += f" LIMIT {first}"
    return _stream(connection, query)


def _status(word: str) -> str:
    if word in SHORTHANDS:
        return SHORTHANDS[word]
    if word in list(Status):
        return f"status = '{word}'"
    raise BadQuery(f"there is no status {word!r}: use {', '.join([*Status, *SHORTHANDS])}")


def _expression(where: str) -> str:
    if ";" in where:
        raise BadQuery(f"--where takes one expression, without a semicolon: {_EXAMPLE}")
    return f"(\n{where}\n)"  # on lines of its own, so that a comment ends before the bracket


def _order(sort: str | None) -> str:
    if sort is None:
        return "id"
    column = sort.removeprefix("-")
    if column not in COLUMNS:
        raise BadQuery(f"there is no column {column!r}: sort by one of {', '.join(COLUMNS)}")
    direction = " DESC" if sort.startswith("-") else ""
    return f"{column} IS NULL, {column}{direction}, id"  # absent values come last, either way


def _stream(connection: Connection, query: str) -> Iterator[Picked]:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        query = query.replace("%", "%%")
    try:
        with _reading_only(connection):
            found = connection.exec_driver_sql(
                query, execution_options={"stream_results": True, "yield_per": PORTION}
            )
        with closing(found):
            yield from found
    except DBAPIError as error:
        words = str(error.orig).partition("\n")[0]
        raise BadQuery(f"the database does not understand --where ({words}): {_EXAMPLE}") from error


@contextmanager
def _reading_only(connection: Connection) -> Iterator[None]:
    """While SQLite compiles the query, it refuses everything but reading."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.set_authorizer(_authorize)
    try:
        yield
    finally:
        driver.set_authorizer(None)


def _authorize(action: int, _first: str | None, second: str | None, *_: object) -> int:
    if action not in _ALLOWED:
        return sqlite3.SQLITE_DENY
    forbidden = action == sqlite3.SQLITE_FUNCTION and second in _FORBIDDEN
    return sqlite3.SQLITE_DENY if forbidden else sqlite3.SQLITE_OK
