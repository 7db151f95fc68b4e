"""The SQL conditions and order of `bullseye results`, built from its options."""

from collections.abc import Sequence

from storage.errors import BadQuery
from storage.values import COLUMNS, Status

#: accepted as a status: names for answers with exactly one solution, and with several
SHORTHANDS = {
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL))",
}
#: the columns of numbers
_NUMBERS = frozenset(COLUMNS) - {
    *("label", "kind", "puzzle", "status", "solution", "worker", "solved_at", "detail"),
    *("batch_name", "solutions_text", "option_counts"),
}


def with_status(names: Sequence[str]) -> str:
    """Return the condition that an answer has one of these statuses, or raise BadQuery.

    >>> with_status(["none", "multiple"])
    "(status = 'none' OR (status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL)))"
    """
    return "(" + " OR ".join(map(_status, names)) + ")"


def _status(name: str) -> str:
    if name in SHORTHANDS:
        return SHORTHANDS[name]
    if name in list(Status):
        return f"status = '{name}'"
    raise BadQuery(f"there is no status {name!r}", f"use {', '.join([*Status, *SHORTHANDS])}")


def order(sort: Sequence[str], *, scan: bool = True) -> str:
    """Return the terms of ORDER BY for these sort keys, the first of which counts most.

    `-` before a column means descending; nulls come last, and ids decide between equal answers.
    Without `scan`, SQLite sorts the answers that it finds instead of scanning the whole table in
    the order of ids.  Raises BadQuery if there is no such column.

    >>> order(["-clues", "ms"])
    'clues IS NULL, clues DESC, ms IS NULL, ms, id'
    >>> order([], scan=False)
    '+id'
    """
    terms: list[str] = []
    id_ = "id" if scan else "+id"
    for key in sort:
        column = known_column(key.removeprefix("-"))
        direction = " DESC" if key.startswith("-") else ""
        if column == "id":  # further keys have no effect
            return ", ".join([*terms, f"{id_}{direction}"])
        terms += [f"{column} IS NULL", f"{column}{direction}"]
    return ", ".join([*terms, id_])


def sorts_numbers(sort: Sequence[str]) -> bool:
    """Return whether these sort keys are numbers; databases sort texts by different rules."""
    return {key.removeprefix("-") for key in sort} <= _NUMBERS


def known_column(name: str) -> str:
    """Return the name of a column of the view, or raise BadQuery."""
    if name not in COLUMNS:
        raise BadQuery(f"there is no column {name!r}", f"the columns are {', '.join(COLUMNS)}")
    return name
