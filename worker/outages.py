"""Outages of Redis and of the database: growing pauses, and what a worker logs of them.

An outage is a line when it begins and one when it is over, for all processes of a worker together.
Its main process reports what it notices; a pool process reports an outage that lasts, if no other
process has done so.
"""

import logging
import mmap
import time
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from storage.errors import DatabaseBusy, DatabaseUnreachable, StorageError
from worker.errors import RedisUnreachable, reason_of

T = TypeVar("T")

#: errors that may not occur again if the same step is repeated later
TRANSIENT_ERRORS = (DatabaseBusy, DatabaseUnreachable, RedisUnreachable)
#: seconds before each retry; the last value repeats
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0)
#: seconds between two checks for a shutdown during a pause
SHUTDOWN_POLL_SECONDS = 0.1
#: failures in a row that a pool process reports, unless another process has done so
REPORTED_FAILURES = 3
#: seconds without a failure after which an outage is over; longer than any pause before a retry
STABLE_SECONDS = 5.0

logger = logging.getLogger(__name__)

# Anonymous and shared, so all processes forked after this line see the same bytes.  For outages of
# Redis, and for those of the database: whether the main process of this worker reports them,
# whether one has begun, and whether a pool process has reported it.
_REPORTS, _BEGUN, _NOTICED, _SIZE = range(4)
shared = mmap.mmap(-1, 2 * _SIZE)
# Whether the worker of this process is shutting down.
_ending = mmap.mmap(-1, 1)


def set_ending(value: bool) -> None:
    """Note in all processes of this worker whether it is shutting down."""
    _ending[0] = value


def is_ending() -> bool:
    """Return whether the worker of this process is shutting down."""
    return _ending[0] == 1


class Outage:
    """The failures of Redis, or of the database, since it last worked, in the main process."""

    def __init__(
        self,
        name: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        of_database: bool = False,
        silent: int = 0,
    ) -> None:
        """`name` is what the log calls it; `silent` failures in a row are no outage."""
        self.name = name
        self._at = _SIZE * of_database
        self._silent = silent
        self._clock = clock
        self._began = self._last_failure = self._connected = 0.0
        self._reset()

    def fail(self, error: BaseException) -> None:
        """Count a failure, and report the first one that is not silent."""
        self._last_failure = self._clock()
        self.failures += 1
        if self.failures == 1:
            self._began = self._last_failure
        if self.failures == 1 + self._silent:
            self._is_reported = not shared[self._at + _NOTICED]
            if self._is_reported:
                logger.warning("lost %s: %s; retrying", self.name, _reason(error))
            shared[self._at + _BEGUN] = 1

    def connect(self) -> None:
        """Note the time of a connection: the end of the outage, unless a failure follows."""
        self._connected = self._clock()

    def settle(self) -> None:
        """Report the end of the outage if nothing has failed for STABLE_SECONDS."""
        if not self.failures or self._clock() - self._last_failure < STABLE_SECONDS:
            return
        if self._is_reported:
            logger.warning(
                "%s answers again after %.1f s (failed attempts: %d)",
                self.name,
                max(self._connected, self._last_failure) - self._began,
                self.failures,
            )
        self._reset()

    def _reset(self) -> None:
        self.failures = 0
        self._is_reported = False
        shared[self._at : self._at + _SIZE] = bytes([1, 0, 0])


def retrying(step: Callable[[], T], *, sleep: Callable[[float], None] = time.sleep) -> T:
    """Return the result of `step()`, which is repeated while it raises one of TRANSIENT_ERRORS.

    `step` is repeated as a whole, so doing it twice must have the effect of doing it once.  During
    a shutdown the last error is raised.  The first failure and the end of the failures are logged
    as warnings unless another process reports the outage, other failures as information.
    """
    noticed: int | None = None  # the outage that this process has reported
    for failures in count(1):
        try:
            result = step()
        except TRANSIENT_ERRORS as error:
            if is_ending():
                raise
            at = 0 if isinstance(error, RedisUnreachable) else _SIZE
            is_news = noticed is None and _is_reported_here(at, failures)
            if is_news:
                noticed, shared[at + _NOTICED] = at, 1
            level = logging.WARNING if is_news else logging.INFO
            reason = str(error)
            seconds = pause(failures)
            logger.log(level, "%s; retrying in %g s", reason, seconds, extra={"reason": reason})
        else:
            break
        sleep_until_shutdown(seconds, sleep)
    if noticed is not None:
        shared[noticed + _NOTICED] = 0
        logger.warning("continued (failed attempts: %d)", failures - 1)
    return result


def _is_reported_here(at: int, failures: int) -> bool:
    """Return whether this process reports a failure; the main process reports what it notices."""
    if not shared[at + _REPORTS]:
        return True
    return failures >= REPORTED_FAILURES and not any(shared[at + _BEGUN : at + _SIZE])


def _reason(error: BaseException) -> str:
    if isinstance(error, StorageError):
        return str(error)
    return reason_of(error.__cause__ or error if isinstance(error, RedisUnreachable) else error)


def pause(failures: int) -> float:
    """Return the seconds to wait after the last of `failures` failures in a row."""
    return PAUSES_SECONDS[min(failures, len(PAUSES_SECONDS)) - 1]


def sleep_until_shutdown(seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Sleep, at most until a shutdown begins."""
    for _ in range(round(seconds / SHUTDOWN_POLL_SECONDS)):
        if is_ending():
            return
        sleep(SHUTDOWN_POLL_SECONDS)
