"""What all attempts of a process have in common, and what may end one from outside.

Delivery is at least once, so two workers may solve the same chunk.  The answers are stored once
nevertheless: each lease has a fencing token, the attempt number, and a transaction stores nothing
if the row of the chunk has another token by then.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox.leases import Lease
from storage.searches.turns import Following
from worker import outages
from worker.attempt.solver import Solver
from worker.options import Options
from worker.outages import retrying
from worker.outcome import Search, SearchPart
from worker.settings import Settings
from worker.solve import following_round, search, search_part

T = TypeVar("T")
#: returns the time in seconds
Clock = Callable[[], float]

#: seconds between two reads of whether the batch is cancelled or paused
CANCEL_POLL_SECONDS = 1.0


class News(Protocol):
    """Where the processes of a queue announce better scores: hints that may be old, lost or wrong.

    Both methods may raise RedisUnreachable.
    """

    def announced(self, search_id: int) -> int | None:
        """Return the score that was announced last for a search; None if there is none."""

    def announce(self, search_id: int, score: int) -> None:
        """Announce a score that the database has stored."""


@dataclass(frozen=True, slots=True)
class Context:
    """The database, the solver and the settings of a process that solves chunks."""

    engine: Engine
    worker: str  #: the name that leases and answers record
    settings: Settings
    processes: Callable[[], int]  #: returns how many processes serve the queue
    news: News | None = None  #: None without Redis: the database is read once per turn
    clock: Clock = time.monotonic
    search: Search = search
    search_part: SearchPart = search_part
    following: Following = following_round  #: what is searched when all parts have ended
    must_stop: Callable[[], bool] = outages.is_ending  #: whether leased chunks must be given back

    def solver(self, lease: Lease, budget: float = inf) -> Solver:
        """Return the solver for a leased chunk, which divides searches after `budget` seconds."""
        options = Options.from_json(lease.options)
        given = (self.settings.silence, budget, self.search, self.search_part)
        return Solver(lease.kind, options, *given)

    def read(self, query: Callable[[Connection], T]) -> T:
        """Return the result of a single statement, repeated while errors are transient."""

        def once() -> T:
            with read(self.engine, single=True) as connection:
                return query(connection)

        return retrying(once)

    def write(
        self, step: Callable[[Connection], T], *, single: bool = False, pipelined: bool = False
    ) -> T:
        """Return `step`'s result from a transaction of its own, repeated as `read` does.

        The connection may break after the commit, so doing a step twice must have the effect of
        doing it once.  `single` and `pipelined` are those of `storage.database.write`.
        """

        def once() -> T:
            with write(self.engine, single=single, pipelined=pipelined) as connection:
                return step(connection)

        return retrying(once)

    def renewal(self, lease: Lease) -> "Timer":
        """Return a timer of the seconds after which a lease is renewed, long before it expires."""
        return Timer(min(self.settings.renewal, lease.seconds / 2) / 2, self.clock)


class End(StrEnum):
    """How an attempt at a chunk or a part ended."""

    DONE = "done"  #: all puzzles of the chunk have an answer, or nothing is left of the part
    RELEASED = "released"  #: at a shutdown, a pause or after a turn; the attempt does not count
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
    """What may end an attempt from outside: a shutdown, or its batch is cancelled or paused."""

    def __init__(self, context: Context, batch_id: int) -> None:
        self._context = context
        self._batch_id = batch_id
        self._poll = Timer(CANCEL_POLL_SECONDS, context.clock)

    def look(self) -> End | None:
        """Return how the attempt must end now; None if it need not."""
        if self._context.must_stop():
            return End.RELEASED
        if not self._poll.over:
            return None
        self._poll.restart()
        try:
            batch = self._context.read(lambda connection: batches.find(connection, self._batch_id))
        except NoSuchBatch:  # it was cancelled and deleted
            return End.CANCELLED
        if batch.cancelled_at is not None:
            return End.CANCELLED
        return End.RELEASED if batch.paused else None


class Timer:
    """A timer of `seconds`, which starts when it is made."""

    def __init__(self, seconds: float, clock: Clock) -> None:
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
