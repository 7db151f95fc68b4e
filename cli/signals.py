"""What ends a command: signals, in order, and a thread if native code does not return."""

import logging
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from math import inf
from types import FrameType
from typing import NoReturn, Self, TypeVar

from cli.errors import PREFIX, Exit
from cli.streams import is_terminal, notify
from storage import signals

T = TypeVar("T")

#: seconds that the usual way of ending may take
GRACE = 0.7
#: seconds between two looks at the clock
_LOOK = 0.1
#: the names of the signals; Windows has no SIGHUP
NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
#: seconds after a signal until the command is ended as it is: a database may be locked, or a pipe
#: full.  What it leaves is removed by the next command.
LIMIT_SECONDS = 1.5
#: seconds in which a further signal is the same wish: programs forward what a terminal sends to all
REPEAT_SECONDS = 0.5
SHOW_CURSOR = "\x1b[?25h"


def handle(limit: float = LIMIT_SECONDS) -> None:
    """Handle the signals that end a program: SIGINT raises KeyboardInterrupt, others SystemExit.

    Where `storage.signals` defers them, they wait.  A second signal ends the command at once, and
    so does the end of `limit` seconds.
    """
    _Handler(sys.unraisablehook, limit).install()


def end_at_once() -> None:
    """Let signals end this process at once: it has nothing to undo, or has other handlers."""
    signal.set_wakeup_fd(-1)
    for number in _numbers():
        signal.signal(number, signal.SIG_DFL)


def _numbers() -> list[int]:
    return [getattr(signal, name) for name in NAMES if hasattr(signal, name)]


class _Handler:
    def __init__(
        self, report: "Callable[[sys.UnraisableHookArgs], object]", seconds: float
    ) -> None:
        self._report = report
        self._seconds = seconds
        self._began: float | None = None
        # Python's handler in C writes the numbers of signals into it, also while the main thread
        # waits in native code, such as SQLite's for a lock.
        self._arrivals, self._handlers = socket.socketpair()
        self._handlers.setblocking(False)

    def install(self) -> None:
        sys.unraisablehook = self._leave_out
        for pool in ("NullPool", "QueuePool"):
            logging.getLogger(f"sqlalchemy.pool.impl.{pool}").addFilter(_is_error)
        signal.set_wakeup_fd(self._handlers.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._limit, daemon=True).start()
        for number in _numbers():
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, self._handle)

    def _leave_out(self, dropped: "sys.UnraisableHookArgs") -> None:
        if not signals.wait_again(dropped.exc_value):
            self._report(dropped)

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        code = 128 + number
        now = time.monotonic()
        if self._began is not None:
            if now - self._began > REPEAT_SECONDS:
                _leave(code)
            return
        self._began = now
        signals.interrupt(KeyboardInterrupt() if number == signal.SIGINT else SystemExit(code))

    def _limit(self) -> None:
        """End the command some seconds after the first signal that is to end it."""
        numbers = _numbers()
        while arrived := self._arrivals.recv(1):
            if arrived[0] in numbers:
                time.sleep(self._seconds)
                _leave(128 + arrived[0])


def _is_error(record: logging.LogRecord) -> bool:
    """Return False for a traceback of a connection that a signal has interrupted."""
    return not record.exc_info or isinstance(record.exc_info[1], Exception)


class Watch(AbstractContextManager["Watch"]):
    """Ends a command that waits in native code, if Ctrl-C or the limit of a query does not.

    Python runs its handlers of signals between two instructions of its own.  One instruction of
    SQLite may last for hours, as `instr` of two long texts, and a frozen server never answers.  So
    a thread waits for the limit, and for the numbers of signals, which Python's handler in C
    writes into a socket.
    """

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._began = inf  #: when the command began to wait for rows
        self._interrupted = inf  #: when Ctrl-C was pressed
        self._reads = True  #: whether the database works, not what writes rows, as a pager
        self._before = -1  #: where signals were written before
        self._end, self._handlers = socket.socketpair()
        self._handlers.setblocking(False)
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            fd = self._handlers.fileno()
            self._before = signal.set_wakeup_fd(fd, warn_on_full_buffer=False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.set_wakeup_fd(self._before)
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
                arrived = self._end.recv(64)
                if not arrived:
                    return
                if signal.SIGINT in arrived and self._reads:
                    self._interrupted = time.monotonic()
            now = time.monotonic()
            if now > self._interrupted + GRACE:
                _leave(Exit.INTERRUPTED)
            if now > self._began + self._seconds + GRACE:
                notify(f"{PREFIX}the query found nothing within {self._seconds:g} s: simplify it")
                _leave(Exit.USAGE)


def _leave(code: int) -> NoReturn:
    """End this process as it is; its processes end with it."""
    if is_terminal(sys.stderr):
        os.write(2, SHOW_CURSOR.encode())
    os._exit(code)
