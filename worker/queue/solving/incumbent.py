"""The best score of a search so far, as the turn of one of its parts knows it.

The database has the truth: a score prunes other parts only after it was stored with its solution,
because what a process found that dies before is searched again, and must then be found again.
Redis has the news: a turn reads the database again when a better score is announced there.
"""

from collections.abc import Callable

from sqlalchemy import Engine

from storage.database import read
from storage.errors import StorageError
from storage.searches import candidates
from storage.searches.parts import PartLease
from storage.searches.totals import Terms
from worker.errors import RedisUnreachable
from worker.queue.solving.context import News


class Shared:
    """The incumbent of a part whose search has other parts in other processes."""

    def __init__(self, engine: Engine, news: News, taken: PartLease) -> None:
        #: this turn has found a better one, which the other parts know only after the turn
        self.is_improved = False
        terms = Terms.of(taken.lease.options)
        self._engine = engine
        self._news = news if terms.pruned else None
        self._search = taken.puzzle.id
        self._keep = terms.keep
        self._best = taken.best

    def best(self) -> int | None:
        """Return the score that a solution must exceed to be wanted; None if any is wanted."""
        announced = self._ask(lambda news: news.announced(self._search))
        if announced is not None and (self._best is None or announced > self._best):
            self._best = self._stored()
        return self._best

    def offer(self, score: int) -> None:
        """Note that this turn has found solutions with this score."""
        self.is_improved |= self._best is None or score > self._best

    def announce(self) -> None:
        """Announce a better score; to be called after the solutions of this turn are stored."""
        if not self.is_improved:
            return
        best = self._stored()
        if best is not None:
            self._ask(lambda news: news.announce(self._search, best))

    def _ask(self, question: Callable[[News], int | None]) -> int | None:
        """Return the answer of Redis; after an error it is not asked again in this turn."""
        if self._news is None:
            return None
        try:
            return question(self._news)
        except RedisUnreachable:
            self._news = None
            return None

    def _stored(self) -> int | None:
        try:
            with read(self._engine) as connection:
                return candidates.worst_score(connection, self._search, self._keep)
        except StorageError:  # a score that is too low is safe
            return self._best
