"""What the workers of a queue do: their leases, and the chunks that they completed."""

from typing import NamedTuple

from sqlalchemy import Connection, case, func, select, text

from storage.clock import seconds_between, utc
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import ChunkState

#: seconds over which `Work.rate` is measured
RATE_SECONDS = 60.0


class ActiveLease(NamedTuple):
    """A worker's lease on a chunk that is not done."""

    worker: str
    batch: int
    chunk: int
    attempt: int
    silent: float  #: seconds since the lease was taken or renewed


def active_leases(connection: Connection, queue: str) -> list[ActiveLease]:
    """Return the leases on all chunks of a queue, ordered by chunk; skip cancelled batches."""
    c = chunk.c
    found = connection.execute(
        select(c.worker, c.batch_id, c.id, c.attempts, c.taken_at, utc())
        .join(batch)
        .where(
            text(UNDER_WAY),
            c.state == ChunkState.TAKEN,
            batch.c.queue == queue,
            batch.c.cancelled_at.is_(None),
        )
    )
    # Sorted here: with ORDER BY, SQLite walks through all chunks instead of those under way.
    return [
        ActiveLease(worker, of_batch, id_, attempt, max(0.0, seconds_between(taken_at, now)))
        for worker, of_batch, id_, attempt, taken_at, now in sorted(found, key=lambda row: row.id)
    ]


class Work(NamedTuple):
    """What one worker process has done, for all batches of a queue."""

    worker: str
    puzzles: int  #: number of puzzles that it answered
    rate: float | None  #: answers per second during the last minute, or since it began meanwhile
    last_seen: str  #: when it last took, renewed or completed a chunk


def work(connection: Connection, queue: str) -> list[Work]:
    """Return the work of every process that ever took a chunk of this queue, by name."""
    c = chunk.c
    is_recent = c.done_at > utc(RATE_SECONDS)
    found = connection.execute(
        select(
            c.worker,
            func.sum(c.answered),
            func.sum(case((is_recent, c.count), else_=0)),
            func.min(case((is_recent, c.taken_at))),
            func.max(func.coalesce(c.done_at, c.taken_at)),
            utc(),
        )
        .join(batch)
        .where(batch.c.queue == queue, c.worker.is_not(None))
        .group_by(c.worker)
        .order_by(c.worker)
    )
    return [
        Work(worker, puzzles, _rate(recent, began, now), last_seen)
        for worker, puzzles, recent, began, last_seen, now in found
    ]


def _rate(recent: int, began: str | None, now: str) -> float | None:
    """Return answers per second since `began`, but for RATE_SECONDS at most."""
    seconds = min(RATE_SECONDS, seconds_between(began, now)) if began else 0.0
    return recent / seconds if seconds > 0 else None
