"""Leases: a worker takes a chunk, renews its lease, stores answers, and completes or releases it.

A lease is identified by the chunk and its attempt number, the fencing token.  Renewing, releasing
and storing a part of the answers require that the chunk still has this number, so a worker whose
lease was taken over stops.  Completing a chunk does not: the answers of a slow worker are as good
as any, and the first to complete the chunk wins.

How long a lease lasts without a renewal is stored with its queue, so that all workers and sweeps
use the same number.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Update,
    bindparam,
    func,
    select,
    text,
    update,
)

from storage import answers
from storage.batches import LIVE
from storage.clock import utc
from storage.database import Step, together
from storage.outbox import publishing
from storage.summaries import table
from storage.tables import UNDER_WAY, batch, chunk, meta, part
from storage.values import NO_FACTS, Answers, ChunkState, Facts, Kind

#: the attempt from which on a chunk is suspect: after a death that is known, which counts twice, or
#: after two leases that have expired.  One may expire without a death, while a disk is full
SUSPECT_ATTEMPT = 3
#: seconds that a lease lasts without a renewal, unless another number is stored with its queue
DEFAULT_SECONDS = 60.0
_KEY = "lease of "
_store_seconds = text(
    "INSERT INTO meta (key, value) VALUES (:key, :value)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)


def store_seconds(connection: Connection, queue: str, seconds: float) -> None:
    """Store how long leases of the queue last, also those that are held."""
    connection.execute(_store_seconds, {"key": _KEY + queue, "value": str(seconds)})


def stored_seconds(queue: str | ColumnElement[str]) -> ColumnElement[float]:
    """Return the SQL expression for how long leases of a queue last."""
    found = func.coalesce(func.max(meta.c.value.cast(Float)), DEFAULT_SECONDS)
    return select(found).where(meta.c.key == _KEY + queue).scalar_subquery()


def seconds(connection: Connection, queue: str) -> float:
    """Return how long leases of the queue last."""
    return float(connection.execute(select(stored_seconds(queue))).scalar_one())


class Lease(NamedTuple):
    """A worker's right to solve a chunk, which expires unless it is renewed in time."""

    chunk_id: int
    batch_id: int
    attempt: int  #: the fencing token: 1 for the first lease of the chunk
    kind: Kind  #: the kind of the chunk's puzzles
    options: dict[str, Any]  #: the options of the batch
    left: int = 0  #: puzzles of the chunk that were neither answered nor divided
    seconds: float = DEFAULT_SECONDS  #: that it lasts without a renewal
    #: stored turns of a part of a search: a second fencing token, since each resets the attempts
    turns: int = 0

    @property
    def is_suspect(self) -> bool:
        """Whether the chunk may end every process that solves it."""
        return self.attempt >= SUSPECT_ATTEMPT


# Statements that run for every chunk are built once: building one takes longer than running it.
_turns = select(part.c.turns).where(part.c.chunk_id == chunk.c.id).correlate(chunk)
_turns_or_0 = func.coalesce(_turns.scalar_subquery(), 0)
_chunk = chunk.c.id == bindparam("number")
_queue = select(batch.c.queue).where(batch.c.id == chunk.c.batch_id).correlate(chunk)
_seconds = stored_seconds(_queue.scalar_subquery())
_options = select(batch.c.options).where(batch.c.id == chunk.c.batch_id).scalar_subquery()
_take = (
    update(chunk)
    .where(
        _chunk,
        chunk.c.digest == bindparam("given"),
        chunk.c.state != ChunkState.DONE,
        (chunk.c.state != ChunkState.TAKEN) | (chunk.c.taken_at <= utc(_seconds)),
        chunk.c.batch_id.in_(select(batch.c.id).where(*LIVE)),
    )
    .values(
        state=ChunkState.TAKEN,
        attempts=chunk.c.attempts + 1,
        taken_at=utc(),
        worker=bindparam("by"),
    )
    .returning(
        *(chunk.c.batch_id, chunk.c.attempts, chunk.c.kind, _options),
        *(chunk.c.count - chunk.c.answered, _seconds, _turns_or_0),
    )
)


def take(connection: Connection, chunk_id: int, worker: str, digest: str) -> Lease | None:
    """Lease a chunk to `worker`, until it is taken over because it was not renewed in time.

    Returns None if the chunk is done, is leased to another worker, belongs to a batch that is
    cancelled, paused or not ready, or if its puzzles have another digest than `digest`.
    """
    given = {"number": chunk_id, "by": worker, "given": digest}
    row = connection.execute(_take, given).first()
    if row is None:
        return None
    batch_id, attempt, kind, options, *rest = row
    return Lease(chunk_id, batch_id, attempt, Kind(kind), json.loads(options), *rest)


def has_other_puzzles(connection: Connection, chunk_id: int, digest: str) -> bool:
    """Return whether a chunk is sent, not taken, and its puzzles have another digest."""
    found = select(chunk.c.id).where(
        chunk.c.id == chunk_id, chunk.c.state == ChunkState.SENT, chunk.c.digest != digest
    )
    return connection.execute(found).first() is not None


_attempt = (_chunk, chunk.c.state == ChunkState.TAKEN, chunk.c.attempts == bindparam("attempt"))
#: changes a chunk if it is held, for `change`
of_held = update(chunk).where(*_attempt, _turns_or_0 == bindparam("turns"))
_renew = of_held.values(taken_at=utc())
# When and by whom it was held last stays.
_release = of_held.values(state=ChunkState.NEW, attempts=chunk.c.attempts - 1, sent_at=None)


def change(connection: Connection, statement: Update, lease: Lease, **values: Any) -> bool:
    """Change a chunk by a statement made of `of_held`; return False if the lease is lost."""
    return connection.execute(statement, _token(lease) | values).rowcount == 1


def _token(lease: Lease) -> dict[str, Any]:
    return {"number": lease.chunk_id, "attempt": lease.attempt, "turns": lease.turns}


def renew(connection: Connection, lease: Lease) -> bool:
    """Extend a lease; return False if it was taken over, or the chunk is done or deleted."""
    return change(connection, _renew, lease)


def release(connection: Connection, lease: Lease) -> None:
    """Give up a lease: its chunk becomes new again, and the attempt is not counted."""
    change(connection, _release, lease)


def held_by(connection: Connection, chunk_id: int, worker: str) -> int | None:
    """Return the attempt number of `worker`'s lease on a chunk; None if it holds none."""
    held = (chunk.c.id == chunk_id, chunk.c.state == ChunkState.TAKEN, chunk.c.worker == worker)
    return connection.execute(select(chunk.c.attempts).where(*held)).scalar()


_end = update(chunk).values(
    state=ChunkState.NEW, sent_at=None, attempts=chunk.c.attempts + (SUSPECT_ATTEMPT - 2)
)


def end(connection: Connection, chunk_id: int, attempt: int) -> None:
    """End a lease whose process has died: its chunk becomes new again, and suspect."""
    connection.execute(_end.where(*_attempt), {"number": chunk_id, "attempt": attempt})


def end_all(connection: Connection, queue: str) -> None:
    """End all leases of a queue, because one of their processes has died, and end the others."""
    of_queue = select(batch.c.id).where(batch.c.queue == queue)
    held = (text(UNDER_WAY), chunk.c.state == ChunkState.TAKEN, chunk.c.batch_id.in_(of_queue))
    connection.execute(_end.where(*held))


_store_some = _renew.returning(utc())
_complete = (
    update(chunk)
    .where(_chunk, chunk.c.state != ChunkState.DONE)
    .values(state=ChunkState.DONE, answered=chunk.c.count, done_at=utc(), worker=bindparam("by"))
    .returning(utc())
)
_count_answered = update(chunk).where(_chunk).values(answered=chunk.c.answered + bindparam("more"))


def store_answers(
    connection: Connection,
    lease: Lease,
    found: Answers,
    worker: str,
    *,
    done: bool,
    facts: Mapping[int, Facts] = NO_FACTS,
) -> bool:
    """Store answers of a chunk, and complete it (`done`) or else renew its lease.

    With them, the `facts` of their puzzles are stored, given by id.  Returns False, and stores
    nothing, if the chunk is done already, or, without `done`, if the lease was taken over.  Puzzles
    that have an answer keep it, so a repeated call is harmless.
    """
    if done:
        first: Step = (_complete, {"number": lease.chunk_id, "by": worker})
        removal = [publishing.removal(lease.chunk_id)]
    else:
        first, removal = (_store_some, _token(lease)), []
    held, new, *rest = together(
        connection, first, table.new_ids(connection), *answers.lookups(found.id), *removal
    )
    if not held:
        return False
    before = answers.of_ids(found.id, rest)  # a removal returns no rows
    fresh = found.without(before) if before else found
    ids = [id_ for (id_,) in new]
    given = (lease.batch_id, fresh, worker, lease.attempt, held[0][0], ids, facts)
    answers.add(connection, *given)
    if fresh.id and not done:
        more = {"number": lease.chunk_id, "more": len(fresh.id)}
        connection.execute(_count_answered, more)
    return True
