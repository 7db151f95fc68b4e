"""Retries with growing pauses while the database or Redis is locked, full or unreachable."""

import logging
import mmap
import time
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from storage.errors import DatabaseBusy, DatabaseUnreachable
from worker.errors import RedisUnreachable
from worker.queue import shutdown

T = TypeVar("T")

#: errors that may not occur again if the same step is repeated later
TRANSIENT_ERRORS = (DatabaseBusy, DatabaseUnreachable, RedisUnreachable)
#: seconds before each retry; the last value repeats
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0)
#: seconds between two checks for a shutdown during a pause
SHUTDOWN_POLL_SECONDS = 0.1
#: failures in a row of Redis that a pool process reports, unless the main process has done so
REPORTED_FAILURES = 3

logger = logging.getLogger(__name__)

# Anonymous and shared, so all processes forked after this line see the same bytes: whether the main
# process of this worker reports outages of Redis, and whether it has reported one that is not over.
_outages = mmap.mmap(-1, 2)
_REPORTS, _BEGUN = range(2)


def retrying(step: Callable[[], T], *, sleep: Callable[[float], None] = time.sleep) -> T:
    """Return the result of `step()`, which is repeated while it raises one of TRANSIENT_ERRORS.

    `step` is repeated as a whole, so doing it twice must have the effect of doing it once.  During
    a shutdown the last error is raised.  The first failure and the end of the failures are logged
    as warnings, other failures as information.
    """
    reported = False
    for failures in count(1):
        try:
            result = step()
        except TRANSIENT_ERRORS as error:
            if shutdown.begun():
                raise
            is_news = not reported and _is_reported_here(error, failures)
            reported |= is_news
            level = logging.WARNING if is_news else logging.INFO
            reason = str(error)
            seconds = pause(failures)
            logger.log(level, "%s; retrying in %g s", reason, seconds, extra={"reason": reason})
        else:
            break
        sleep_until_shutdown(seconds, sleep)
    if reported:
        logger.warning("continued (failed attempts: %d)", failures - 1)
    return result


def pause(failures: int) -> float:
    """Return the seconds to wait after the last of so many failures in a row."""
    return PAUSES_SECONDS[min(failures, len(PAUSES_SECONDS)) - 1]


def sleep_until_shutdown(seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Sleep, at most until a shutdown begins."""
    for _ in range(round(seconds / SHUTDOWN_POLL_SECONDS)):
        if shutdown.begun():
            return
        sleep(SHUTDOWN_POLL_SECONDS)


def report_outages(*, begun: bool) -> None:
    """Note that this process, the main one, reports outages of Redis, and whether one has begun."""
    _outages[_REPORTS], _outages[_BEGUN] = 1, begun


def is_outage_reported() -> bool:
    """Return whether the main process of this worker has reported an outage that is not over."""
    return _outages[_BEGUN] == 1


def _is_reported_here(error: Exception, failures: int) -> bool:
    """Return whether this process reports a failure; the main process reports those of Redis."""
    if isinstance(error, RedisUnreachable) and _outages[_REPORTS]:
        return failures >= REPORTED_FAILURES and not is_outage_reported()
    return True
