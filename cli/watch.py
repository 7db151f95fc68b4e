"""Ends a command that waits in native code, if it obeys neither Ctrl-C nor the limit of a query.

Python runs its handlers of signals between two instructions of its own.  One instruction of SQLite
may last for hours, as `instr` of two long texts, and a server that is frozen never answers.
"""

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from math import inf
from typing import NoReturn, Self, TypeVar

from cli.errors import PREFIX, Exit
from cli.terminal import notify
from storage.queries.guard import FETCH_SECONDS

T = TypeVar("T")

#: seconds that the usual way of ending may take
GRACE = 0.7
#: seconds between two looks at the clock
_LOOK = 0.1


class Watch(AbstractContextManager["Watch"]):
    """A thread that ends the process; Python's own handlers write to it which signals arrive."""

    def __init__(self, seconds: float = FETCH_SECONDS):
        self._seconds = seconds
        self._began = inf  #: when the command began to wait for rows
        self._interrupted = inf  #: when Ctrl-C was pressed
        self._reads = True  #: whether the database works, not what writes rows, as a pager
        self._end, self._handlers = socket.socketpair()
        self._handlers.setblocking(False)
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            signal.set_wakeup_fd(self._handlers.fileno(), warn_on_full_buffer=False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.set_wakeup_fd(-1)
        self._handlers.close()
        self._thread.join()
        self._end.close()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Limit the time in a block."""
        self._began = time.monotonic()
        try:
            yield
        finally:
            self._began = inf

    def rows(self, rows: Generator[T]) -> Generator[T]:
        """Yield rows; limit the time in which each must come."""
        with closing(rows):
            while True:
                self._reads = True
                try:
                    with self.waiting():
                        row = next(rows, None)
                finally:
                    self._reads, self._interrupted = False, inf
                if row is None:
                    return
                yield row

    def _watch(self) -> None:
        while True:
            if select.select([self._end], [], [], _LOOK)[0]:
                signals = self._end.recv(64)
                if not signals:
                    return
                if signal.SIGINT in signals and self._reads:
                    self._interrupted = time.monotonic()
            now = time.monotonic()
            if now > self._interrupted + GRACE:
                _leave(Exit.INTERRUPTED)
            if now > self._began + self._seconds + GRACE:
                notify(f"{PREFIX}the query found nothing within {self._seconds:g} s: simplify it")
                _leave(Exit.USAGE)


def _leave(code: int) -> NoReturn:
    os._exit(code)  # the main thread cannot end
