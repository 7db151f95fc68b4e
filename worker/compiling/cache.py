"""numba's cache of compiled functions, in which no two processes compile the same function."""

import fcntl
import os
from contextlib import suppress
from time import perf_counter_ns, sleep
from typing import Any

from numba.core.caching import FunctionCache

from worker.compiling.log import spent

#: a process that is suspended while it compiles does not keep others waiting for longer
MAX_WAIT_NS = 60 * 10**9


class WaitingCache(FunctionCache):
    """While one process compiles a function of a folder, others that need one wait, and load it.

    numba has no public name for the cache of a function, `_cache`, so this one is used only with
    the versions that it was tried with.
    """

    _lock: int | None = None  #: the folder, opened and locked by this process

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return a function that was stored, or None, and lock the folder until it is stored."""
        # numba's `load_overload` would first load all that it needs to compile, which takes longer
        # than all other steps of a start.
        load: Any = self._load_overload
        found = load(sig, target_context)
        if found is None:
            self._acquire()
            found = load(sig, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a function."""
        save: Any = super().save_overload
        try:
            save(sig, data)
        finally:
            self.release()

    def _acquire(self) -> None:
        began = perf_counter_ns()
        with suppress(OSError):  # not all file systems have locks: then each process compiles
            self._lock = os.open(self.cache_path, os.O_RDONLY)
            while not _locked(self._lock) and perf_counter_ns() - began < MAX_WAIT_NS:
                sleep(0.05)
        spent.wall_ns += perf_counter_ns() - began

    def release(self) -> None:
        """Let other processes go on, if they were to wait."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
