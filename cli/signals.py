"""What ends a command: signals, in order, and a thread if native code does not return."""

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from math import inf
from typing import NoReturn, Self, TypeVar

from cli.errors import PREFIX, Exit
from cli.terminal import notify

T = TypeVar("T")

#: seconds that the usual way of ending may take
GRACE = 0.7
#: seconds between two looks at the clock
_LOOK = 0.1
#: the names of the signals; Windows has no SIGHUP
NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Signals:
    """The signals that end this command: SIGINT raises KeyboardInterrupt, the others SystemExit."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None
        self._report = sys.unraisablehook
        sys.unraisablehook = self._leave_out
        for name in NAMES:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._end)

    def check(self) -> None:
        """Raise the exception of a signal again; call it several times a second.

        Python drops an exception that is raised in a callback of its garbage collection, where a
        signal may arrive: SQLAlchemy has one that runs after every transaction.
        """
        if self._raised is not None:
            raise self._raised

    def _leave_out(self, dropped: "sys.UnraisableHookArgs") -> None:
        """Report an exception that Python drops, unless `check` raises it again."""
        if dropped.exc_value is not self._raised:
            self._report(dropped)

    def _end(self, number: int, _frame: object) -> None:
        interrupted = number == signal.SIGINT
        self._raised = KeyboardInterrupt() if interrupted else SystemExit(128 + number)
        raise self._raised


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
