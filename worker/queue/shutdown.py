"""The state of a worker's shutdown, in memory that its main process shares with its pool.

Celery notifies only the main process of a shutdown.  Here the main process sets a flag; a pool
process reads it between two slices of a search, stores the answers it has and gives the rest of
its chunk back.  Each pool process sets a flag of its own while it solves, so that the main process
waits no longer than needed.
"""

import mmap
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

#: pool processes with a flag of their own; above this number they share flags
MAX_PROCESSES = 4095
#: signals that end a worker
SHUTDOWN_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
#: seconds between two reads of the flags of the pool
IDLE_POLL_SECONDS = 0.02

# Byte 0: shutdown has begun.  Byte 1 + i: pool process i is solving a chunk.
# Anonymous and shared, so all processes forked after this line see the same bytes.
_flags = mmap.mmap(-1, 1 + MAX_PROCESSES)
# Byte 1 + i: how often pool process i has become busy, modulo 256.
_starts = mmap.mmap(-1, 1 + MAX_PROCESSES)


def reset() -> None:
    """Clear all flags; to be called when a worker starts, before its pool is forked."""
    _flags[:] = bytes(len(_flags))


def begin() -> None:
    """Ask the pool processes to give their chunks back."""
    _flags[0] = 1


def begun() -> bool:
    """Return whether the worker of this process is shutting down."""
    return _flags[0] == 1


@contextmanager
def working() -> Iterator[None]:
    """Mark this pool process as busy, so that a shutdown waits for it."""
    slot = _slot()
    _flags[slot] = 1
    _starts[slot] = (_starts[slot] + 1) % 256
    try:
        yield
    finally:
        _flags[slot] = 0


def clear() -> None:
    """Mark this pool process as not busy: a killed one, whose place it takes, may have been."""
    _flags[_slot()] = 0


def busy() -> int:
    """Return the number of pool processes that are busy."""
    return sum(_flags[1:])


def starts() -> bytes:
    """Return a value that is another one after any pool process has become busy."""
    return bytes(_starts)


def await_idle(timeout: float) -> bool:
    """Wait until no pool process is busy; False if that took more than `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while any(_flags[1:]):
        if time.monotonic() > deadline:
            return False
        time.sleep(IDLE_POLL_SECONDS)
    return True


def _slot() -> int:
    return 1 + (getattr(current_process(), "index", None) or 0) % MAX_PROCESSES


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Handle shutdown signals at the end of the block instead of in its middle.

    Celery waits for its pool inside a signal handler.  If the main process held the database's
    write lock at that moment, the pool would wait for the lock and the handler for the pool.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # Python runs signal handlers in the main thread only
        return
    received: list[int] = []

    def defer(number: int, _frame: object) -> None:
        received.append(number)

    handlers = {number: signal.signal(number, defer) for number in SHUTDOWN_SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for deferred in received:
            signal.raise_signal(deferred)
