"""The SQL conditions and order of `bullseye results`, built from its options."""

import re
from collections.abc import Sequence

from storage.errors import BadQuery
from storage.queries.guard import rejected
from storage.tables import COLUMNS
from storage.values import Status

#: accepted as a status: names for answers with exactly one solution, and with several
SHORTHANDS = {
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND solutions > 1)",
}
#: the largest integer of SQLite and PostgreSQL
MAX_INTEGER = 2**63 - 1
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")


def with_status(names: Sequence[str]) -> str:
    """Return the condition that an answer has one of these statuses, or raise BadQuery.

    >>> with_status(["none", "multiple"])
    "(status = 'none' OR (status = 'solved' AND solutions > 1))"
    """
    return "(" + " OR ".join(map(_status, names)) + ")"


def _status(name: str) -> str:
    if name in SHORTHANDS:
        return SHORTHANDS[name]
    if name in list(Status):
        return f"status = '{name}'"
    raise BadQuery(f"there is no status {name!r}", f"use {', '.join([*Status, *SHORTHANDS])}")


def expression(where: str) -> str:
    """Return the text of `--where` in brackets; raise BadQuery if it would end outside them.

    This checks the form only: `storage.queries.guard` checks what the expression reads.
    """
    if ";" in where:
        raise rejected("cannot contain a semicolon")
    if not where.isascii() and where != where.encode(errors="replace").decode():
        raise rejected("is not valid UTF-8 text")
    if not _balanced(where):
        raise rejected("has an unmatched bracket or quote")
    return f"(\n{where}\n)"  # on lines of its own, so that a comment ends before the bracket


def _balanced(where: str) -> bool:
    """Return whether every bracket and quote is matched within the text.

    >>> [_balanced(text) for text in ("(1)", "label = ')'", "1) OR (1", "(1", "label = 'a")]
    [True, True, False, False, False]
    """
    bare, depth = _QUOTED.sub("", where), 0
    for letter in bare:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0 and "'" not in bare and '"' not in bare


def order(sort: str | None) -> str:
    """Return the terms of ORDER BY, or raise BadQuery.

    `-` before the column means descending; nulls come last.

    >>> order("-ms")
    'ms IS NULL, ms DESC, id'
    """
    if sort is None:
        return "id"
    column = sort.removeprefix("-")
    if column not in COLUMNS:
        raise BadQuery(f"there is no column {column!r}", f"sort by one of {', '.join(COLUMNS)}")
    direction = " DESC" if sort.startswith("-") else ""
    if column == "id":
        return f"id{direction}"
    return f"{column} IS NULL, {column}{direction}, id"
