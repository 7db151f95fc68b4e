"""Batches: the puzzles of one submission."""

import json
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import BigInteger, Connection, RowMapping, insert, literal, select, update

from storage.clock import utc
from storage.errors import AmbiguousName, NoSuchBatch
from storage.tables import batch, chunk, meta
from storage.values import LAST, MAX_INTEGER, BatchKey, ChunkState, Priority, printable


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

    @property
    def last_id(self) -> int:
        """The id of its last puzzle; `first_id` - 1 if it has none."""
        return self.first_id + self.puzzles - 1

    @property
    def ids(self) -> tuple[int, int]:
        """The ids of its first and its last puzzle."""
        return self.first_id, self.last_id


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
    made = connection.execute(insert(batch).values(values).returning(*batch.c))
    return from_row(made.mappings().one())


def find(connection: Connection, key: BatchKey) -> Batch:
    """Return a batch by its number or name, or the newest for LAST.

    Raises NoSuchBatch, and AmbiguousName if several batches have the name.
    """
    if isinstance(key, str):
        return _find_last(connection) if key == LAST else _find_named(connection, key)
    # BigInteger: PostgreSQL rejects a number beyond the column's type, and users may enter any.
    same_id = batch.c.id == literal(key if 0 < key <= MAX_INTEGER else 0, BigInteger)
    row = connection.execute(select(batch).where(same_id)).mappings().first()
    if row is None:
        raise NoSuchBatch(f"there is no batch {key}", "see bullseye status")
    return from_row(row)


def _find_last(connection: Connection) -> Batch:
    for found in newest(connection, 1):
        return found
    raise NoSuchBatch("there are no batches yet", "solve or submit something first")


def _find_named(connection: Connection, name: str) -> Batch:
    wanted = select(batch).where(batch.c.ready == 1, batch.c.name == printable(name))
    found = connection.execute(wanted.order_by(batch.c.id)).mappings().all()
    if not found:
        raise NoSuchBatch(f"there is no batch named {name!r}", "see bullseye status")
    if len(found) > 1:
        *first, last = (str(row["id"]) for row in found)
        numbers = f"{', '.join(first)} and {last}"
        raise AmbiguousName(f"the batches {numbers} are all named {name!r}", "give a number")
    return from_row(found[0])


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
    return [from_row(row) for row in connection.execute(wanted).mappings()]


def cancel(connection: Connection, batch_id: int) -> bool:
    """Cancel a batch: none of its chunks is sent or taken any more.

    Returns False if it has already finished or was cancelled before; raises NoSuchBatch.
    """
    find(connection, batch_id)
    unfinished = select(chunk.c.id).where(
        chunk.c.batch_id == batch_id, chunk.c.state != ChunkState.DONE
    )
    changed = connection.execute(
        update(batch)
        .where(batch.c.id == batch_id, batch.c.cancelled_at.is_(None))
        .where((batch.c.ready == 0) | unfinished.exists())
        .values(cancelled_at=utc())
    )
    return changed.rowcount > 0


def lock(connection: Connection, batch_id: int) -> Batch:
    """Return a batch, and lock its row until the transaction ends; raise NoSuchBatch.

    Its chunks are not locked, so workers may complete them meanwhile.
    """
    found = find(connection, batch_id)
    wanted = select(batch).where(batch.c.id == found.id).with_for_update(key_share=True)
    return from_row(connection.execute(wanted).mappings().one())


def _reserve(connection: Connection, counter: str, ids: int) -> int:
    """Reserve ids and return the first; the row of their counter stays locked until the commit.

    Ids of deleted batches are not used again.
    """
    row = meta.c.key == counter
    value = connection.execute(select(meta.c.value).where(row).with_for_update()).scalar_one()
    connection.execute(update(meta).where(row).values(value=str(int(value) + ids)))
    return int(value) + 1


def from_row(row: RowMapping) -> Batch:
    """Return a row of the table as a batch."""
    values = {field.name: row[field.name] for field in fields(Batch)}
    return Batch(
        **{
            **values,
            "options": json.loads(values["options"]),
            "ready": bool(values["ready"]),
            "priority": Priority(values["priority"]),
        }
    )
