"""What ends a command: signals, in order, and a thread if native code does not return.

Python runs its handlers of signals between two instructions of its own.  One instruction of SQLite
may last for hours, as `instr` of two long texts, and a frozen server never answers.
"""

import logging
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from math import inf
from types import FrameType
from typing import NoReturn, TypeVar

from cli.errors import PREFIX, Exit
from cli.streams import is_terminal, notify
from storage import signals

T = TypeVar("T")

#: the signals that end a command
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: seconds after a signal until the command is ended as it is: a database may be locked, or a pipe
#: full.  What it leaves is removed by the next command.
LIMIT_SECONDS = 1.5
#: the same while the command only waits for rows, and what a query may take longer than its limit
GRACE_SECONDS = 0.7
#: seconds between two looks at the clock
_LOOK_SECONDS = 0.1
#: seconds in which a further signal is the same wish: programs forward what a terminal sends to all
REPEAT_SECONDS = 0.5
SHOW_CURSOR = "\x1b[?25h"


def handle(limit: float = LIMIT_SECONDS) -> None:
    """Handle the signals that end a program: SIGINT raises KeyboardInterrupt, others SystemExit.

    Where `storage.signals` defers them, they wait.  A second signal ends the command at once, and
    so does the end of `limit` seconds.
    """
    global _watch  # noqa: PLW0603 # a program has one, a test several
    _watch = _Watch()
    _watch.start(limit)


def end_at_once() -> None:
    """Let signals end this process at once: it has nothing to undo, or has other handlers."""
    _watch.stop()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def waiting(seconds: float) -> Iterator[None]:
    """End the command if the block, which waits for rows, takes longer than its limit."""
    _watch.wait(seconds)
    try:
        yield
    finally:
        _watch.go_on()


def awaited(rows: Generator[T], seconds: float) -> Generator[T]:
    """Yield rows; end the command if one takes longer than `seconds`, the limit of its query.

    Signals do not end it meanwhile: what writes the rows may be a pager.
    """
    with closing(rows):
        try:
            while True:
                try:
                    with waiting(seconds):
                        row = next(rows, None)
                finally:
                    _watch.write()
                if row is None:
                    return
                yield row
        finally:
            _watch.go_on()


class _Watch:
    """The handlers of signals, and a thread that ends the command as it is if they do not."""

    def __init__(self) -> None:
        self._began: float | None = None  #: when the first signal was handled
        self._limit = self._grace = LIMIT_SECONDS  #: seconds between a signal and the end
        self._signalled = self._overdue = inf  #: when the command is ended for that reason
        self._seconds = 0.0  #: the limit of the query
        self._report = sys.unraisablehook
        self._handlers: socket.socket | None = None

    def start(self, limit: float) -> None:
        self._limit = self._grace = limit
        sys.unraisablehook = self._leave_out
        for pool in ("NullPool", "QueuePool"):
            logging.getLogger(f"sqlalchemy.pool.impl.{pool}").addFilter(_is_error)
        # Python's handler in C writes the numbers of signals into it, also while the main thread
        # waits in native code.
        arrivals, self._handlers = socket.socketpair()
        self._handlers.setblocking(False)
        signal.set_wakeup_fd(self._handlers.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._run, args=[arrivals], daemon=True).start()
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, self._handle)

    def stop(self) -> None:
        signal.set_wakeup_fd(-1)
        if self._handlers:
            self._handlers.close()

    def wait(self, seconds: float) -> None:
        self._grace, self._seconds = min(GRACE_SECONDS, self._limit), seconds
        self._overdue = time.monotonic() + seconds + GRACE_SECONDS

    def write(self) -> None:
        self._grace = self._signalled = inf

    def go_on(self) -> None:
        self._grace, self._overdue = self._limit, inf

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

    def _run(self, arrivals: socket.socket) -> None:
        code = Exit.INTERRUPTED.value
        while True:
            if select.select([arrivals], [], [], _LOOK_SECONDS)[0]:
                arrived = arrivals.recv(64)
                if not arrived:
                    arrivals.close()
                    return
                for number in arrived:
                    if number in SIGNALS and self._signalled == inf:
                        self._signalled, code = time.monotonic() + self._grace, 128 + number
            now = time.monotonic()
            if now > self._signalled:
                _leave(code)
            if now > self._overdue:
                text = f"the query found nothing within {self._seconds:g} s: simplify it"
                notify(PREFIX + text)
                _leave(Exit.USAGE)


def _is_error(record: logging.LogRecord) -> bool:
    """Return False for a traceback of a connection that a signal has interrupted."""
    return not record.exc_info or isinstance(record.exc_info[1], Exception)


def _leave(code: int) -> NoReturn:
    """End this process as it is; its processes end with it."""
    if is_terminal(sys.stderr):
        os.write(2, SHOW_CURSOR.encode())
    os._exit(code)


_watch = _Watch()
