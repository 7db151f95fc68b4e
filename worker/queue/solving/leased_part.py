"""A part of a search under lease, for one turn: what it may take, and how its result is stored.

As with a chunk, nothing is stored if the lease was taken over.  Then the turn is lost, and the
worker that has the lease does it again.
"""

from sqlalchemy import Connection

from storage.searches import parts, turns
from storage.searches.parts import PartLease
from storage.values import Found
from worker.outcome import Turn
from worker.queue.solving import pieces, policy
from worker.queue.solving.context import Context
from worker.queue.solving.incumbent import Shared
from worker.queue.solving.interruptions import End, Interruptions, Stop, Timer, retried_write


class LeasedPart:
    """A part that this process holds a lease on, for one turn."""

    def __init__(self, context: Context, taken: PartLease) -> None:
        self.taken = taken
        self.incumbent = Shared(context.engine, context.news, taken)
        self._context = context
        self._processes = context.processes()
        self._began = context.clock()
        self._interruptions = Interruptions(context, taken.lease.batch_id)
        self._renewal = Timer(context.settings.renewal / 2, context.clock)

    @property
    def seconds(self) -> float:
        """The seconds that the turn is to last, as far as the search's time limit allows it."""
        usual, database = self._context.settings.turn, self._context.engine.dialect.name
        wanted = policy.turn_seconds(usual, self._processes, self.taken.open, database)
        return max(0.0, min(wanted, self.taken.seconds))

    def must_end(self) -> bool:
        """Return whether the turn must end before its time; call it several times a second.

        That is so when it has found a better score, too: the others know it only when it is stored.
        Raises Stop if the lease was taken over.
        """
        self._keep_lease()
        return self.incumbent.is_improved or self._interruptions.look() is not None

    def check(self) -> None:
        """Raise Stop if the turn must end, and release the part; what was found is then lost."""
        self._keep_lease()
        if end := self._interruptions.look():
            self.release()
            raise Stop(end)

    def release(self) -> None:
        """Give up the lease; the attempt does not count."""
        retried_write(
            self._context.engine, lambda connection: parts.release(connection, self.taken)
        )

    def end(self, turn: Turn) -> bool:
        """Store what the turn brought, and divide its rest into as many parts as are needed.

        Returns False, and stores nothing, if the lease was taken over or the search has ended.
        """
        found = Found(turn.found, turn.nodes, turn.ns, turn.kept)

        def store(connection: Connection) -> bool:
            rest = turn.frontier.split(self._wanted(connection)) if turn.frontier else ()
            return turns.end(
                connection,
                self.taken,
                found,
                rest,
                worker=self._context.worker,
                seconds=turn.wall_ns / 1e9,
                following=self._context.following,
                prediction=self._context.prediction,
            )

        is_stored = retried_write(self._context.engine, store)
        if is_stored:
            self.incumbent.announce()
        return is_stored

    def fail(self, detail: str) -> bool:
        """Store why the part cannot be searched; return False as `end` does."""
        seconds, worker = self._context.clock() - self._began, self._context.worker

        def store(connection: Connection) -> bool:
            return turns.fail(connection, self.taken, detail, worker=worker, seconds=seconds)

        return retried_write(self._context.engine, store)

    def _wanted(self, connection: Connection) -> int:
        lease, search = self.taken.lease, self.taken.puzzle.id
        return pieces.wanted(connection, lease.batch_id, self._processes, search)

    def _keep_lease(self) -> None:
        """Renew the lease if it is time to."""
        if not self._renewal.over:
            return
        if not retried_write(
            self._context.engine, lambda connection: parts.renew(connection, self.taken)
        ):
            raise Stop(End.OVERTAKEN)
        self._renewal.restart()
