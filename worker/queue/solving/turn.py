"""One turn at a part of a search: lease it, search it for about a second, store what that brought.

What is left of the part then waits for its next turn like any chunk, so no search keeps a process
from other batches, and a process that dies loses no more than a turn.  A part that is suspect is
searched in quarantine until its next turn is stored.
"""

import logging

from storage.searches import parts
from worker.errors import SolverFailed
from worker.outcome import Fixed, Known, Turn
from worker.queue.solving import quarantine
from worker.queue.solving.context import Context
from worker.queue.solving.interruptions import End, Stop, retried_write
from worker.queue.solving.leased_part import LeasedPart

logger = logging.getLogger(__name__)


def take_turn(context: Context, chunk_id: int, packed: str) -> bool:
    """Search the part whose text is `packed` for one turn; return False if it cannot be leased.

    It returns and raises in the same cases as `attempt`.
    """
    lease_seconds, worker = context.settings.lease, context.worker
    taken = retried_write(
        context.engine,
        lambda connection: parts.take(connection, chunk_id, packed, worker, lease_seconds),
    )
    if taken is None:
        return False
    part = LeasedPart(context, taken)
    began, end, turn = context.clock(), End.OVERTAKEN, Turn(0, 0, 0, 0, (), None)
    try:
        turn = _search(context, part)
        if part.end(turn):
            end = End.RELEASED if turn.frontier else End.DONE
    except SolverFailed as error:
        logger.exception("part of puzzle %d", taken.puzzle.id)
        if part.fail(str(error)):
            end = End.FAILED
    except Stop as stop:
        end = stop.end
    logger.info(
        "chunk=%d batch=%d attempt=%d end=%s puzzle=%d solutions=%d nodes=%d seconds=%.3f",
        chunk_id,
        taken.lease.batch_id,
        taken.lease.attempt,
        end,
        taken.puzzle.id,
        turn.found,
        turn.nodes,
        context.clock() - began,
    )
    return True


def _search(context: Context, part: LeasedPart) -> Turn:
    """Return what a turn of the part brings; raises SolverFailed, and Stop as LeasedPart does."""
    taken, solver = part.taken, context.solver(part.taken.lease)
    given = (taken.puzzle.text, taken.setup, taken.levels, part.seconds)
    known = Known(*taken.known) if taken.known else None
    if not taken.lease.is_suspect:
        return solver.turn(*given, part.incumbent, part.must_end, known)
    incumbent = Fixed(taken.best)  # a child process must not use our connections
    return quarantine.solved(
        lambda: solver.turn(*given, incumbent, lambda: False, known), solver.silence, part.check
    )
