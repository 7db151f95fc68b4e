"""Patience with what cannot be used for a while: a database that is locked, full, restarted; Redis.

What a worker holds in its hands is worth more than its time, so it waits, and says for what.
"""

import logging
import time
from collections.abc import Callable
from itertools import chain, repeat
from typing import TypeVar

from storage.errors import DatabaseBusy, DatabaseUnreachable
from worker.errors import RedisUnreachable
from worker.queue import shutdown

T = TypeVar("T")

#: what passes, if one waits
PASSING = (DatabaseBusy, DatabaseUnreachable, RedisUnreachable)
#: seconds before the next try; the last of them again and again
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
#: seconds between two looks at whether the worker goes down
LOOK = 0.1

logger = logging.getLogger(__name__)


def insist(step: Callable[[], T], *, sleep: Callable[[float], None] = time.sleep) -> T:
    """What `step` gives, as soon as it can; a step that failed is done again as a whole.

    Only a worker that goes down gives up, with the last error.
    """
    pauses = chain(PAUSES, repeat(PAUSES[-1]))
    while True:
        try:
            return step()
        except PASSING as error:
            if shutdown.begun():
                raise
            pause = next(pauses)
            logger.warning("%s; trying again in %g s", error, pause)
        _wait(pause, sleep)


def _wait(seconds: float, sleep: Callable[[float], None]) -> None:
    """Sleep, but not through a shutdown."""
    for _ in range(round(seconds / LOOK)):
        if shutdown.begun():
            return
        sleep(LOOK)
