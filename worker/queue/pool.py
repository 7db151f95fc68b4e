"""The processes of a worker's pool, as all of them see it: which chunk each one solves.

Each pool process notes its chunk in shared memory, so that a shutdown waits no longer than needed,
and so that the chunk of a process that has died can be told from others.
"""

import logging
import mmap
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from billiard import active_children, current_process
from sqlalchemy import Connection

from storage.database import open_database, write
from storage.errors import StorageError
from storage.outbox import leases
from storage.removal import is_alive

#: pool processes with a slot of their own; above this number they share slots
MAX_PROCESSES = 4095
#: seconds between two reads of the slots of the pool
IDLE_POLL_SECONDS = 0.02
#: seconds that a new pool process waits for a locked database: Celery kills one that is not ready
#: within 4 s
BUSY_SECONDS = 1.0

logger = logging.getLogger(__name__)


def _shared_numbers() -> memoryview:
    """Return an array of 64-bit numbers, one per pool process, that all of them share."""
    # Anonymous and shared, so all processes forked after this line see the same bytes.
    return memoryview(mmap.mmap(-1, 8 * MAX_PROCESSES)).cast("Q")


# Of each pool process: its process id while it solves a chunk, else 0; and the id of that chunk.
_pids, _chunks = _shared_numbers(), _shared_numbers()
# How often each pool process has become busy, modulo 256.
_starts = mmap.mmap(-1, MAX_PROCESSES)


def reset() -> None:
    """Forget the last worker's pool; to be called before the pool is forked."""
    for slot, pid in enumerate(_pids):
        if pid:
            _pids[slot] = 0


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
