"""The outbox: publish new chunks while few wait in Redis, and publish lost ones again.

Redis holds only as many chunks as keep the workers busy, because it delivers them in the order in
which they were sent, those that cost least before the others: a chunk of a new batch waits for all
that are in Redis, a small batch for the chunks that are being solved.  Each process publishes the
next chunks when it has finished one.  None is published while more than half of them wait, so that
small batches cannot keep the others waiting for ever.

The state of a chunk is in its row; its message holds only its id.  Rows are claimed by
compare-and-set before their messages are sent, so two processes that publish at the same time never
send a chunk twice.
A crash between claim and send leaves a chunk that is marked as sent without a message; a later
sweep finds it.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from sqlalchemy import Engine

from storage.database import database_id, read, write
from storage.errors import StorageError
from storage.outbox import publishing, recovery
from storage.outbox.publishing import MAX_CLAIMED_CHUNKS, Chunk
from storage.tables import LEAST_COST
from worker.errors import RedisUnreachable
from worker.queue.carrier import Carrier
from worker.settings import Settings

#: seconds after which a sweep claims no more and leaves the rest to the next one.  A worker handles
#: no signal during a sweep, and the chunks that a sweep sends must not look lost before it ends.
MAX_SWEEP_SECONDS = 2.0
#: chunks that wait in Redis for each process of the live workers
WAITING_PER_PROCESS = 3
#: seconds between two reads of the number of live processes
PROCESSES_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Outbox:
    """What publishing needs: the database, Redis and the settings of one queue."""

    engine: Engine
    carrier: Carrier
    settings: Settings


def queue_of(settings: Settings, engine: Engine) -> str:
    """Return the name of the queue that workers on this database serve."""
    if settings.queue:
        return settings.queue
    with read(engine) as connection:
        return f"bullseye-{database_id(connection)}"  # the id is random and unique


def open_outbox(settings: Settings, engine: Engine) -> Outbox:
    """Return an outbox that publishes chunks of this database into its queue."""
    return Outbox(engine, Carrier.connect(settings.redis_url, queue_of(settings, engine)), settings)


def postponed(error: RedisUnreachable | StorageError) -> str:
    """Return what to tell the user if a stored batch cannot be published yet."""
    what = "Redis" if isinstance(error, RedisUnreachable) else "the database"
    return f"{error}\nthe batch is stored and will be solved when {what} is back"


def publish(outbox: Outbox, seconds: float = inf, most: int = MAX_CLAIMED_CHUNKS) -> int:
    """Publish up to `most` new chunks if few wait in Redis, and return their number.

    After `seconds` no more are claimed.  Raises RedisUnreachable; chunks that were claimed but not
    sent are then new again.
    """
    end = time.monotonic() + seconds
    wanted, published = _wanted(outbox.carrier, most), 0
    while published < wanted and time.monotonic() <= end:
        left = wanted - published
        claimed = publishing.claim(outbox.engine, outbox.carrier.queue, outbox.settings.room, left)
        if not claimed:
            break
        published += _send(outbox, claimed)
    return published


def _wanted(carrier: Carrier, most: int) -> int:
    """Return how many chunks to publish: none while half of those that should wait do so."""
    target = WAITING_PER_PROCESS * _processes(carrier, int(time.monotonic() / PROCESSES_SECONDS))
    waiting = carrier.waiting()
    return min(target - waiting, most) if waiting <= target // 2 else 0


@lru_cache(maxsize=1)
def _processes(carrier: Carrier, _period: int) -> int:
    """Return the number of live processes, which is read once in each period.

    Publishing runs after every chunk, and reading their number takes longer than all the rest of it
    when no chunk is needed.
    """
    return carrier.processes()


def sweep(
    outbox: Outbox, seconds: float = MAX_SWEEP_SECONDS, most: int = MAX_CLAIMED_CHUNKS
) -> int:
    """Publish lost chunks again, then new ones, and return their number; retire finished batches.

    Lost chunks are claimed `most` at a time; after `seconds` no more are claimed.  Raises
    RedisUnreachable as `publish` does.

    If there is nothing to do, it does not wait for the write lock of SQLite, because the main
    process of a worker delivers no message meanwhile.
    """
    end = time.monotonic() + seconds
    idle, drained = outbox.carrier.depth() == 0, outbox.carrier.waiting() == 0
    swept = 0
    while claimed := _claim_lost(outbox, most, idle=idle, drained=drained):
        swept += _send(outbox, claimed)
        if time.monotonic() > end:
            return swept
    _retire(outbox)
    return swept + publish(outbox, end - time.monotonic())


def _claim_lost(outbox: Outbox, most: int, *, idle: bool, drained: bool) -> list[Chunk]:
    with read(outbox.engine) as connection:
        lost = recovery.lost(connection, outbox.carrier.queue, idle=idle, drained=drained)[:most]
    if not lost:
        return []
    with write(outbox.engine) as connection:
        return publishing.claim_unchanged(connection, lost)


def _retire(outbox: Outbox) -> None:
    queue = outbox.carrier.queue
    with read(outbox.engine, single=True) as connection:
        finished = publishing.finished(connection, queue)
    if finished:
        with write(outbox.engine) as connection:
            publishing.retire(connection, queue)


def _send(outbox: Outbox, claimed: Sequence[Chunk]) -> int:
    try:
        behind = {chunk.id for chunk in claimed if chunk.cost > LEAST_COST}
        outbox.carrier.send({chunk.id: chunk.puzzles for chunk in claimed}, behind)
    except RedisUnreachable:
        with write(outbox.engine) as connection:
            publishing.mark_unsent(connection, [chunk.id for chunk in claimed])
        raise
    return len(claimed)
