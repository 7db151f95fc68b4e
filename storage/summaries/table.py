"""The rows of the table `summary`: added when answers are stored, and read as summaries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import Connection, TextClause, func, select, text, update

from storage.summaries import details
from storage.summaries.summary import Measured, Summary, SummaryKey, at, summarise
from storage.tables import summary

#: the fields of `Summary` that have a column of their own; the others are in `details`
FIELDS = (
    *("answers", "timed", "total_ms", "max_ms", "max_nodes", "max_score"),
    *("grids", "unguessed", "last_at"),
)


#: what answers have in common, and the places of those that have it
Alike = tuple[SummaryKey, Sequence[int]]

#: ids that are read before the number of new summaries is known; few transactions need more
SPARE_IDS = 4


class New(NamedTuple):
    """A summary that is not stored yet."""

    id: int
    key: SummaryKey
    first_id: int  #: of its answers
    last_id: int
    summary: Summary


class Record(NamedTuple):
    """A summary, and what its answers have in common."""

    worker: str | None
    key: SummaryKey
    summary: Summary


# Statements that run for every chunk are built once: building one takes longer than running it.
_insert = sqlalchemy.insert(summary)
# SQLite has no sequences; the ids are new because the transaction holds the write lock.
_new_ids = {
    "sqlite": text(
        "WITH RECURSIVE new (id) AS (SELECT coalesce(max(id), 0) + 1 FROM summary UNION ALL"
        " SELECT id + 1 FROM new LIMIT :count) SELECT id FROM new"
    ),
    "postgresql": text(
        "SELECT nextval(pg_get_serial_sequence('summary', 'id')) FROM generate_series(1, :count)"
    ),
}


def new_ids(connection: Connection, count: int = SPARE_IDS) -> tuple[TextClause, Mapping[str, int]]:
    """Return the statement that returns ids for new summaries, in rows of one, and its values."""
    return _new_ids[connection.dialect.name], {"count": count}


def add(
    connection: Connection,
    batch_id: int,
    found: Measured,
    groups: Sequence[Alike],
    ids: Sequence[int],
    worker: str | None,
    attempts: int,
) -> Sequence[int]:
    """Add the summaries of answers that are stored in the same transaction.

    Each of the `groups`, those of `by_key`, gets one of the new `ids`.  Returns the id of each
    answer's summary.
    """
    each = list(zip(ids, groups, strict=False))
    made = []
    for id_, (key, places) in each:
        some = at(found, places)
        made.append(New(id_, key, min(some.id), max(some.id), summarise(some)))
    insert(connection, batch_id, made, worker, attempts)
    if len(groups) == 1:
        return [ids[0]] * len(found.id)
    of_answer = [0] * len(found.id)
    for id_, (_, places) in each:
        for place in places:
            of_answer[place] = id_
    return of_answer


def insert(
    connection: Connection, batch_id: int, made: Sequence[New], worker: str | None, attempts: int
) -> None:
    """Add summaries of answers that are stored in the same transaction."""
    shared = {"batch_id": batch_id, "worker": worker, "attempts": attempts}
    if made:
        connection.execute(_insert, [{**shared, **_row(one)} for one in made])


def _row(new: New) -> dict[str, Any]:
    key = new.key._asdict()
    del key["has_score"]  # which `max_score` tells
    ids = {"id": new.id, "first_id": new.first_id, "last_id": new.last_id}
    return {**key, **ids, **_numbers(new.summary)}


def _numbers(of: Summary) -> dict[str, Any]:
    return {**{name: getattr(of, name) for name in FIELDS}, "details": details.pack(of)}


def complete(connection: Connection, summary_id: int, made: Summary) -> None:
    """Replace the numbers and distributions of a summary by those of its answers."""
    change = update(summary).where(summary.c.id == summary_id)
    connection.execute(change.values(_numbers(made)))


def read(connection: Connection, batch_id: int | None = None) -> Iterator[Record]:
    """Yield the summaries of a batch, or of all batches."""
    s = summary.c
    shared = (s.status, s.complete, s.solutions, s.max_score.is_not(None), s.kind, s.size)
    wanted = select(s.worker, s.details, *shared, *(s[name] for name in FIELDS))
    if batch_id is not None:
        wanted = wanted.where(s.batch_id == batch_id)
    for worker, packed, *values in connection.execute(wanted):
        key = SummaryKey._make(values[: len(shared)])
        fields = dict(zip(FIELDS, values[len(shared) :], strict=True))
        yield Record(worker, key, Summary(**fields, **details.unpack(packed)))


def by_status(connection: Connection, batch_id: int | None = None) -> dict[str, int]:
    """Return the number of answers with each status in a batch, or in all; the oldest is first."""
    s = summary.c
    wanted = select(func.min(s.id), s.status, func.sum(s.answers)).group_by(s.status)
    if batch_id is not None:
        wanted = wanted.where(s.batch_id == batch_id)
    return {status: int(number) for _, status, number in sorted(connection.execute(wanted))}
