"""Batches: the puzzles of one submission."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, insert, select, update

from storage.clock import utc
from storage.errors import AmbiguousName, NoSuchBatch
from storage.tables import PAUSED, batch, chunk, meta
from storage.values import LAST, BatchKey, ChunkState, Priority, printable

#: the largest number that the column `batch.id` has room for in PostgreSQL
MAX_ID = 2**31 - 1
#: begins the key in `meta` of the process that stores a batch, or solves it alone
OWNER = "owner "
#: the conditions on a batch for its chunks to be sent and taken
LIVE = (batch.c.ready == 1, batch.c.cancelled_at.is_(None), batch.c.active != PAUSED)


@dataclass(frozen=True, slots=True)
class Batch:
    """One submission.  Its puzzles have consecutive ids in input order, from `first_id` on."""

    id: int
    name: str | None
    source: str
    kind: str  #: sudoku, target, cover or mixed
    options: dict[str, Any]  #: how to solve it, and how its files were read
    puzzles: int
    first_id: int
    queue: str
    ready: bool  #: all its chunks are stored, so workers may take them
    created_at: str
    cancelled_at: str | None
    priority: Priority  #: its share of the workers, compared with other batches
    paused: bool = False  #: workers take none of its chunks until it is resumed

    @property
    def title(self) -> str:
        """Its number and its name, for people."""
        return f"batch {self.id} {self.name}" if self.name else f"batch {self.id}"

    @property
    def last_id(self) -> int:
        """The id of its last puzzle; `first_id` - 1 if it has none."""
        return self.first_id + self.puzzles - 1

    @property
    def ids(self) -> tuple[int, int]:
        """The ids of its first and its last puzzle."""
        return self.first_id, self.last_id

    def blocks(self, puzzles: int) -> Iterator[tuple[int, int]]:
        """Yield the ids of the first and the last puzzle of each block of `puzzles`."""
        for first in range(self.first_id, self.last_id + 1, puzzles):
            yield first, min(first + puzzles - 1, self.last_id)


def create(
    connection: Connection,
    *,
    name: str | None,
    source: str,
    kind: str,
    options: dict[str, Any],
    puzzles: int,
    queue: str,
    priority: Priority = Priority.NORMAL,
) -> Batch:
    """Insert a batch that is not ready yet, and reserve ids for its puzzles."""
    values = {
        "id": _reserve(connection, "batches", 1),
        "name": name and printable(name),
        "source": printable(source),
        "kind": kind,
        "options": json.dumps(options),
        "puzzles": puzzles,
        "first_id": _reserve(connection, "puzzles", puzzles),
        "queue": queue,
        "ready": 0,
        "created_at": utc(),
        "priority": priority.value,
    }
    (made,) = selected(connection, insert(batch).values(values).returning(*batch.c))
    return made


def find(connection: Connection, key: BatchKey) -> Batch:
    """Return a batch by number or name, the newest for LAST; raise NoSuchBatch or AmbiguousName."""
    if key == LAST:
        found = newest(connection, 1)
        missing = ("there are no batches yet", "solve or submit something first")
    elif isinstance(key, str):
        named = select(batch).where(batch.c.ready == 1, batch.c.name == printable(key))
        found = selected(connection, named.order_by(batch.c.id))
        missing = (f"there is no batch named {key!r}", "see bullseye status")
    else:
        # PostgreSQL rejects a number beyond the column's type, and users may enter any.
        same_id = batch.c.id == (key if 0 < key <= MAX_ID else 0)
        found = selected(connection, select(batch).where(same_id))
        missing = (f"there is no batch {key}", "see bullseye status")
    if not found:
        raise NoSuchBatch(*missing)
    if len(found) > 1:
        *first, last = (str(one.id) for one in found)
        numbers = f"{', '.join(first)} and {last}"
        raise AmbiguousName(f"the batches {numbers} are all named {key!r}", "give a number")
    return found[0]


def newest(
    connection: Connection, first: int | None = None, *, being_stored: bool = False
) -> list[Batch]:
    """Return the batches that are ready, newest first, and at most `first` of them if given.

    With `being_stored`, those whose submission goes on or was interrupted are included.
    """
    listed = batch.c.ready == 1
    if being_stored:
        listed |= batch.c.cancelled_at.is_(None)
    wanted = select(batch).where(listed).order_by(batch.c.id.desc()).limit(first)
    return selected(connection, wanted)


def cancel(connection: Connection, batch_id: int) -> bool:
    """Cancel a batch, paused or not: none of its chunks is sent or taken any more.

    Returns False if it has already finished or was cancelled before; raises NoSuchBatch.
    """
    find(connection, batch_id)
    to_do = select(chunk.c.id).where(unfinished(batch_id)).exists()
    cancelled = update(batch).where(batch.c.id == batch_id, batch.c.cancelled_at.is_(None))
    cancelled = cancelled.where((batch.c.ready == 0) | to_do).values(cancelled_at=utc(), active=1)
    return connection.execute(cancelled).rowcount > 0


def unfinished(batch_id: int) -> ColumnElement[bool]:
    """Return the condition that a chunk belongs to a batch and is not done."""
    return (chunk.c.batch_id == batch_id) & (chunk.c.state != ChunkState.DONE)


def has_chunks_left(connection: Connection, batch_id: int) -> bool:
    """Return whether some chunk of a batch is not done."""
    left = select(chunk.c.id).where(unfinished(batch_id)).limit(1)
    return connection.execute(left).first() is not None


def lock(connection: Connection, batch_id: int) -> Batch:
    """Lock a batch, and return it; workers may still complete its chunks.  Raises NoSuchBatch."""
    found = find(connection, batch_id)
    wanted = select(batch).where(batch.c.id == found.id).with_for_update(key_share=True)
    (locked,) = selected(connection, wanted)
    return locked


def _reserve(connection: Connection, counter: str, ids: int) -> int:
    """Reserve ids, which are never used again, and return the first; locks the counter."""
    row = meta.c.key == counter
    value = connection.execute(select(meta.c.value).where(row).with_for_update()).scalar_one()
    connection.execute(update(meta).where(row).values(value=str(int(value) + ids)))
    return int(value) + 1


def selected(connection: Connection, wanted: Executable) -> list[Batch]:
    """Return the rows of the table that a statement returns as batches."""
    found = []
    for row in connection.execute(wanted).mappings():
        values: dict[str, Any] = {one.name: row.get(one.name) for one in fields(Batch)}
        values |= {
            "options": json.loads(row["options"]),
            "ready": bool(row["ready"]),
            "priority": Priority(row["priority"]),
            "paused": row["active"] == PAUSED,
        }
        found.append(Batch(**values))
    return found
