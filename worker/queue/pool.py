"""The processes of a worker: which chunk each of them solves, and how all of them end.

Each pool process notes its chunk in shared memory, so that a shutdown waits no longer than needed,
and so that the chunk of a process that has died can be told from others.

A worker ends within END_SECONDS, whatever it waits for.  Celery notifies only the main process of a
shutdown.  Here the main process sets a flag; a pool process reads it between two slices of a
search, stores the answers it has and gives the rest of its chunk back.
"""

import logging
import mmap
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import Any

from billiard import active_children, current_process
from celery.apps.worker import Worker
from celery.platforms import EX_FAILURE, SecurityWarning
from sqlalchemy import Connection

from storage import signals
from storage.database import open_database, write
from storage.errors import StorageError
from storage.outbox import leases
from storage.outbox.removal import is_alive
from worker import outages
from worker.queue import logs

#: pool processes with a slot of their own; above this number they share slots
MAX_PROCESSES = 4095
#: seconds between two reads of the slots of the pool
IDLE_POLL_SECONDS = 0.02
#: seconds that a new pool process waits for a locked database: Celery kills one that is not ready
#: within 4 s
BUSY_SECONDS = 1.0
#: signals that end a worker
SHUTDOWN_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
#: seconds within which a worker ends after a signal
END_SECONDS = 14.5
#: seconds after a soft shutdown in which the idle processes of the pool end
POOL_END_SECONDS = 3.0
#: seconds after a soft shutdown in which the main process ends
EXIT_SECONDS = 4.5

logger = logging.getLogger(__name__)
_timers: list[threading.Timer] = []


def _shared_numbers() -> memoryview:
    """Return an array of 64-bit numbers, one per pool process, that all of them share."""
    # Anonymous and shared, so all processes forked after this line see the same bytes.
    return memoryview(mmap.mmap(-1, 8 * MAX_PROCESSES)).cast("Q")


# Of each pool process: its process id while it solves a chunk, else 0; and the id of that chunk.
_pids, _chunks = _shared_numbers(), _shared_numbers()
# How often each pool process has become busy, modulo 256.
_starts = mmap.mmap(-1, MAX_PROCESSES)


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


def is_solved_by_another(chunk_id: int) -> bool:
    """Return whether another pool process of this worker, which is alive, solves the chunk."""
    ours = _slot()
    slots = (slot for slot, pid in enumerate(_pids) if pid and slot != ours)
    return any(_chunks[slot] == chunk_id and is_alive(_pids[slot]) for slot in slots)


def busy() -> int:
    """Return the number of pool processes that are busy."""
    return sum(map(bool, _pids))


def starts() -> bytes:
    """Return a value that is another one after any pool process has become busy."""
    return bytes(_starts)


def await_idle(timeout: float) -> None:
    """Wait until no pool process is busy, for `timeout` seconds at most."""
    deadline = time.monotonic() + timeout
    while busy() and time.monotonic() <= deadline:
        time.sleep(IDLE_POLL_SECONDS)


def kill() -> None:
    """Kill the pool processes of this process."""
    for process in active_children():
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def give_back(database_url: str, worker: str) -> None:
    """Give back the chunk of the killed process that this new pool process replaces, if any.

    Celery delivers the message of that process again, but maybe to another worker, which cannot
    know that the lease is without a holder; it would expire a minute later.
    """
    slot = _slot()
    pid, _pids[slot] = _pids[slot], 0
    if not pid:
        return
    try:
        engine = open_database(database_url, pool=False, busy_seconds=BUSY_SECONDS)
        with write(engine) as connection:
            end_lease(connection, _chunks[slot], worker)
    except StorageError as error:
        logger.warning("chunk %d is solved when its lease has expired: %s", _chunks[slot], error)


def end_lease(connection: Connection, chunk_id: int, worker: str) -> None:
    """End the lease of a process of this worker that has died, if it holds one on the chunk."""
    attempt_number = leases.held_by(connection, chunk_id, worker)
    # In this order: a process notes the chunk before it takes the lease.
    if attempt_number is not None and not is_solved_by_another(chunk_id):
        leases.end(connection, chunk_id, attempt_number)


def _slot() -> int:
    return (getattr(current_process(), "index", None) or 0) % MAX_PROCESSES


# --- the shutdown ---


def reset() -> None:
    """Forget the last worker's shutdown and pool; to be called before the pool is forked."""
    outages.set_ending(False)
    while _timers:
        _timers.pop().cancel()
    for slot, pid in enumerate(_pids):
        if pid:
            _pids[slot] = 0


def begin_shutdown(**_: object) -> None:
    """Begin, in the main process, the shutdown of a worker that ends within END_SECONDS."""
    if not outages.is_ending():
        outages.set_ending(True)
        after(END_SECONDS, end_by_force)


def after(seconds: float, action: Callable[[], None]) -> None:
    """Call `action` after `seconds`, if this process lives then; no process may be forked."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    _timers.append(timer)
    timer.start()


def end_by_force() -> None:
    """End this process and its pool at once, as one that was told to end."""
    kill()
    logger.warning("the worker ends by force: Redis or the database did not answer in time")
    logging.shutdown()
    os._exit(os.EX_OK)


def defer(number: signal.Signals) -> None:
    """Let the handler of a signal run after a transaction, not inside it.

    Celery waits for its pool inside a signal handler.  If the main process held the database's
    write lock at that moment, the pool would wait for the lock and the handler for the pool.
    """
    handler = signal.getsignal(number)
    if not callable(handler):
        return

    def handle(number: int, frame: FrameType | None) -> None:
        begin_shutdown()
        signals.call(partial(handler, number, frame))

    signal.signal(number, handle)


class SoftShutdownWorker(Worker):  # type: ignore[misc] # celery ships no types
    """A Celery worker whose soft shutdown ends as soon as its pool is idle.

    Celery's own method sleeps for the whole `worker_soft_shutdown_timeout` if a task runs when the
    shutdown begins.  No bootstep can shorten it: Celery calls it before it stops the first step.
    """

    def on_before_init(self, **options: Any) -> None:
        """Do what Celery does, without its warning of a worker that root runs.

        It warns of messages that execute code.  Here they are JSON and made anew from their ids.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)
            super().on_before_init(**options)
        vars(sys)["__stdout__"] = None  # where Celery writes lines about signals, without time

    def install_platform_tweaks(self, worker: Worker) -> None:
        """Install Celery's handlers of signals, so that they run between two transactions."""
        super().install_platform_tweaks(worker)
        for number in SHUTDOWN_SIGNALS:
            defer(number)

    def start(self) -> None:
        """Run until the worker ends; raises SystemExit unless it was told to end.

        Celery itself drops the exit code of a worker that is not started by its own command.
        """
        super().start()
        was_told = outages.is_ending() and self.exitcode == EX_FAILURE  # Celery's after Ctrl-C
        if self.exitcode and not was_told:
            raise SystemExit(self.exitcode)

    def wait_for_soft_shutdown(self) -> None:
        """Ask the pool to give its chunks back, and wait until it has.

        Celery calls this in a signal handler, which may have interrupted it in the middle of a
        message to a pool process.  That process then waits for the rest of the message, and Celery
        for the process; so a pool that has not ended after POOL_END_SECONDS is killed.  Celery also
        waits for Redis, several times, so the process ends by force after EXIT_SECONDS.
        """
        begin_shutdown()
        began, chunks = time.monotonic(), busy()
        await_idle(self.app.conf.worker_soft_shutdown_timeout)
        left, seconds = busy(), time.monotonic() - began
        if left:
            held = f"{left} of {chunks} chunks stay taken until their leases expire"
        else:
            held = f"{chunks} {'chunk was' if chunks == 1 else 'chunks were'} stored or given back"
        logs.always.info("%s ends: %s in %.1f s", self.hostname, held, seconds)
        after(POOL_END_SECONDS, kill)
        after(EXIT_SECONDS, end_by_force)
