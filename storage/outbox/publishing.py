"""Publishing: claims new chunks for sending (new -> sent), and undoes claims if sending fails."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Row,
    String,
    bindparam,
    func,
    insert,
    select,
    text,
    update,
)

from storage.clock import utc
from storage.packing import Packed
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import ChunkState

#: greatest number of chunks that one call claims, so that its transaction takes less than a second
MAX_CLAIMED_CHUNKS = 1000
#: greatest number of bytes of new chunks that one call claims
MAX_CLAIMED_BYTES = 4 << 20


class Chunk(NamedTuple):
    """A chunk to be published."""

    id: int
    batch_id: int
    puzzles: str  #: the text that `storage.packing` makes of them


def add_many(connection: Connection, batch_id: int, packed: Iterable[Packed]) -> None:
    """Insert new chunks into a batch."""
    made = [
        {
            "batch_id": batch_id,
            "kind": one.kind.value,
            "count": one.count,
            "answered": 0,
            "bytes": len(one.puzzles),
            "puzzles": one.puzzles,
            "digest": one.digest,
            "state": ChunkState.NEW.value,
            "attempts": 0,
        }
        for one in packed
    ]
    if made:
        connection.execute(insert(chunk), made)


def publishable(queue: str | ColumnElement[str]) -> list[ColumnElement[bool]]:
    """Return the conditions on `batch` for its chunks to be sent: queue, ready, not cancelled."""
    return [batch.c.queue == queue, batch.c.ready == 1, batch.c.cancelled_at.is_(None)]


# Statements that run for every chunk are built once: building one takes longer than running it.
_queue: ColumnElement[str] = bindparam("of_queue", type_=String)
_bytes_under_way = (
    select(func.coalesce(func.sum(chunk.c.bytes), 0))
    .join(batch)
    .where(batch.c.queue == _queue, text(UNDER_WAY))
)
_new_chunks = (
    select(chunk.c.id, chunk.c.bytes)
    .join(batch)
    .where(chunk.c.state == ChunkState.NEW, *publishable(_queue))
    .order_by(batch.c.id, chunk.c.id)
    .limit(bindparam("most", type_=Integer))
)
_send = (
    update(chunk)
    .values(state=ChunkState.SENT, sent_at=utc())
    .returning(chunk.c.id, chunk.c.batch_id, chunk.c.puzzles)
)
_send_new = _send.where(chunk.c.id == bindparam("number"), chunk.c.state == ChunkState.NEW)


def claim_new(
    connection: Connection,
    queue: str,
    room: int,
    *,
    most: int = MAX_CLAIMED_CHUNKS,
    most_bytes: int = MAX_CLAIMED_BYTES,
) -> list[Chunk]:
    """Mark new chunks as sent and return them, oldest batch first, for the caller to publish.

    Claims at most `most` chunks of `most_bytes` bytes in total, and stops before all sent and taken
    chunks of the queue have more than `room` bytes.  If there are no such chunks, it claims the
    first new one whatever its size.  Concurrent callers get different chunks.
    """
    under_way = connection.execute(_bytes_under_way, {"of_queue": queue}).scalar_one()
    limit = min(most, MAX_CLAIMED_CHUNKS)
    candidates = connection.execute(_new_chunks, {"of_queue": queue, "most": limit})
    fitting: list[int] = []
    free = min(room - int(under_way), most_bytes)
    for id_, size in candidates:
        if size > free and (under_way or fitting):
            break
        fitting.append(id_)
        free -= size
    candidates.close()
    return _claimed(connection.execute(_send_new, {"number": id_}).first() for id_ in fitting)


def claim_unchanged(
    connection: Connection, seen: Iterable[tuple[int, ColumnElement[bool]]]
) -> list[Chunk]:
    """Mark chunks as sent and return them, each if its row still satisfies its condition."""
    return _claimed(
        connection.execute(_send.where(chunk.c.id == id_, unchanged)).first()
        for id_, unchanged in seen
    )


def _claimed(rows: Iterable[Row[Any] | None]) -> list[Chunk]:
    return [Chunk._make(row) for row in rows if row is not None]


def mark_unsent(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Make sent chunks new again, because Redis does not hold their messages; skip the others."""
    for id_ in chunk_ids:
        connection.execute(
            update(chunk)
            .where(chunk.c.id == id_, chunk.c.state == ChunkState.SENT)
            .values(state=ChunkState.NEW, sent_at=None)
        )
