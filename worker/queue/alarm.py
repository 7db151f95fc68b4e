"""An alarm that ends the main process of a worker whose event loop hangs.

It is a signal, because a process that forks must not have threads.  It arrives while a system call
blocks; compiled code runs in the pool, which has a watchdog of its own.
"""

import logging
import os
import signal

#: seconds in which a process that was suspended until the alarm can go on
GRACE_SECONDS = 5.0

logger = logging.getLogger(__name__)


class HangAlarm:
    """Ends this process if it is not renewed within `seconds`; 0 stands for no limit."""

    def __init__(self, seconds: float, grace: float = GRACE_SECONDS) -> None:
        self._seconds = seconds
        self._grace = grace
        self._rang = False
        if seconds:
            signal.signal(signal.SIGALRM, self._ring)

    def renew(self) -> None:
        """Start to measure, or start again."""
        self._rang = False
        self._set(self._seconds)

    def cancel(self) -> None:
        """Stop to measure."""
        self._set(0.0)

    def _set(self, seconds: float) -> None:
        if self._seconds:
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def _ring(self, *_: object) -> None:
        if not self._rang:
            self._rang = True
            self._set(self._grace)
            return
        logger.critical("the worker ends: its main process has hung for %g s", self._seconds)
        logging.shutdown()
        os._exit(os.EX_TEMPFAIL)
