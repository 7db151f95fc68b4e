"""Whether a worker consumes: not whether it lives, which a heartbeat shows."""

import time
from collections.abc import Callable

#: checks in a row without consumption, one per sweep, after which a worker is stalled
STALLED_CHECKS = 3


class Consumption:
    """Counts what a worker consumes; used by its main process only.

    A worker is stalled if messages wait, one of its processes is free, and it consumes nothing.
    That a message was received is not enough: some process must have begun with it.  Each check
    belongs to another turn of the event loop, so a slow one makes no worker stalled.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._consumed = False
        self._starts = b""
        self._checks = 0
        #: restarts of the consumer since it last consumed
        self.restarts = 0

    def note(self, **_: object) -> None:
        """Note that a chunk was begun, a message rejected, or the queue found empty."""
        self._last = self._clock()
        self._consumed = True
        self.restarts = 0

    def restart(self) -> None:
        """Note that the consumer restarts; it has time to consume before it is stalled again."""
        self._checks = 0
        self.restarts += 1

    def check(self, waiting: int, free: int, starts: bytes) -> None:
        """Check that something was consumed since the last call, if it could have been.

        `waiting` messages are in the queue, `free` processes have no chunk, and `starts` changes
        when one begins with a chunk.
        """
        if starts != self._starts:
            self._starts = starts
            self.note()
        idle = waiting > 0 and free > 0 and not self._consumed
        self._checks = self._checks + 1 if idle else 0
        self._consumed = False

    def needs_restart(self) -> bool:
        """Return whether the last STALLED_CHECKS checks failed."""
        return self._checks >= STALLED_CHECKS

    def is_stalled(self) -> bool:
        """Return whether the consumer needs a restart, or has consumed nothing since one."""
        return self.needs_restart() or self.restarts > 0

    def seconds(self) -> float:
        """Return the seconds since the worker last consumed."""
        return self._clock() - self._last
