"""Answers in groups that share the values of columns, or of members of `extra`."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from storage import batches
from storage.archive.catalogue import attach
from storage.database import stream
from storage.queries import zones
from storage.queries.answers import expression
from storage.values import Status

#: groups that are returned at most: those with most puzzles
MAX_GROUPS = 1000


class Group(NamedTuple):
    """Answers that share values; the times are in milliseconds."""

    values: tuple[int | float | str | None, ...]  #: lists and objects are JSON
    puzzles: int
    solved: int
    mean_ms: float | None  #: None if none of them has a time
    max_ms: float | None
    best_score: int | None


def groups(connection: Connection, batch_id: int | None, by: Sequence[str]) -> list[Group]:
    """Return the answers of a batch, or of all, by the values of columns or members of `extra`.

    The groups are sorted by their values: numbers, texts, null.  Reads all answers.  Raises
    NoSuchBatch, BadQuery if there is no such column, and ArchiveUnreadable.
    """
    values = [expression(name, connection.dialect.name) for name in by]
    places = ", ".join(str(place) for place in range(1, len(by) + 1))
    batch = None if batch_id is None else batches.find(connection, batch_id)
    attach(connection, batch.ids if batch else None)
    query = f"""
        SELECT {", ".join(values)}, count(*) AS puzzles,
               count(CASE WHEN status = '{Status.SOLVED}' THEN 1 END), avg(ms), max(ms), max(score)
        FROM answers WHERE {" AND ".join(zones.of_batch(batch)) or "1 = 1"}
        GROUP BY {places} ORDER BY puzzles DESC, {places} LIMIT {MAX_GROUPS}"""  # noqa: S608 # our own names
    rows = stream(connection, query)
    found = [Group(tuple(map(_plain, row[: len(by)])), *row[len(by) :]) for row in rows]
    return sorted(found, key=lambda group: [*map(_place, group.values)])


def _plain(value: Any) -> Any:
    """Return a value as SQLite has it, which PostgreSQL returns as that of JSON."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return value


def _place(value: Any) -> tuple[bool, bool, Any]:
    return value is None, isinstance(value, str), 0 if value is None else value
