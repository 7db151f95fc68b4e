"""Deletes batches with everything that belongs to them, and returns free space to the system.

The first transaction deletes the chunks: from then on a worker that still holds one can store
nothing more, because every transaction with answers begins by updating its chunk.  It also hides
the batch.  The answers follow in slices, so that workers never wait long for the database, and the
batch comes last: if the deletion is interrupted, deleting the batch again completes it.

A batch belongs to the process that stores it, or that solves it alone: a row of `meta` with the key
`owner ID` has its name.  Once that process has died, any command of its machine ends the batch.
"""

import os
import platform
import uuid
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, and_, delete, func, insert, or_, select, update

from storage import batches
from storage.archive import catalogue
from storage.batches import OWNER, Batch
from storage.clock import utc
from storage.database import read, translated_errors, write
from storage.errors import BatchUnfinished, NoSuchBatch
from storage.tables import (
    answer,
    archive,
    batch,
    candidate,
    chunk,
    extra,
    fact,
    fingerprint,
    meta,
    metadata,
    origin,
    part,
    payload,
    search,
    search_worker,
    solution,
    summary,
)
from storage.values import ChunkState

#: puzzles whose answers one transaction deletes; 50,000 take about 0.2 s
SLICE_PUZZLES = 50_000
#: bytes that an answer takes apart from its puzzle and solution, about
BYTES_PER_ANSWER = 40
#: bytes that a part of a search takes after its end, with its chunk; before it, 375 and more
BYTES_PER_PART = 166
#: seconds after which a batch that is not ready was left by an interrupted submission
ABANDONED_SECONDS = 3600.0


class Content(NamedTuple):
    """What belongs to a batch."""

    batch: Batch
    answers: int
    bytes: int  #: of the answers and of the parts of searches, about
    folder: str | None  #: of the files, if it is archived; they are not deleted


def content(connection: Connection, batch_id: int) -> Content:
    """Return what deleting a batch would remove; raise NoSuchBatch."""
    whole = batches.find(connection, batch_id)
    texts = func.length(answer.c.puzzle) + func.coalesce(func.length(answer.c.solution), 0)
    counted = select(func.count(), func.coalesce(func.sum(texts + BYTES_PER_ANSWER), 0))
    answers, size = connection.execute(counted.where(answer.c.id.between(*whole.ids))).one()
    cut = select(func.coalesce(func.sum(search.c.parts), 0))
    parts = connection.execute(cut.where(search.c.id.between(*whole.ids))).scalar_one()
    files = catalogue.of_batch(connection, batch_id)
    folder = str(Path(files[0].path).parent) if files else None
    return Content(whole, answers, int(size) + int(parts) * BYTES_PER_PART, folder)


def older_than(connection: Connection, seconds: float) -> list[Batch]:
    """Return the batches that were created at least `seconds` ago, oldest first.

    Those that are not ready are included: interrupted submissions and deletions have left them.
    """
    wanted = select(batch).where(batch.c.created_at <= utc(seconds)).order_by(batch.c.id)
    return batches.selected(connection, wanted)


def check_finished(connection: Connection, batch_id: int) -> None:
    """Raise BatchUnfinished if a batch is neither done nor cancelled."""
    if is_unfinished(connection, batch_id):
        raise BatchUnfinished(
            f"batch {batch_id} is not finished", f"cancel it first with bullseye cancel {batch_id}"
        )


def is_unfinished(connection: Connection, batch_id: int) -> bool:
    """Return whether a batch is being submitted or solved; a cancelled one is not."""
    to_do = select(chunk.c.id).where(batches.unfinished(batch_id))
    is_solved = and_(batch.c.ready == 1, to_do.exists())
    is_submitted = and_(batch.c.ready == 0, batch.c.created_at > utc(ABANDONED_SECONDS))
    unfinished = select(batch.c.id).where(
        batch.c.id == batch_id, batch.c.cancelled_at.is_(None), or_(is_solved, is_submitted)
    )
    return connection.execute(unfinished).first() is not None


def delete_batch(engine: Engine, batch_id: int, *, slice_puzzles: int = SLICE_PUZZLES) -> list[int]:
    """Delete a batch, its chunks and its answers.

    Returns the ids of those of its chunks whose messages may still be in Redis.  Raises
    NoSuchBatch, and BatchUnfinished if it is neither done nor cancelled.
    """
    with write(engine) as connection:
        whole = batches.lock(connection, batch_id)
        check_finished(connection, batch_id)
        sent = _delete_chunks(connection, batch_id)
    _delete_rest(engine, whole, slice_puzzles)
    return sent


def withdraw(engine: Engine, whole: Batch) -> None:
    """Delete what is stored of a batch whose submission has failed."""
    with write(engine) as connection:
        _delete_chunks(connection, whole.id)
    _delete_rest(engine, whole, SLICE_PUZZLES)


def _delete_rest(engine: Engine, whole: Batch, slice_puzzles: int) -> None:
    """Delete the answers of a batch in slices, then the batch."""
    for first, last in whole.blocks(slice_puzzles):
        with write(engine) as connection:
            _delete_answers(connection, first, last)
    with write(engine) as connection:
        connection.execute(delete(batch).where(batch.c.id == whole.id))


def _delete_chunks(connection: Connection, batch_id: int) -> list[int]:
    """Hide a batch, and delete its chunks and summaries; return the chunks that were under way."""
    cancelled_at = func.coalesce(batch.c.cancelled_at, utc())
    hidden = update(batch).values(ready=0, cancelled_at=cancelled_at)
    connection.execute(hidden.where(batch.c.id == batch_id))
    # The chunks are locked before the parts, as by a worker that ends a turn.
    ours = select(chunk.c.id).where(chunk.c.batch_id == batch_id)
    connection.execute(ours.with_for_update())
    # After the locks, so that those of a worker that has just completed its chunk go too.
    for table in (summary, fingerprint, archive):
        connection.execute(delete(table).where(table.c.batch_id == batch_id))
    connection.execute(delete(part).where(part.c.chunk_id.in_(ours)))
    connection.execute(delete(payload).where(payload.c.chunk_id.in_(ours)))
    deleted = connection.execute(
        delete(chunk).where(chunk.c.batch_id == batch_id).returning(chunk.c.id, chunk.c.state)
    )
    return [id_ for id_, state in deleted if state in (ChunkState.SENT, ChunkState.TAKEN)]


def _delete_answers(connection: Connection, first: int, last: int) -> None:
    for column in (
        solution.c.answer_id,
        extra.c.answer_id,
        origin.c.first_id,
        fact.c.answer_id,
        answer.c.id,
        candidate.c.search_id,
        search_worker.c.search_id,
        search.c.id,
    ):
        connection.execute(delete(column.table).where(column.between(first, last)))


def vacuum(engine: Engine) -> tuple[int, int]:
    """Return the space of deleted rows to the file system; return the bytes before and after.

    Without this, later answers use it.  The whole database is rewritten: it is locked meanwhile,
    and needs as much space again.  Raises DatabaseBusy if others keep it locked.
    """
    with translated_errors(engine), closing(engine.raw_connection()) as connection:
        connection.detach()  # closed at the end, because it commits each statement
        driver: Any = connection.dbapi_connection
        if engine.dialect.name == "sqlite":
            size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            statements = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"]
        else:
            driver.autocommit = True
            size = "SELECT pg_database_size(current_database())"
            tables = ", ".join(made.name for made in metadata.sorted_tables)
            statements = [f"VACUUM (FULL, ANALYZE) {tables}"]
        ((before,),) = driver.execute(size).fetchall()
        for statement in statements:
            driver.execute(statement).close()
        ((after,),) = driver.execute(size).fetchall()
        return before, after


# --- batches whose process has died ---


def own(connection: Connection, batch_id: int) -> None:
    """Note that a batch ends with this process, until `disown`."""
    connection.execute(insert(meta).values(key=f"{OWNER}{batch_id}", value=own_name()))


def disown(connection: Connection, batch_id: int) -> None:
    """Note that workers solve a batch, or that it is over."""
    connection.execute(delete(meta).where(meta.c.key == f"{OWNER}{batch_id}"))


def end_orphans(engine: Engine) -> None:
    """End the batches of dead processes: delete those not stored whole, cancel the others."""
    wanted = select(meta.c.key, meta.c.value).where(meta.c.key.startswith(OWNER))
    with read(engine) as connection:
        owners = connection.execute(wanted).all()
    for batch_id in (int(key.removeprefix(OWNER)) for key, name in owners if has_died(name)):
        try:
            with write(engine) as connection:
                whole = batches.find(connection, batch_id)
                if whole.ready:
                    batches.cancel(connection, batch_id)
            if not whole.ready:
                withdraw(engine, whole)
        except NoSuchBatch:
            pass
        with write(engine) as connection:
            disown(connection, batch_id)


# --- processes of this machine and container ---


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
