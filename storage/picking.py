"""Answers picked by a person's own words, which may read the view and nothing else."""

import re
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row
from sqlalchemy.exc import DBAPIError

from storage import guard, words
from storage.errors import BadQuery
from storage.tables import COLUMNS
from storage.values import Status

Picked: TypeAlias = "Row[Any]"

#: what may stand for a status beside the statuses themselves
SHORTHANDS = {
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND solutions > 1)",
}
#: the greatest number that a database counts to
MOST = 2**63 - 1
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")


def pick(
    connection: Connection,
    *,
    ids: tuple[int, int] | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: str | None = None,
    first: int | None = None,
) -> Generator[Picked]:
    """Lines of the view, a portion at a time."""
    terms = [f"id BETWEEN {ids[0]} AND {ids[1]}"] if ids else []
    if status:
        terms.append("(" + " OR ".join(_status(word) for word in status) + ")")
    if min_score is not None:
        terms.append(f"score >= {min_score}")
    if where is not None:
        terms.append(_expression(where))
        if word := words.forbidden(connection, where):
            raise guard.refused(f"must not use {word!r}")
    query = f"SELECT {', '.join(COLUMNS)} FROM answers"  # noqa: S608 # every part is checked
    if terms:
        query += " WHERE " + " AND ".join(terms)
    query += f" ORDER BY {_order(sort)}"
    if first is not None:
        query += f" LIMIT {min(first, MOST)}"
    return _stream(connection, query, by_hand=where is not None)


def _status(word: str) -> str:
    if word in SHORTHANDS:
        return SHORTHANDS[word]
    if word in list(Status):
        return f"status = '{word}'"
    raise BadQuery(f"there is no status {word!r}: use {', '.join([*Status, *SHORTHANDS])}")


def _expression(where: str) -> str:
    if ";" in where:
        raise guard.refused("cannot hold a semicolon")
    if not where.isascii() and where != where.encode(errors="replace").decode():
        raise guard.refused("is no text")  # bytes of a shell that are no UTF-8
    if not _balanced(where):
        raise guard.refused("has a bracket or quote without its other half")
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


def _stream(connection: Connection, query: str, *, by_hand: bool) -> Generator[Picked]:
    if not by_hand:
        in_portions = {"stream_results": True, "yield_per": guard.PORTION}
        with closing(connection.exec_driver_sql(query, execution_options=in_portions)) as found:
            yield from found
        return
    try:
        yield from guard.stream(connection, query)
    except DBAPIError as error:
        raise guard.told(error) from error
