"""One turn at a part of a search: lease it, search it for about a second, store what that brought.

What is left of the part then waits for its next turn like any chunk, so no search keeps a process
from other batches, and a process that dies loses no more than a turn.  A part that is suspect is
searched in a process of its own until its next turn is stored.

As with a chunk, nothing is stored if the lease was taken over.  Then the turn is lost, and the
worker that has the lease does it again.
"""

import logging
from collections.abc import Callable

from sqlalchemy import Connection

from storage.database import read
from storage.errors import StorageError
from storage.outbox import leases
from storage.searches import candidates, parts, turns
from storage.searches.parts import PartLease
from storage.searches.totals import Goal
from storage.values import Gain
from worker.attempt import dividing, isolation
from worker.attempt.context import Context, End, Interruptions, News, Stop
from worker.errors import RedisUnreachable, SolverFailed
from worker.estimate.remaining import progress
from worker.outcome import Fixed, Known, Turn

logger = logging.getLogger(__name__)


def take_turn(context: Context, chunk_id: int, packed: str) -> bool:
    """Search the part whose text is `packed` for one turn; return False if it cannot be leased.

    It returns and raises in the same cases as `attempt`.
    """
    taken = context.write(
        lambda connection: parts.take(connection, chunk_id, packed, context.worker)
    )
    if taken is None:
        return False
    _LeasedPart(context, taken).run()
    return True


class _LeasedPart:
    """A part that this process holds a lease on, for one turn."""

    def __init__(self, context: Context, taken: PartLease) -> None:
        self._taken = taken
        self._incumbent = SharedIncumbent(context, taken)
        self._context = context
        self._processes = context.processes()
        self._interruptions = Interruptions(context, taken.lease.batch_id)
        self._renewal = context.renewal(taken.lease)

    def run(self) -> None:
        """Search the part for a turn, store what that brought, and log how the turn ended."""
        clock, taken = self._context.clock, self._taken
        began, end, turn = clock(), End.OVERTAKEN, Turn(0, 0, 0, 0, (), None)
        try:
            turn = self._search()
            if self._end(turn, clock() - began):
                end = End.RELEASED if turn.frontier else End.DONE
        except SolverFailed as error:
            logger.exception("part of puzzle %d", taken.puzzle.id)
            if self._fail(str(error), clock() - began):
                end = End.FAILED
        except Stop as stop:
            end = stop.end
        logger.info(
            "chunk=%d batch=%d attempt=%d end=%s puzzle=%d solutions=%d nodes=%d seconds=%.3f",
            *(taken.lease.chunk_id, taken.lease.batch_id, taken.lease.attempt, end),
            *(taken.puzzle.id, turn.found, turn.nodes, clock() - began),
        )

    def _search(self) -> Turn:
        """Return what a turn brings; raises SolverFailed, and Stop as the checks do."""
        taken, solver = self._taken, self._context.solver(self._taken.lease)
        given = (taken.puzzle.text, taken.setup, taken.levels, self._seconds())
        known = Known(*taken.known) if taken.known else None
        if not taken.lease.is_suspect:
            return solver.turn(*given, self._incumbent, self._must_end, known)
        fixed = Fixed(taken.best)  # a child process must not use our connections
        return isolation.solved(
            lambda: solver.turn(*given, fixed, lambda: False, known), solver.silence, self._check
        )

    def _seconds(self) -> float:
        """Return how long the turn is to last, as far as the search's time limit allows it."""
        usual, database = self._context.settings.turn, self._context.engine.dialect.name
        wanted = dividing.turn_seconds(usual, self._processes, self._taken.open, database)
        return max(0.0, min(wanted, self._taken.seconds))

    def _must_end(self) -> bool:
        """Return whether the turn must end before its time; called several times a second.

        That is so when it has found a better score, too: the others know it only when it is stored.
        Raises Stop if the lease was taken over.
        """
        self._keep_lease()
        return self._incumbent.is_improved or self._interruptions.look() is not None

    def _check(self) -> None:
        """Raise Stop if the turn must end, and release the part; what was found is then lost."""
        self._keep_lease()
        if end := self._interruptions.look():
            self._context.write(lambda connection: leases.release(connection, self._taken.lease))
            raise Stop(end)

    def _keep_lease(self) -> None:
        """Renew the lease if it is time to."""
        if not self._renewal.over:
            return
        if not self._context.write(lambda connection: leases.renew(connection, self._taken.lease)):
            raise Stop(End.OVERTAKEN)
        self._renewal.restart()

    def _end(self, turn: Turn, seconds: float) -> bool:
        """Store what a turn of `seconds` brought; divide its rest into as many parts as are needed.

        They count for the time limit, so they include what it takes to read and lay out the part.
        Returns False, and stores nothing, if the lease was taken over or the search has ended.
        """
        context, taken = self._context, self._taken
        found = Gain(turn.found, turn.nodes, turn.ns, turn.kept)

        def store(connection: Connection) -> bool:
            given = (connection, taken.lease.batch_id, self._processes, taken.puzzle.id)
            rest = turn.frontier.split(dividing.wanted(*given)) if turn.frontier else ()
            return turns.end(
                *(connection, taken, found, rest),
                worker=context.worker,
                seconds=seconds,
                following=context.following,
                prediction=progress,
            )

        is_stored = context.write(store)
        if is_stored:
            self._incumbent.announce()
        return is_stored

    def _fail(self, detail: str, seconds: float) -> bool:
        """Store why the part cannot be searched; return False as `_end` does."""
        given, worker = (self._taken, detail), self._context.worker
        return self._context.write(
            lambda connection: turns.fail(connection, *given, worker=worker, seconds=seconds)
        )


class SharedIncumbent:
    """The best score so far of a search that has other parts in other processes.

    The database has the truth: a score prunes other parts only after it was stored with its
    solution, because what a process found that dies before is searched again, and must then be
    found again.  News are hints: a turn reads the database again when a better score is announced.
    """

    def __init__(self, context: Context, taken: PartLease) -> None:
        #: this turn has found a better one, which the other parts know only after the turn
        self.is_improved = False
        goal = Goal.of(taken.lease.options, taken.setup)
        self._engine = context.engine
        self._news = context.news if goal.pruned else None
        self._search = taken.puzzle.id
        self._keep = goal.keep
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
