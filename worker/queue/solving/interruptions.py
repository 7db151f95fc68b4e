"""What the holder of a lease does at regular times: it renews the lease and looks for cancellation.

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
from worker.queue.backoff import retrying
from worker.queue.solving.context import Clock, Context

T = TypeVar("T")

#: seconds between two reads of the batch's cancellation
CANCEL_POLL_SECONDS = 1.0


class End(StrEnum):
    """How an attempt at a chunk or a part ended."""

    DONE = "done"  #: all puzzles of the chunk have an answer, or nothing is left of the part
    RELEASED = "released"  #: at a shutdown or after a turn; the attempt does not count
    CANCELLED = "cancelled"  #: its batch was cancelled
    OVERTAKEN = "overtaken"  #: another worker took over the lease or finished the chunk
    SPLIT = "split"  #: it ended processes: its puzzles are in smaller chunks
    FAILED = "failed"  #: the solver failed on the part


class Stop(Exception):
    """The attempt must end before its chunk is done."""

    def __init__(self, end: End) -> None:
        super().__init__(end)
        self.end = end


class Interruptions:
    """What may end an attempt from outside: this process must stop, or the batch is cancelled."""

    def __init__(self, context: Context, batch_id: int) -> None:
        self._engine = context.engine
        self._batch_id = batch_id
        self._must_stop = context.must_stop
        self._poll = Timer(CANCEL_POLL_SECONDS, context.clock)

    def look(self) -> End | None:
        """Return how the attempt must end now; None if it need not."""
        if self._must_stop():
            return End.RELEASED
        if self._poll.over:
            self._poll.restart()
            if self._is_cancelled():
                return End.CANCELLED
        return None

    def _is_cancelled(self) -> bool:
        def is_cancelled() -> bool:
            with read(self._engine, single=True) as connection:
                return batches.find(connection, self._batch_id).cancelled_at is not None

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


def retried_write(
    engine: Engine,
    step: Callable[[Connection], T],
    *,
    single: bool = False,
    pipelined: bool = False,
) -> T:
    """Return `step`'s result from a transaction of its own, repeated while errors are transient.

    The connection may break after the commit, so doing a step twice must have the effect of doing
    it once.  `single` and `pipelined` are those of
    `storage.database.write`.
    """

    def once() -> T:
        with write(engine, single=single, pipelined=pipelined) as connection:
            return step(connection)

    return retrying(once)
