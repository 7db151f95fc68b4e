"""Names of processes by which others of the same machine and container see that they have died."""

import os
import platform
import uuid
from functools import lru_cache
from pathlib import Path


def own_name() -> str:
    """Return the name of this process: its process table, and its id in that."""
    return f"{_process_table()} {os.getpid()}"


def has_died(name: str) -> bool:
    """Return whether a process is known to have died, as only those of our table can be.

    >>> has_died(own_name()), has_died("another table 1"), has_died("")
    (False, False, False)
    """
    table, _, process = name.rpartition(" ")
    return table == _process_table() and process.isdecimal() and not is_alive(int(process))


def is_alive(process: int) -> bool:
    """Return whether a process of our table is alive, given its id."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it belongs to another user
        pass
    return True


@lru_cache(maxsize=1)
def _process_table() -> str:
    """Return a name of the table in which this process has its id."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:  # not on Linux
        return f"{platform.node()}/{uuid.getnode():x}"
