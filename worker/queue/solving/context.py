"""What all attempts of a process have in common."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Protocol

from sqlalchemy import Engine

from storage.outbox.leases import Lease
from storage.searches.turns import Following, Prediction
from worker.estimate.remaining import progress
from worker.options import Options
from worker.outcome import Search, SearchPart
from worker.queue import shutdown
from worker.queue.solving.solver import Solver
from worker.settings import Settings
from worker.solve import following_round, search, search_part

#: returns the time in seconds
Clock = Callable[[], float]


class News(Protocol):
    """Where the processes of a queue announce better scores: hints that may be old, lost or wrong.

    Both methods may raise RedisUnreachable.
    """

    def announced(self, search_id: int) -> int | None:
        """Return the score that was announced last for a search; None if there is none."""

    def announce(self, search_id: int, score: int) -> None:
        """Announce a score that the database has stored."""


class NoNews:
    """No announcements, for processes without Redis: they read the database once per turn."""

    def announced(self, search_id: int) -> int | None:
        """Return None."""

    def announce(self, search_id: int, score: int) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Context:
    """The database, the solver and the settings of a process that solves chunks."""

    engine: Engine
    worker: str  #: the name that leases and answers record
    settings: Settings
    processes: Callable[[], int]  #: returns how many processes serve the queue
    news: News = NoNews()  # noqa: RUF009 # it has no state
    clock: Clock = time.monotonic
    search: Search = search
    search_part: SearchPart = search_part
    following: Following = following_round  #: what is searched when all parts have ended
    prediction: Prediction = progress
    must_stop: Callable[[], bool] = shutdown.begun  #: whether leased chunks must be given back

    def solver(self, lease: Lease, budget: float = inf) -> Solver:
        """Return the solver for a leased chunk, which divides searches after `budget` seconds."""
        return Solver(
            lease.kind,
            Options.from_json(lease.options),
            self.settings.silence,
            budget,
            self.search,
            self.search_part,
        )
