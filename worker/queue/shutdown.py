"""A clean end: what the main process and its pool tell each other through shared memory.

Celery tells only its main process to go down, and that one then sleeps for the whole time of
a soft shutdown.  Here a pool process that is deep in a chunk looks at the first byte between
two slices, stores what it has and gives the rest back; and the main process waits only until
no process has its own byte set.
"""

import mmap
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

#: pool processes that have a byte of their own
SLOTS = 4095
#: what tells a worker to end
ENDING = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)

# Anonymous and shared: the same bytes in every forked process.
_bytes = mmap.mmap(-1, 1 + SLOTS)


def begin() -> None:
    """The worker goes down: chunks are to be given back."""
    _bytes[0] = 1


def begun() -> bool:
    """Is the worker going down?"""
    return _bytes[0] == 1


@contextmanager
def working() -> Iterator[None]:
    """This process is at a chunk."""
    slot = 1 + (getattr(current_process(), "index", None) or 0) % SLOTS
    _bytes[slot] = 1
    try:
        yield
    finally:
        _bytes[slot] = 0


def await_idle(timeout: float) -> bool:
    """Wait until no process is at a chunk; False if `timeout` seconds were not enough."""
    deadline = time.monotonic() + timeout
    while any(_bytes[1:]):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def put_off() -> Iterator[None]:
    """Signals wait for the end of this.

    Celery waits for its pool inside of a signal's handler, that is in the middle of whatever the
    main process does; if that has the database's lock, the pool waits for it in its turn.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # no handler runs here
        return
    came: list[int] = []

    def note(number: int, _frame: object) -> None:
        came.append(number)

    before = {number: signal.signal(number, note) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)


def forget() -> None:
    """Start anew; for tests."""
    _bytes[:] = bytes(len(_bytes))
