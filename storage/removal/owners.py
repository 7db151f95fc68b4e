"""Which process stores a batch or solves it alone, so that others can tell that it has died.

A row of `meta` with the key `owner ID` has the process table, the process id and the batch's queue.
Only a process of the same table, that is of the same machine and container, is judged.
"""

import os
import platform
import uuid
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, insert, select

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.removal import deletion
from storage.tables import meta

_PREFIX = "owner "


def own(connection: Connection, batch_id: int) -> None:
    """Note that a batch ends with this process, until `disown`."""
    value = f"{_process_table()} {os.getpid()}"
    connection.execute(insert(meta).values(key=f"{_PREFIX}{batch_id}", value=value))


def disown(connection: Connection, batch_id: int) -> None:
    """Note that workers solve a batch, or that it is over."""
    connection.execute(delete(meta).where(meta.c.key == f"{_PREFIX}{batch_id}"))


def end_orphans(engine: Engine) -> None:
    """End the batches of processes that have died: delete what was not stored whole, cancel others.

    Their answers are kept.
    """
    with read(engine) as connection:
        orphans = _orphans(connection)
    for batch_id in orphans:
        try:
            with write(engine) as connection:
                whole = batches.find(connection, batch_id)
                if whole.ready:
                    batches.cancel(connection, batch_id)
            if not whole.ready:
                deletion.withdraw(engine, whole)
        except NoSuchBatch:
            pass
        with write(engine) as connection:
            disown(connection, batch_id)


def _orphans(connection: Connection) -> list[int]:
    wanted = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(_PREFIX))
    found = []
    for key, value in connection.execute(wanted):
        table, _, process = value.rpartition(" ")
        if table == _process_table() and not _is_alive(int(process)):
            found.append(int(key.removeprefix(_PREFIX)))
    return found


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
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
