"""One attempt at a chunk: lease it, solve its puzzles, store their answers.

The first attempt solves all puzzles in one call of the kernel.  Later ones, after the process of an
earlier one has died, solve one puzzle at a time and note which, so that a poison message, a puzzle
that ends every process that solves it, is found: the puzzle noted at two deaths in a row is solved
in quarantine, where its process may die.
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
    solve_all = _solve_together if chunk.lease.attempt == 1 else _solve_one_by_one
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
        _solve_apart(chunk, solver, puzzles[answered:], error)


def _solve_apart(
    chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle], error: SolverFailed
) -> None:
    """Solve puzzles one by one after the solver failed on one of them with `error`."""
    if len(puzzles) > 1:
        for puzzle in puzzles:
            _solve_together(chunk, solver, [puzzle])
        return
    (puzzle,) = puzzles
    logger.error("puzzle %d: %s", puzzle.id, error, exc_info=error)
    chunk.add(Results(Answers.of([solver.failed(puzzle, str(error))])))


def _solve_one_by_one(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """Solve one puzzle at a time, storing each answer before the next; the poison one first."""
    poison = chunk.lease.poison
    for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.id != poison):
        if puzzle.id == poison:
            chunk.add(quarantine.solve(solver, puzzle, chunk.check))
        else:
            chunk.commit()
            chunk.note_begun(puzzle.id)
            _solve_together(chunk, solver, [puzzle])
