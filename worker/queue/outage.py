"""What a worker logs while Redis is away: a line when the outage begins, and one when it is over.

The main process reports an outage for all processes of the worker.  What Celery and kombu log about
the same errors, a traceback for each attempt, is left out.
"""

import logging
import time
from collections.abc import Callable

from kombu.exceptions import OperationalError
from redis import RedisError

from worker.errors import RedisUnreachable
from worker.queue import backoff
from worker.queue.carrier import reason_of

#: seconds without a failure after which an outage is over; longer than any pause before a retry
STABLE_SECONDS = 5.0
#: libraries whose log records about errors of Redis are left out
LIBRARIES = ("celery", "kombu")

logger = logging.getLogger(__name__)


class Outage:
    """The failures of Redis since it last worked, in the main process of a worker."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.address = address  #: the URL of Redis, without its password
        self.failures = 0
        self._clock = clock
        self._began = self._last_failure = self._connected = 0.0
        backoff.report_outages(begun=False)

    def fail(self, error: BaseException) -> None:
        """Count a failure, and report the first one."""
        self._last_failure = self._clock()
        self.failures += 1
        if self.failures == 1:
            self._began = self._last_failure
            cause = error.__cause__ if isinstance(error, RedisUnreachable) else None
            reason = reason_of(cause or error)
            logger.warning("lost Redis at %s: %s; retrying", self.address, reason)
            backoff.report_outages(begun=True)

    def connect(self) -> None:
        """Note the time of a connection: the end of the outage, unless a failure follows."""
        self._connected = self._clock()

    def settle(self) -> None:
        """Report the end of the outage if nothing has failed for STABLE_SECONDS."""
        if not self.failures or self._clock() - self._last_failure < STABLE_SECONDS:
            return
        logger.warning(
            "Redis at %s answers again after %.1f s (failed attempts: %d)",
            self.address,
            max(self._connected, self._last_failure) - self._began,
            self.failures,
        )
        self.failures = 0
        backoff.report_outages(begun=False)


def is_news(record: logging.LogRecord) -> bool:
    """Return False for records of LIBRARIES about an error of Redis; a filter for log handlers."""
    if record.name.partition(".")[0] not in LIBRARIES:
        return True
    raised = record.exc_info[1] if record.exc_info else None
    arguments = record.args if isinstance(record.args, tuple) else ()
    return not any(_is_of_redis(value) for value in (raised, *arguments))


def _is_of_redis(value: object) -> bool:
    return isinstance(value, (RedisError, OperationalError, ConnectionError, TimeoutError))
