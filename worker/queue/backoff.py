"""Retries with growing pauses while the database or Redis is locked, full or unreachable."""

import logging
import time
from collections.abc import Callable
from itertools import chain, repeat
from typing import TypeVar

from storage.errors import DatabaseBusy, DatabaseUnreachable
from worker.errors import RedisUnreachable
from worker.queue import shutdown

T = TypeVar("T")

#: errors that may not occur again if the same step is repeated later
TRANSIENT_ERRORS = (DatabaseBusy, DatabaseUnreachable, RedisUnreachable)
#: seconds before each retry; the last value repeats
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
#: seconds between two checks for a shutdown during a pause
SHUTDOWN_POLL_SECONDS = 0.1

logger = logging.getLogger(__name__)


def retrying(step: Callable[[], T], *, sleep: Callable[[float], None] = time.sleep) -> T:
    """Return the result of `step()`, which is repeated while it raises one of TRANSIENT_ERRORS.

    `step` is repeated as a whole, so doing it twice must have the effect of doing it once.  During
    a shutdown the last error is raised.
    """
    pauses = chain(PAUSES_SECONDS, repeat(PAUSES_SECONDS[-1]))
    while True:
        try:
            return step()
        except TRANSIENT_ERRORS as error:
            if shutdown.begun():
                raise
            pause = next(pauses)
            reason = str(error)
            logger.warning("%s; retrying in %g s", reason, pause, extra={"reason": reason})
        _sleep_until_shutdown(pause, sleep)


def _sleep_until_shutdown(seconds: float, sleep: Callable[[float], None]) -> None:
    for _ in range(round(seconds / SHUTDOWN_POLL_SECONDS)):
        if shutdown.begun():
            return
        sleep(SHUTDOWN_POLL_SECONDS)
