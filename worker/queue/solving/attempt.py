"""One attempt at a chunk: lease it, solve its puzzles, store their answers.

All puzzles are solved in one call of the kernel.  A chunk that is suspect, because processes that
solved it have died, is split into smaller ones, until a poison message, a puzzle that ends every
process that solves it, stands alone: that is solved in quarantine, where its process may die.
"""

import logging
from collections.abc import Sequence
from contextlib import closing

from sqlalchemy import Connection

from storage import answers
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.packing import digest, is_part, unpack
from storage.values import Answers, Puzzle
from worker.errors import SolverFailed
from worker.queue.solving import quarantine
from worker.queue.solving.context import Clock, Context
from worker.queue.solving.interruptions import End, Stop, retried_write
from worker.queue.solving.leased_chunk import LeasedChunk
from worker.queue.solving.solver import Results, Solver
from worker.queue.solving.turn import take_turn

logger = logging.getLogger(__name__)


def attempt(context: Context, chunk_id: int, packed: str) -> bool:
    """Solve the chunk whose puzzles are `packed`; return False if it cannot be leased.

    That is so if it is done or under another lease, if its batch is cancelled, or if its row has
    other puzzles.  While the database cannot be used the attempt waits; only during a shutdown does
    it raise the database's error.  A chunk that is a part of a search is searched for one turn.
    """
    if is_part(packed):
        return take_turn(context, chunk_id, packed)
    leased = retried_write(
        context.engine,
        lambda connection: _lease(connection, context, chunk_id, packed),
        single=True,
    )
    if leased is None:
        return False
    lease, puzzles = leased
    _run(LeasedChunk(context, lease, len(puzzles)), puzzles, context.clock)
    return True


def _lease(
    connection: Connection, context: Context, chunk_id: int, packed: str
) -> tuple[Lease, list[Puzzle]] | None:
    """Lease the chunk; return the lease and the puzzles that have no answer yet."""
    by, seconds = context.worker, context.settings.lease
    lease = leases.take(connection, chunk_id, by, seconds, digest=digest(packed))
    if lease is None:
        return None
    puzzles = unpack(packed)
    if lease.left == len(puzzles):
        return lease, puzzles
    before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
    return lease, [puzzle for puzzle in puzzles if puzzle.id not in before]


def _run(chunk: LeasedChunk, puzzles: Sequence[Puzzle], clock: Clock) -> None:
    """Solve the puzzles until all have an answer or the attempt must end, and log how it ended."""
    began, end, solver = clock(), End.DONE, chunk.solver
    solve_all = _solve_suspects if chunk.lease.is_suspect else _solve_together
    try:
        solve_all(chunk, solver, puzzles)
        chunk.complete()
    except Stop as stop:
        end = stop.end
    logger.info(
        "chunk=%d batch=%d attempt=%d end=%s answered=%d divided=%d seconds=%.3f",
        chunk.lease.chunk_id,
        chunk.lease.batch_id,
        chunk.lease.attempt,
        end,
        chunk.answered,
        chunk.divided,
        clock() - began,
    )


def _solve_together(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    answered = 0
    try:
        with closing(solver.run(puzzles)) as slices:
            for found in slices:
                answered += found.puzzles
                chunk.add(found)
                chunk.check(answered=bool(found.puzzles))
    except SolverFailed as error:
        _solve_halves(chunk, solver, puzzles[answered:], error)


def _solve_halves(
    chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle], error: SolverFailed
) -> None:
    """Solve the halves of puzzles on one of which the solver failed with `error`."""
    if len(puzzles) > 1:
        middle = len(puzzles) // 2
        for half in (puzzles[:middle], puzzles[middle:]):
            _solve_together(chunk, solver, half)
        return
    (puzzle,) = puzzles
    logger.error("puzzle %d: %s", puzzle.id, error, exc_info=error)
    chunk.add(Results(Answers.of([solver.failed(puzzle, str(error))])))


def _solve_suspects(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """Solve a single puzzle in quarantine; split a chunk with more."""
    if len(puzzles) > 1:
        chunk.split(puzzles)
    for puzzle in puzzles:
        chunk.add(quarantine.solve(solver, puzzle, chunk.check))
