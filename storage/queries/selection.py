"""Which answers are wanted and in which order: the options of `bullseye results` as SQL."""

from collections.abc import Sequence
from typing import TypedDict

from storage.errors import BadQuery
from storage.values import Status
from storage.view import COLUMNS, MEMBER, is_column

#: the condition of each status; two are names for answers with exactly one solution, and several
STATUSES = {
    **{str(status): f"status = '{status}'" for status in Status},
    "unique": "(status = 'solved' AND solutions = 1 AND complete = 1)",
    "multiple": "(status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL))",
}


class Selection(TypedDict, total=False):
    """Which answers are wanted, by default all, and their order, by default that of the input."""

    batch: int | None
    status: Sequence[str]  #: stored ones, and the shorthands `unique` and `multiple`
    min_score: int | None
    where: str | None  #: an SQL expression over the columns of the view
    distinct: bool  #: of these, only the first of each class; those without a class are left out
    sort: Sequence[str]  #: columns; `-` before one means descending
    first: int | None  #: the greatest number of answers
    offset: int  #: answers that are skipped


def with_status(names: Sequence[str]) -> str:
    """Return the condition that an answer has one of these statuses, or raise BadQuery.

    >>> with_status(["none", "multiple"])
    "(status = 'none' OR (status = 'solved' AND (solutions > 1 OR solutions_text IS NOT NULL)))"
    """
    for name in names:
        if name not in STATUSES:
            raise BadQuery(f"there is no status {name!r}", f"use {', '.join(STATUSES)}")
    return "(" + " OR ".join(map(STATUSES.__getitem__, names)) + ")"


def ordering(sort: Sequence[str], dialect: str, *, scan: bool = True) -> str:
    """Return the terms of ORDER BY for these sort keys, the first of which counts most.

    `-` before a column means descending; nulls come last, and ids decide between equal answers.
    Without `scan`, SQLite sorts the answers that it finds instead of scanning the whole table in
    the order of ids.  Raises BadQuery if there is no such column.

    >>> ordering(["-clues", "ms"], "sqlite")
    'clues IS NULL, clues DESC, ms IS NULL, ms, id'
    >>> ordering([], "sqlite", scan=False)
    '+id'
    """
    terms: list[str] = []
    id_ = "id" if scan else "+id"
    for key in sort:
        value = expression(key.removeprefix("-"), dialect)
        direction = " DESC" if key.startswith("-") else ""
        if value == "id":  # further keys have no effect
            return ", ".join([*terms, f"{id_}{direction}"])
        terms += [f"{value} IS NULL", f"{value}{direction}"]
    return ", ".join([*terms, id_])


def expression(column: str, dialect: str) -> str:
    """Return a column, or a member of `extra`, as a value for ORDER BY and GROUP BY.

    Raises BadQuery if there is no such column.

    >>> expression("ms", "sqlite"), expression("extra.rating", "postgresql")
    ('ms', "nullif(CAST(extra AS jsonb) -> 'rating', 'null')")
    """
    if not is_column(column):
        raise BadQuery(f"there is no column {column!r}", f"the columns are {', '.join(COLUMNS)}")
    if not column.startswith(MEMBER):
        return column
    name = column.removeprefix(MEMBER)
    if dialect == "sqlite":
        return f"json_extract(extra, '$.\"{name}\"')"
    return f"nullif(CAST(extra AS jsonb) -> '{name}', 'null')"
