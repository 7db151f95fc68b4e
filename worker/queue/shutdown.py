"""The state of a worker's shutdown and of its pool, in memory that all its processes share.

Celery notifies only the main process of a shutdown.  Here the main process sets a flag; a pool
process reads it between two slices of a search, stores the answers it has and gives the rest of
its chunk back.  Each pool process notes which chunk it solves, so that the main process waits no
longer than needed, and so that the chunk of a process that has died can be told from others.
"""

import logging
import mmap
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from billiard import active_children, current_process

#: pool processes with a slot of their own; above this number they share slots
MAX_PROCESSES = 4095
#: signals that end a worker
SHUTDOWN_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
#: seconds within which a worker ends after a signal, whatever it waits for
END_SECONDS = 14.5
#: seconds between two reads of the slots of the pool
IDLE_POLL_SECONDS = 0.02

logger = logging.getLogger(__name__)


def _shared_numbers() -> memoryview:
    """Return an array of 64-bit numbers, one per pool process, that all of them share."""
    # Anonymous and shared, so all processes forked after this line see the same bytes.
    return memoryview(mmap.mmap(-1, 8 * MAX_PROCESSES)).cast("Q")


_begun = mmap.mmap(-1, 1)
# Of each pool process: its process id while it solves a chunk, else 0; and the id of that chunk.
_pids, _chunks = _shared_numbers(), _shared_numbers()
_timers: list[threading.Timer] = []
# How often each pool process has become busy, modulo 256.
_starts = mmap.mmap(-1, MAX_PROCESSES)


def reset() -> None:
    """Forget the last worker's shutdown and pool; to be called before the pool is forked."""
    _begun[0] = 0
    while _timers:
        _timers.pop().cancel()
    for slot, pid in enumerate(_pids):
        if pid:
            _pids[slot] = 0


def begin() -> None:
    """Ask the pool processes to give their chunks back."""
    _begun[0] = 1


def begin_to_end() -> None:
    """Begin, in the main process, the shutdown of a worker that ends within END_SECONDS."""
    if not begun():
        begin()
        after(END_SECONDS, end_by_force)


def after(seconds: float, action: Callable[[], None]) -> None:
    """Call `action` in so many seconds, if this process lives then; no process may be forked."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    _timers.append(timer)
    timer.start()


def kill_pool() -> None:
    """Kill the pool processes of this process."""
    for process in active_children():
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def end_by_force() -> None:
    """End this process and its pool at once, as one that was told to end."""
    kill_pool()
    logger.warning("the worker ends by force: Redis or the database did not answer in time")
    logging.shutdown()
    os._exit(os.EX_OK)


def begun() -> bool:
    """Return whether the worker of this process is shutting down."""
    return _begun[0] == 1


@contextmanager
def working(chunk_id: int) -> Iterator[None]:
    """Note that this pool process solves a chunk, so that a shutdown waits for it."""
    slot = _slot()
    _chunks[slot] = chunk_id
    _pids[slot] = os.getpid()
    _starts[slot] = (_starts[slot] + 1) % 256
    try:
        yield
    finally:
        _pids[slot] = 0


def take_place() -> int | None:
    """Mark this pool process as not busy; return the chunk that it must give back, if any.

    That is the chunk of a process that was killed, and whose place in the pool this one takes.
    """
    slot = _slot()
    pid, _pids[slot] = _pids[slot], 0
    return _chunks[slot] if pid else None


def is_solved_by_another(chunk_id: int) -> bool:
    """Return whether another pool process of this worker, which is alive, solves the chunk."""
    ours = _slot()
    slots = (slot for slot, pid in enumerate(_pids) if pid and slot != ours)
    return any(_chunks[slot] == chunk_id and _is_alive(_pids[slot]) for slot in slots)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def busy() -> int:
    """Return the number of pool processes that are busy."""
    return sum(map(bool, _pids))


def starts() -> bytes:
    """Return a value that is another one after any pool process has become busy."""
    return bytes(_starts)


def await_idle(timeout: float) -> bool:
    """Wait until no pool process is busy; False if that took more than `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while any(_pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(IDLE_POLL_SECONDS)
    return True


def _slot() -> int:
    return (getattr(current_process(), "index", None) or 0) % MAX_PROCESSES


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
        begin_to_end()
        received.append(number)

    handlers = {number: signal.signal(number, defer) for number in SHUTDOWN_SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for deferred in received:
            signal.raise_signal(deferred)
