"""A chunk under lease: stores its answers, renews the lease, and checks whether to stop.

Delivery is at least once, so two workers may solve the same chunk.  The answers are stored once
nevertheless: each lease has a fencing token, the attempt number, and a transaction stores nothing
if the row of the chunk has another token by then.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from sqlalchemy import Connection, Engine

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.values import Answers
from worker.queue import shutdown
from worker.queue.backoff import retrying
from worker.settings import Settings

T = TypeVar("T")
Clock = Callable[[], float]

#: seconds between two reads of the batch's cancellation
CANCEL_POLL_SECONDS = 1.0
#: seconds after which a chunk is released between two puzzles, so that other batches have a turn
MAX_TURN_SECONDS = 120.0


class End(StrEnum):
    """How an attempt at a chunk ended."""

    DONE = "done"  #: all its puzzles have an answer
    RELEASED = "released"  #: at a shutdown, or after MAX_TURN_SECONDS; the attempt does not count
    CANCELLED = "cancelled"  #: its batch was cancelled
    OVERTAKEN = "overtaken"  #: another worker took over the lease or finished the chunk


class Stop(Exception):
    """The attempt must end before its chunk is done."""

    def __init__(self, end: End) -> None:
        super().__init__(end)
        self.end = end


class LeasedChunk:
    """A chunk that this process holds a lease on.

    Methods that write raise Stop(End.OVERTAKEN) if the lease was taken over; the answers that were
    to be stored are then dropped, because the other worker stores its own.
    """

    def __init__(
        self, engine: Engine, lease: Lease, worker: str, settings: Settings, clock: Clock
    ) -> None:
        self.lease = lease
        self.answered = 0  #: puzzles whose answers were stored
        self._engine = engine
        self._worker = worker
        self._pending: list[Answers] = []
        self._turn = Timer(MAX_TURN_SECONDS, clock)
        self._cancel_poll = Timer(CANCEL_POLL_SECONDS, clock)
        self._renewal = Timer(settings.renewal / 2, clock)

    def add(self, found: Answers) -> None:
        """Keep answers for the next transaction."""
        self._pending.append(found)

    def check(self, *, answered: bool = False) -> None:
        """Store answers and renew the lease if it is time to; raise Stop if the attempt must end.

        Call it several times a second.  The turn ends only after an answer (`answered`): a puzzle
        that takes longer than a turn would otherwise be started again for ever.
        """
        if shutdown.begun() or (answered and self._turn.over):
            self.release()
            raise Stop(End.RELEASED)
        if self._cancel_poll.over:
            self._cancel_poll.restart()
            if self._cancelled():
                self.commit()
                raise Stop(End.CANCELLED)
        if self._renewal.over:
            self.commit()

    def commit(self) -> None:
        """Store the answers so far and renew the lease."""
        self._store(done=False)

    def complete(self) -> None:
        """Store the last answers and mark the chunk as done, in one transaction."""
        self._store(done=True)

    def release(self) -> None:
        """Store the answers so far and give up the lease; the attempt does not count."""
        self.commit()
        lease = self.lease
        with write(self._engine) as connection:
            leases.release(connection, lease.chunk_id, lease.attempt)

    def note_begun(self, puzzle_id: int) -> None:
        """Store which puzzle is solved next, so that it is known if it ends this process."""
        lease = self.lease

        def note(connection: Connection) -> bool:
            return leases.note_begun(connection, lease.chunk_id, lease.attempt, puzzle_id)

        if not retried_write(self._engine, note):
            raise Stop(End.OVERTAKEN)

    def _store(self, *, done: bool) -> None:
        found = Answers.joined(self._pending)

        def store(connection: Connection) -> bool:
            return leases.store_answers(connection, self.lease, found, self._worker, done=done)

        self._pending = []
        if not retried_write(self._engine, store):
            raise Stop(End.OVERTAKEN)
        self.answered += len(found.id)
        self._renewal.restart()

    def _cancelled(self) -> bool:
        def is_cancelled() -> bool:
            with read(self._engine) as connection:
                return batches.find(connection, self.lease.batch_id).cancelled_at is not None

        try:
            return retrying(is_cancelled)
        except NoSuchBatch:  # it was cancelled and deleted
            return True


class Timer:
    """A timer of `seconds`, which starts when it is made."""

    def __init__(self, seconds: float, clock: Clock = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """Start the timer again."""
        self._start = self._clock()

    @property
    def over(self) -> bool:
        """Whether more than `seconds` have passed since the start."""
        return self._clock() - self._start > self._seconds


def retried_write(engine: Engine, step: Callable[[Connection], T]) -> T:
    """Return `step`'s result from a transaction of its own, repeated while errors are transient.

    The connection may break after the commit, so doing a step twice must have the effect of doing
    it once.
    """

    def once() -> T:
        with write(engine) as connection:
            return step(connection)

    return retrying(once)
