"""A chunk under lease: stores its answers, renews the lease, and checks whether to stop."""

import logging
from collections.abc import Sequence
from typing import NoReturn

from sqlalchemy import Connection

from storage.database import read, write
from storage.outbox import leases, recovery
from storage.outbox.leases import Lease
from storage.searches import turns, waiting
from storage.searches.totals import Terms
from storage.values import Answers, Found, Puzzle, Searched
from worker.estimate.rest import estimate_rest
from worker.options import Options
from worker.queue.backoff import retrying
from worker.queue.solving import pieces, policy
from worker.queue.solving.context import Context
from worker.queue.solving.interruptions import End, Interruptions, Stop, Timer, retried_write
from worker.queue.solving.solver import Lasting, Results, Solver

logger = logging.getLogger(__name__)

#: seconds after which a chunk is released between two puzzles if chunks of other batches wait
MAX_TURN_SECONDS = 2.0


class LeasedChunk:
    """A chunk that this process holds a lease on.

    Methods that write raise Stop(End.OVERTAKEN) if the lease was taken over; the answers that were
    to be stored are then dropped, because the other worker stores its own.
    """

    def __init__(self, context: Context, lease: Lease, puzzles: int) -> None:
        self.lease = lease
        self.answered = 0  #: puzzles whose answers were stored
        self.divided = 0  #: puzzles whose search was divided into parts
        self._context = context
        self._left = puzzles  #: puzzles without a result
        self._budget = self._find_budget()
        self._pending: list[Answers] = []
        self._turn = Timer(MAX_TURN_SECONDS, context.clock)
        self._interruptions = Interruptions(context, lease.batch_id)
        self._renewal = Timer(context.settings.renewal / 2, context.clock)

    @property
    def solver(self) -> Solver:
        """The solver for the puzzles of the chunk."""
        return self._context.solver(self.lease, self._budget)

    def add(self, found: Results) -> None:
        """Keep answers for the next transaction; divide the searches that have lasted into parts.

        The chunk is then released with the puzzles that are left, so that the parts are published.
        """
        self._left -= found.puzzles
        self._pending.append(found.answers)
        for lasting in found.lasting:
            self._divide(lasting)
        if found.lasting and self._left:
            self.release()
            raise Stop(End.RELEASED)

    def check(self, *, answered: bool = False) -> None:
        """Store answers and renew the lease if it is time to; raise Stop if the attempt must end.

        Call it several times a second.  A turn ends if chunks of other batches wait, and only after
        an answer (`answered`): a puzzle that takes longer than a turn would otherwise be started
        again for ever.
        """
        end = self._interruptions.look()
        if end is End.RELEASED or (answered and self._must_give_way()):
            self.release()
            raise Stop(End.RELEASED)
        if end is not None:
            self.commit()
            raise Stop(end)
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
        with write(self._context.engine, single=True) as connection:
            leases.release(connection, lease.chunk_id, lease.attempt)

    def split(self, puzzles: Sequence[Puzzle]) -> NoReturn:
        """Put the puzzles that are left into smaller chunks, which ends this one."""
        done = retried_write(
            self._context.engine, lambda connection: recovery.split(connection, self.lease, puzzles)
        )
        raise Stop(End.SPLIT if done else End.OVERTAKEN)

    def _must_give_way(self) -> bool:
        """Return whether the turn is over; begin the next one if no other batch waits."""
        if not self._turn.over:
            return False
        self._turn.restart()
        return retrying(self._others_wait)

    def _others_wait(self) -> bool:
        with read(self._context.engine, single=True) as connection:
            return waiting.others(connection, self.lease.batch_id)

    def _find_budget(self) -> float:
        """Return the seconds after which a search is divided: few if other processes are free.

        A search for the best score is divided later, because it takes turns with a decision
        diagram until then; and one of many puzzles is rarely alone.
        """
        usual, lease = self._context.settings.budget, self.lease
        if self._left > 1 or Terms.of(lease.options).pruned:
            return usual
        processes = self._context.processes()
        return policy.budget(usual, processes, retrying(lambda: self._count_waiting(processes)))

    def _count_waiting(self, most: int) -> int:
        with read(self._context.engine, single=True) as connection:
            return waiting.in_queue(connection, self.lease.batch_id, most)

    def _divide(self, lasting: Lasting) -> None:
        """Store what was found of a puzzle so far, and the rest of its search as parts."""
        context, processes = self._context, self._context.processes()
        (puzzle, outcome, rest), lease = lasting, self.lease
        used_up = context.clock()
        estimate = self._estimate(lasting)
        seconds = self._budget + context.clock() - used_up
        searched = Searched(outcome.kind, outcome.size, outcome.clues, rest.setup, estimate)
        # Their number is unknown where worse ones were pruned, but some were found.
        solutions = len(rest.kept) if outcome.solutions is None else outcome.solutions
        found = Found(solutions, outcome.nodes, outcome.ns, rest.kept)

        def cut(connection: Connection) -> bool:
            made = rest.frontier.split(pieces.wanted(connection, lease.batch_id, processes))
            return turns.cut(
                connection,
                lease,
                puzzle,
                searched,
                found,
                made,
                worker=context.worker,
                seconds=seconds,
                prediction=context.prediction,
            )

        if not retried_write(context.engine, cut):
            raise Stop(End.OVERTAKEN)
        self.divided += 1

    def _estimate(self, lasting: Lasting) -> str | None:
        """Return the estimated nodes of a search, encoded; None if they are not known.

        Where scores prune, they depend on the best score that will be found.
        """
        (puzzle, _, rest), options = lasting, Options.from_json(self.lease.options)
        if options.target and not options.every:
            return None
        try:
            found = estimate_rest(self.lease.kind, puzzle.text, options, rest.setup)
        except Exception:  # the search does not need it
            logger.exception("puzzle %d cannot be estimated", puzzle.id)
            return None
        return None if found is None else found.encode()

    def _store(self, *, done: bool) -> None:
        found, worker = Answers.joined(self._pending), self._context.worker

        def store(connection: Connection) -> bool:
            return leases.store_answers(connection, self.lease, found, worker, done=done)

        self._pending = []
        if not retried_write(self._context.engine, store, pipelined=True):
            raise Stop(End.OVERTAKEN)
        self.answered += len(found.id)
        self._renewal.restart()
