"""One attempt at a chunk: lease it, solve its puzzles, store their answers.

All puzzles are solved in one call of the kernel.  A chunk that is suspect, because processes that
solved it have died, is split into smaller ones, until a puzzle that ends every process that solves
it stands alone: that is solved in a child process, which may die.
"""

import logging
from contextlib import closing
from functools import partial
from typing import NoReturn

from sqlalchemy import Connection

from storage import answers
from storage.outbox import leases, recovery, stride
from storage.outbox.leases import Lease
from storage.packing import digest, is_part, unpack
from storage.searches import turns
from storage.searches.totals import Goal
from storage.tables import FULL_COST, LEAST_COST
from storage.values import Answers, Facts, Gain, Puzzles, Searched, slices
from worker.attempt import dividing, isolation
from worker.attempt.context import Context, End, Interruptions, Stop, Timer
from worker.attempt.part import take_turn
from worker.attempt.solver import Lasting, Results
from worker.errors import SolverFailed
from worker.estimate.estimate import estimate_rest
from worker.estimate.remaining import progress
from worker.options import Options

#: seconds after which a chunk is released between two puzzles if chunks of other batches wait, and
#: if small ones do: releasing it and taking it again costs about 40 ms
MAX_TURN_SECONDS, SHORT_TURN_SECONDS = 2.0, 0.5

logger = logging.getLogger(__name__)


def attempt(context: Context, chunk_id: int, packed: str) -> bool:
    """Solve the chunk whose puzzles are `packed`; return False if it cannot be leased.

    That is so if it is done or under another lease, if its batch is cancelled or paused, or if its
    row has other puzzles.  While the database cannot be used the attempt waits; only during a
    shutdown does it raise the database's error.  A chunk that is a part of a search is searched for
    one turn.
    """
    if is_part(packed):
        return take_turn(context, chunk_id, packed)
    leased = context.write(
        lambda connection: _lease(connection, context, chunk_id, packed), single=True
    )
    if leased is None:
        return False
    _LeasedChunk(context, *leased).run()
    return True


def _lease(
    connection: Connection, context: Context, chunk_id: int, packed: str
) -> tuple[Lease, Puzzles] | None:
    """Lease the chunk; return the lease and the puzzles that have no answer yet."""
    lease = leases.take(connection, chunk_id, context.worker, digest(packed))
    if lease is None:
        return None
    puzzles = unpack(packed)
    if lease.left == len(puzzles):
        return lease, puzzles
    before = answers.stored(connection, puzzles.ids)
    return lease, puzzles.without({id_ - puzzles.first_id + 1 for id_ in before})


class _LeasedChunk:
    """A chunk that this process holds a lease on.

    Methods that write raise Stop(End.OVERTAKEN) if the lease was taken over; the answers that were
    to be stored are then dropped, because the other worker stores its own.
    """

    def __init__(self, context: Context, lease: Lease, puzzles: Puzzles) -> None:
        self._context = context
        self._lease = lease
        self._puzzles = puzzles
        self._left = len(puzzles)  #: puzzles without a result
        self._answered = 0  #: puzzles whose answers were stored
        self._divided = 0  #: puzzles whose search was divided into parts
        self._pending: list[Answers] = []
        self._facts: dict[int, Facts] = {}  #: of the puzzles whose answers are pending
        self._budget = self._find_budget()
        self._solver = context.solver(lease, self._budget)
        self._turn = Timer(MAX_TURN_SECONDS, context.clock)
        self._short_turn = Timer(SHORT_TURN_SECONDS, context.clock)
        self._interruptions = Interruptions(context, lease.batch_id)
        self._renewal = context.renewal(lease)

    def run(self) -> None:
        """Solve the puzzles until all have an answer or the attempt must end; log how it ended."""
        clock, lease, end = self._context.clock, self._lease, End.DONE
        began = clock()
        try:
            if lease.is_suspect:
                self._solve_suspects()
            else:
                self._solve(self._puzzles)
            self._store(done=True)
        except Stop as stop:
            end = stop.end
        logger.info(
            "chunk=%d batch=%d attempt=%d end=%s answered=%d divided=%d seconds=%.3f",
            *(lease.chunk_id, lease.batch_id, lease.attempt, end),
            *(self._answered, self._divided, clock() - began),
        )

    def _solve(self, puzzles: Puzzles) -> None:
        """Solve puzzles; halve those that are left while the solver fails on one of them."""
        done = 0
        try:
            with closing(self._solver.run(puzzles)) as results:
                for found in results:
                    done += found.puzzles
                    self._add(found)
                    self._check(answered=bool(found.puzzles))
        except SolverFailed as error:
            left = puzzles[done:]
            if len(left) > 1:
                middle = len(left) // 2
                self._solve(left[:middle])
                self._solve(left[middle:])
            else:
                logger.error("puzzle %d: %s", left.ids[0], error, exc_info=error)  # noqa: TRY400
                self._add_failed(left, error)

    def _solve_suspects(self) -> None:
        """Solve a single puzzle in a process of its own; split a chunk with more."""
        if len(self._puzzles) > 1:
            self._split()
        for puzzle in slices(self._puzzles, 1):
            work = partial(self._solver.only, puzzle)
            try:
                found = isolation.solved(work, self._solver.silence, self._check)
            except SolverFailed as error:
                self._add_failed(puzzle, error)
            else:
                self._add(found)

    def _add_failed(self, puzzle: Puzzles, error: SolverFailed) -> None:
        self._add(Results(Answers.of([self._solver.failed(one, str(error)) for one in puzzle])))

    def _add(self, found: Results) -> None:
        """Keep answers for the next transaction; divide the searches that have lasted into parts.

        The chunk is then released with the puzzles that are left, so that the parts are published.
        """
        self._left -= found.puzzles
        self._pending.append(found.answers)
        self._facts |= found.facts
        for lasting in found.lasting:
            self._divide(lasting)
        if found.lasting and self._left:
            self._release()

    def _check(self, *, answered: bool = False) -> None:
        """Store answers and renew the lease if it is time to; raise Stop if the attempt must end.

        Called several times a second.  A turn ends if chunks of other batches wait, and only after
        an answer (`answered`): a puzzle that takes longer than a turn would otherwise be started
        again for ever.
        """
        end = self._interruptions.look()
        if end is End.RELEASED or (answered and self._must_give_way()):
            self._release()
        if end is not None:
            self._store()
            raise Stop(end)
        if self._renewal.over:
            self._store()

    def _must_give_way(self) -> bool:
        """Return whether a turn is over and others wait for it; begin the next one if none does."""
        if not self._short_turn.over:
            return False
        self._short_turn.restart()
        cost = LEAST_COST
        if self._turn.over:
            self._turn.restart()
            cost = FULL_COST
        return self._context.read(
            lambda connection: stride.others_wait(connection, self._lease.batch_id, cost)
        )

    def _find_budget(self) -> float:
        """Return the seconds after which a search is divided: few if other processes are free.

        A search for the best score is divided later, because it takes turns with a decision
        diagram until then; and one of many puzzles is rarely alone.
        """
        usual, lease = self._context.settings.budget, self._lease
        if self._left > 1 or Goal.of(lease.options).pruned:
            return usual
        most = self._context.processes()
        there = self._context.read(
            lambda connection: stride.waiting_chunks(connection, lease.batch_id, most)
        )
        return dividing.budget(usual, most, there)

    def _divide(self, lasting: Lasting) -> None:
        """Store what was found of a puzzle so far, and the rest of its search as parts."""
        context, processes = self._context, self._context.processes()
        (puzzle, outcome, rest), lease = lasting, self._lease
        used_up = context.clock()
        estimate = self._estimate(lasting)
        searched_for = max(self._budget, outcome.ns / 1e9)  # laying out may have taken longer
        seconds = searched_for + context.clock() - used_up
        searched = Searched(outcome.kind, outcome.size, outcome.clues, rest.setup, estimate)
        # Their number is unknown where worse ones were pruned, but some were found.
        solutions = len(rest.kept) if outcome.solutions is None else outcome.solutions
        found = Gain(solutions, outcome.nodes, outcome.ns, rest.kept)
        facts = self._facts.pop(puzzle.id, None)

        def cut(connection: Connection) -> bool:
            parts = rest.frontier.split(dividing.wanted(connection, lease.batch_id, processes))
            given = (connection, lease, puzzle, searched, found, parts)
            done = turns.cut(*given, worker=context.worker, seconds=seconds, prediction=progress)
            if done and facts:
                answers.add_facts(connection, {puzzle.id: facts})
            return done

        if not context.write(cut):
            raise Stop(End.OVERTAKEN)
        self._divided += 1

    def _estimate(self, lasting: Lasting) -> str | None:
        """Return the estimated nodes of a search, encoded; None if they are not known.

        Where scores prune, they depend on the best score that will be found.
        """
        (puzzle, _, rest), options = lasting, Options.from_json(self._lease.options)
        if Goal.of(self._lease.options, rest.setup).pruned:
            return None
        try:
            found = estimate_rest(self._lease.kind, puzzle.text, options, rest.setup)
        except Exception:  # the search does not need it
            logger.exception("puzzle %d cannot be estimated", puzzle.id)
            return None
        return None if found is None else found.encode()

    def _store(self, *, done: bool = False) -> None:
        """Store the answers so far, and renew the lease, or (`done`) complete the chunk."""
        found, worker, facts = Answers.joined(self._pending), self._context.worker, self._facts

        def store(connection: Connection) -> bool:
            given = (connection, self._lease, found, worker)
            return leases.store_answers(*given, done=done, facts=facts)

        self._pending, self._facts = [], {}
        if not self._context.write(store, pipelined=True):
            raise Stop(End.OVERTAKEN)
        self._answered += len(found.id)
        self._renewal.restart()

    def _release(self) -> NoReturn:
        """Store the answers so far and give up the lease; the attempt does not count."""
        self._store()
        self._context.write(lambda connection: leases.release(connection, self._lease), single=True)
        raise Stop(End.RELEASED)

    def _split(self) -> NoReturn:
        """Put the puzzles into smaller chunks, which ends this one."""
        done = self._context.write(
            lambda connection: recovery.split(connection, self._lease, self._puzzles)
        )
        raise Stop(End.SPLIT if done else End.OVERTAKEN)
