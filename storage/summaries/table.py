"""The rows of the table `summary`: added when answers are stored, and read as summaries."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from storage.summaries import details, scan
from storage.summaries.outcomes import PROVISIONAL, Outcome, by_outcome
from storage.summaries.summary import Columns, Summary, summarise
from storage.tables import summary

#: the fields of `Summary` that have a column of their own; the others are in `details`
FIELDS = (
    *("answers", "timed", "total_ms", "max_ms", "max_nodes", "max_score"),
    *("grids", "unguessed", "last_at"),
)


class Ids(NamedTuple):
    """A batch, and the ids of its puzzles."""

    batch_id: int
    first_id: int
    last_id: int


class Record(NamedTuple):
    """A summary, and what its answers have in common."""

    worker: str | None
    outcome: Outcome
    summary: Summary


# Statements that run for every chunk are built once: building one takes longer than running it.
_insert = insert(summary).inline()  # inline: ids are not returned
_fields = [summary.c[name] for name in FIELDS]


def add(connection: Connection, batch_id: int, found: Columns, worker: str | None) -> None:
    """Add the summaries of answers that are stored in the same transaction."""
    rows = [
        _row(batch_id, worker, outcome, some)
        for outcome, some in by_outcome(found)
        if outcome.status not in PROVISIONAL
    ]
    if rows:
        connection.execute(_insert, rows)


def add_provisional(connection: Connection, of_batch: Ids) -> None:
    """Add summaries of the answers that are in none, since they cannot be withdrawn any more."""
    rows = [
        _row(of_batch.batch_id, found.worker, outcome, some)
        for found in scan.provisional(connection, of_batch.first_id, of_batch.last_id)
        for outcome, some in by_outcome(found.columns)
    ]
    if rows:
        connection.execute(_insert, rows)


def _row(batch_id: int, worker: str | None, outcome: Outcome, found: Columns) -> dict[str, Any]:
    made = summarise(found)
    return {
        "batch_id": batch_id,
        "worker": worker,
        "status": outcome.status,
        "complete": outcome.complete,
        "solutions": outcome.solutions,
        "first_id": min(found.id),
        "last_id": max(found.id),
        **{name: getattr(made, name) for name in FIELDS},
        "details": details.pack(made),
    }


def read(
    connection: Connection, of_batch: Ids | None = None, *, distributions: bool = True
) -> Iterator[Record]:
    """Yield the summaries of all answers of a batch, or of all batches.

    Answers that are in no stored summary are summarised now.  Without `distributions`, stored
    summaries have no more than the FIELDS.
    """
    yield from stored(connection, of_batch, distributions=distributions)
    first, last = (of_batch.first_id, of_batch.last_id) if of_batch else (None, None)
    for found in scan.provisional(connection, first, last):
        for outcome, some in by_outcome(found.columns):
            yield Record(found.worker, outcome, summarise(some))


def stored(
    connection: Connection, of_batch: Ids | None = None, *, distributions: bool = True
) -> Iterator[Record]:
    """Yield the stored summaries of a batch, or of all batches."""
    s = summary.c
    wanted = select(s.worker, s.status, s.complete, s.solutions, *_fields)
    if distributions:
        wanted = wanted.add_columns(s.details)
    if of_batch:
        wanted = wanted.where(s.batch_id == of_batch.batch_id)
    for row in connection.execute(wanted):
        yield _record(*row)


def _record(
    worker: str | None, status: str, complete: int, solutions: int | None, *values: Any
) -> Record:
    fields = dict(zip(FIELDS, values, strict=False))
    distributions = details.unpack(*values[len(FIELDS) :]) if values[len(FIELDS) :] else {}
    outcome = Outcome(status, complete, solutions, fields["max_score"] is not None)
    return Record(worker, outcome, Summary(**fields, **distributions))


def remove(connection: Connection, batch_id: int) -> None:
    """Delete the summaries of a batch."""
    connection.execute(delete(summary).where(summary.c.batch_id == batch_id))
