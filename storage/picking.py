"""Answers picked by a person's own words, which may read the view and nothing else."""

import re
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
_CURE = "write one SQL condition over the columns of answers, as in --where 'clues = 17 and ms > 1'"
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
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
    return _stream(connection, query, by_hand=where is not None)


def _status(word: str) -> str:
    if word in SHORTHANDS:
        return SHORTHANDS[word]
    if word in list(Status):
        return f"status = '{word}'"
    raise BadQuery(f"there is no status {word!r}: use {', '.join([*Status, *SHORTHANDS])}")


def _expression(where: str) -> str:
    if ";" in where:
        raise BadQuery(f"--where cannot hold a semicolon: {_CURE}")
    if not _balanced(where):
        raise BadQuery(f"--where has a bracket or quote without its other half: {_CURE}")
    return f"(\n{where}\n)"  # on lines of its own, so that a comment ends before the bracket


def _balanced(where: str) -> bool:
    """No bracket closes what was not opened here: nobody leaves the condition.

    >>> [_balanced(text) for text in ("(1)", "label = ')'", "1) OR (1", "(1", "label = 'a")]
    [True, True, False, False, False]
    """
    bare, depth = _QUOTED.sub("", where), 0
    for letter in bare:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0 and "'" not in bare and '"' not in bare


def _order(sort: str | None) -> str:
    if sort is None:
        return "id"
    column = sort.removeprefix("-")
    if column not in COLUMNS:
        raise BadQuery(f"there is no column {column!r}: sort by one of {', '.join(COLUMNS)}")
    direction = " DESC" if sort.startswith("-") else ""
    if column == "id":
        return f"id{direction}"
    return f"{column} IS NULL, {column}{direction}, id"  # absent values come last, either way


def _stream(connection: Connection, query: str, *, by_hand: bool) -> Iterator[Picked]:
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
        if not by_hand:
            raise
        words = str(error.orig).partition("\n")[0]
        raise BadQuery(f"--where is not understood ({words}): {_CURE}") from error


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
        allowed = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
