"""One attempt at a chunk: lease it, solve its puzzles, store their answers.

The first attempt solves all puzzles in one call of the kernel.  Later ones, after the process of an
earlier one has died, solve one puzzle at a time and note which, so that a poison message, a puzzle
that ends every process that solves it, is found: the puzzle noted at two deaths in a row is solved
in quarantine, where its process may die.
"""

import logging
import time
from collections.abc import Sequence
from contextlib import closing

from sqlalchemy import Connection, Engine

from storage import answers
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.packing import digest, unpack
from storage.values import Answers, Puzzle
from worker.errors import SolverFailed
from worker.options import Options
from worker.outcome import Search
from worker.queue.solving import quarantine
from worker.queue.solving.chunk import Solver
from worker.queue.solving.leased_chunk import Clock, End, LeasedChunk, Stop, retried_write
from worker.settings import Settings
from worker.solve import search

logger = logging.getLogger(__name__)


def attempt(
    engine: Engine,
    chunk_id: int,
    packed: str,
    *,
    worker: str,
    settings: Settings,
    clock: Clock = time.monotonic,
    search: Search = search,
) -> bool:
    """Solve the chunk whose puzzles are `packed`; return False if it cannot be leased.

    That is so if it is done or under another lease, if its batch is cancelled, or if its row has
    other puzzles.  While the database cannot be used the attempt waits; only during a shutdown does
    it raise the database's error.
    """
    leased = retried_write(
        engine, lambda connection: _lease(connection, chunk_id, packed, worker, settings.lease)
    )
    if leased is None:
        return False
    lease, puzzles = leased
    solver = Solver(lease.kind, Options.from_json(lease.options), settings.silence, search)
    _run(LeasedChunk(engine, lease, worker, settings, clock), solver, puzzles, clock)
    return True


def _lease(
    connection: Connection, chunk_id: int, packed: str, worker: str, seconds: float
) -> tuple[Lease, list[Puzzle]] | None:
    """Lease the chunk; return the lease and the puzzles that have no answer yet."""
    lease = leases.take(connection, chunk_id, worker, seconds, digest=digest(packed))
    if lease is None:
        return None
    puzzles = unpack(packed)
    before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
    return lease, [puzzle for puzzle in puzzles if puzzle.id not in before]


def _run(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle], clock: Clock) -> None:
    """Solve the puzzles until all have an answer or the attempt must end, and log how it ended."""
    began, end = clock(), End.DONE
    solve_all = _solve_together if chunk.lease.attempt == 1 else _solve_one_by_one
    try:
        solve_all(chunk, solver, puzzles)
        chunk.complete()
    except Stop as stop:
        end = stop.end
    logger.info(
        "chunk=%d batch=%d attempt=%d end=%s answered=%d seconds=%.3f",
        chunk.lease.chunk_id,
        chunk.lease.batch_id,
        chunk.lease.attempt,
        end,
        chunk.answered,
        clock() - began,
    )


def _solve_together(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    answered = 0
    try:
        with closing(solver.run(puzzles)) as slices:
            for found in slices:
                chunk.add(found)
                answered += len(found.id)
                chunk.check(answered=bool(found.id))
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
    chunk.add(Answers.of([solver.failed(puzzle, str(error))]))


def _solve_one_by_one(chunk: LeasedChunk, solver: Solver, puzzles: Sequence[Puzzle]) -> None:
    """Solve one puzzle at a time, storing each answer before the next; the poison one first."""
    poison = chunk.lease.poison
    for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.id != poison):
        if puzzle.id == poison:
            chunk.add(Answers.of([quarantine.solve(solver, puzzle, chunk.check)]))
        else:
            chunk.commit()
            chunk.note_begun(puzzle.id)
            _solve_together(chunk, solver, [puzzle])
