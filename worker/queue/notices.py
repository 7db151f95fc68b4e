"""Notices: why a runner waits, for the command that waits for it.

Between processes they are JSON lines in a pipe: `{"reason": "the database ... is locked"}`.  A line
is shorter than PIPE_BUF, the size up to which POSIX makes writes to a pipe atomic, so all processes
of a worker share one pipe.
"""

import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from worker import outages
from worker.compiling import log

#: the loggers whose records have a `reason`
LOGGERS = (outages.logger, log.logger)
#: characters of a reason that are sent; each is at most 12 bytes of JSON, and PIPE_BUF is 4096
MAX_REASON = 300
#: bytes read at a time
READ_BYTES = 65536


class _Notices(logging.Handler):
    """Calls `tell` with the reason of each log record that has one."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Tell why this process waits."""
        if reason := vars(record).get("reason"):
            self._tell(str(reason))


@contextmanager
def reporting(notify: Callable[[str], None]) -> Iterator[None]:
    """Call `notify` with the reasons for which this process waits."""
    handler = _Notices(lambda reason: notify(f"waiting: {reason}"))
    for logger in LOGGERS:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in LOGGERS:
            logger.removeHandler(handler)


def send_notices(descriptor: int) -> None:
    """Write into a pipe, from now on, why this process, or one that it forks, waits.

    A notice is dropped if the pipe is full or has no reader, so that the worker never waits for it.
    """
    os.set_blocking(descriptor, False)
    for logger in LOGGERS:
        logger.addHandler(_Notices(partial(_send, descriptor)))
        logger.setLevel(logging.INFO)  # also what another process has reported


def _send(descriptor: int, reason: str) -> None:
    with suppress(BlockingIOError, BrokenPipeError):
        os.write(descriptor, json.dumps({"reason": reason[:MAX_REASON]}).encode() + b"\n")


class NoticeReader:
    """Calls `notify` once with each reason that arrives through a pipe."""

    def __init__(self, descriptor: int, notify: Callable[[str], None]) -> None:
        self._descriptor = descriptor
        self._notify = notify
        self._incomplete = b""
        self._known: set[str] = set()
        os.set_blocking(descriptor, False)

    def update(self) -> None:
        """Report the reasons that have arrived since the last call; does not block."""
        for reason in self.read():
            if reason not in self._known:
                self._known.add(reason)
                self._notify(f"waiting: {reason}")

    def read(self) -> list[str]:
        """Return the reasons that have arrived since the last call; does not block."""
        with suppress(BlockingIOError):
            while arrived := os.read(self._descriptor, READ_BYTES):
                self._incomplete += arrived
        *lines, self._incomplete = self._incomplete.split(b"\n")
        return [str(json.loads(line)["reason"]) for line in lines]
