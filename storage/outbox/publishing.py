"""Publishing: claims new chunks for sending (new -> sent), and undoes claims if sending fails."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, bindparam, case, func, select, text

from storage.batches import Batch
from storage.clock import utc
from storage.database import Step, together, write
from storage.outbox import stride
from storage.packing import Packed, digest
from storage.tables import ACTIVE, NEW, NEW_PARTS, UNDER_WAY, batch, chunk, payload
from storage.values import ChunkState

#: greatest number of chunks that one call claims, so that its transaction takes less than a second
MAX_CLAIMED_CHUNKS = 1000
#: greatest number of bytes of new chunks that one call claims
MAX_CLAIMED_BYTES = 4 << 20


# The ids are returned in the order of the rows.
_insert = chunk.insert().returning(chunk.c.id, sort_by_parameter_order=True)


class Chunk(NamedTuple):
    """A chunk to be published."""

    id: int
    batch_id: int
    cost: int  #: from LEAST_COST to FULL_COST
    puzzles: str  #: the text that `storage.packing` makes of them


def add_many(
    connection: Connection, batch_id: int, packed: Iterable[Packed], *, attempts: int = 0
) -> Sequence[int]:
    """Insert new chunks into a batch, as if `attempts` had been made at each; return their ids."""
    chunks = list(packed)
    made = [
        {
            "batch_id": batch_id,
            "kind": one.kind.value,
            "count": one.count,
            "answered": 0,
            "bytes": len(one.puzzles),
            "digest": digest(one.puzzles),
            "cost": one.cost,
            "state": ChunkState.NEW.value,
            "attempts": attempts,
        }
        for one in chunks
    ]
    if not made:
        return []
    ids = connection.execute(_insert, made).scalars().all()
    texts = [
        {"chunk_id": id_, "puzzles": one.puzzles} for id_, one in zip(ids, chunks, strict=True)
    ]
    connection.execute(payload.insert(), texts)
    return ids


def make_ready(connection: Connection, made: Batch) -> None:
    """Mark a batch as ready, after its chunks are stored: it becomes visible and is solved."""
    served = stride.rejoining(connection, made.queue, made.priority)
    connection.execute(batch.update().where(batch.c.id == made.id).values(ready=1, served=served))


# Statements that run for every chunk are built once: building one takes longer than running it.
_bytes_sent = (
    select(func.coalesce(func.sum(chunk.c.bytes), 0))
    .join(batch)
    .where(batch.c.queue == stride.of_queue, text(UNDER_WAY), chunk.c.state == ChunkState.SENT)
)
_finished = (
    select(batch.c.id)
    .where(text(ACTIVE), batch.c.queue == stride.of_queue, batch.c.ready == 1)
    .where(
        batch.c.cancelled_at.is_not(None)
        | (stride.first_of(NEW).is_(None) & stride.first_of(UNDER_WAY).is_(None))
    )
)
# Locks the batch on PostgreSQL, where a concurrent caller then skips it.
_new = (
    select(chunk.c.id, chunk.c.bytes, chunk.c.cost)
    .join(batch)
    .where(batch.c.id == bindparam("of_batch"), *stride.publishable(stride.of_queue))
    .order_by(chunk.c.batch_id, chunk.c.id)
    .limit(stride.at_most)
    .with_for_update(of=batch, skip_locked=True, key_share=True)
)
_new_parts = _new.where(text(NEW_PARTS))
_new_chunks = _new.where(text(NEW), chunk.c.count > 0)
_least = bindparam("least", type_=batch.c.served.type)
_level = case((batch.c.served < _least, _least), else_=batch.c.served)
# Added in SQL: on PostgreSQL, another caller may have served the batch since it was read.
_serve = (
    batch.update()
    .where(batch.c.id == bindparam("of_batch"))
    .values(served=_level + bindparam("more"))
)
_retire = (
    batch.update()
    .where(batch.c.id == bindparam("of_batch"), batch.c.id.in_(_finished))
    .values(active=0)
)
_puzzles = select(payload.c.puzzles).where(payload.c.chunk_id == chunk.c.id).scalar_subquery()
_send = (
    chunk.update()
    .values(state=ChunkState.SENT, sent_at=utc())
    .returning(chunk.c.id, chunk.c.batch_id, chunk.c.cost, _puzzles)
)
_send_new = _send.where(
    chunk.c.id.in_(bindparam("numbers", expanding=True)), chunk.c.state == ChunkState.NEW
)


def claim(engine: Engine, queue: str, room: int, most: int) -> list[Chunk]:
    """Mark up to `most` new chunks of a queue as sent, as `claim_new`, in a transaction."""
    with write(engine, pipelined=True) as connection:
        return claim_new(connection, queue, room, most=most)


def claim_new(
    connection: Connection,
    queue: str,
    room: int,
    *,
    most: int = MAX_CLAIMED_CHUNKS,
    most_bytes: int = MAX_CLAIMED_BYTES,
) -> list[Chunk]:
    """Mark new chunks as sent and return them, for the caller to publish.

    The batches take turns, as `storage.outbox.stride` describes.  Within a batch, the parts of
    searches precede chunks of puzzles, so that searches end before others are begun.

    Claims at most `most` chunks of `most_bytes` bytes in total, and stops before all sent chunks of
    the queue have more than `room` bytes.  If there are no sent chunks, it claims the first new one
    whatever its size.  Concurrent callers get different chunks.
    """
    limit = min(most, MAX_CLAIMED_CHUNKS)
    sizes, rows = together(
        connection, (_bytes_sent, {"of_queue": queue}), stride.next_batches(queue, limit)
    )
    sent, waiting = int(sizes[0][0]), stride.waiting_batches(connection, queue, limit, rows)
    chunks = stride.in_turn(waiting, lambda one: _new_chunks_of(connection, one, queue, limit))
    served = Counter[stride.Waiting]()  # meanwhile
    fitting: list[int] = []
    free = min(room - sent, most_bytes)
    for one, candidate in islice(chunks, limit):
        if candidate.bytes > free and (sent or fitting):
            break
        fitting.append(candidate.id)
        served[one] += candidate.cost * stride.STRIDES[one.priority]
        free -= candidate.bytes
    if not fitting:
        return []
    steps: list[Step] = [
        (_serve, {"of_batch": one.id, "least": one.served, "more": more})
        for one, more in served.items()
    ]
    *_, rows = together(connection, *steps, (_send_new, {"numbers": fitting}))
    claimed = {one.id: one for one in map(Chunk._make, rows)}
    return [claimed[id_] for id_ in fitting if id_ in claimed]  # without those sent meanwhile


def _new_chunks_of(
    connection: Connection, waiting: stride.Waiting, queue: str, most: int
) -> Iterator[stride.NewChunk]:
    """Yield up to `most` new chunks of a batch, those of searches first."""
    wanted = {"of_batch": waiting.id, "of_queue": queue}
    left = most
    if waiting.has_parts:
        (parts,) = together(connection, (_new_parts, {**wanted, "most": most}))
        yield from map(stride.NewChunk._make, parts)
        left -= len(parts)
    if left:
        (rest,) = together(connection, (_new_chunks, {**wanted, "most": left}))
        yield from map(stride.NewChunk._make, rest)


def finished(connection: Connection, queue: str) -> bool:
    """Return whether there are batches that `retire` would retire."""
    return connection.execute(_finished.limit(1), {"of_queue": queue}).first() is not None


def retire(connection: Connection, queue: str) -> None:
    """Let batches that are cancelled or finished take no more turns, until `retry`.

    Claims read them until then, so that their cost would grow with the number of finished batches.
    """
    # Read again under the lock: on PostgreSQL, a retry may have added chunks since the first read.
    locked = _finished.with_for_update(skip_locked=True, key_share=True)
    for id_ in connection.execute(locked, {"of_queue": queue}).scalars().all():
        connection.execute(_retire, {"of_queue": queue, "of_batch": id_})


def claim_unchanged(
    connection: Connection, seen: Iterable[tuple[int, ColumnElement[bool]]]
) -> list[Chunk]:
    """Mark chunks as sent and return them, each if its row still satisfies its condition."""
    rows = (
        connection.execute(_send.where(chunk.c.id == id_, unchanged)).first()
        for id_, unchanged in seen
    )
    return [Chunk._make(row) for row in rows if row is not None]


def mark_unsent(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Make sent chunks new again, because Redis does not hold their messages; skip the others."""
    sent = chunk.update().where(chunk.c.state == ChunkState.SENT)
    for id_ in chunk_ids:
        unsent = sent.where(chunk.c.id == id_).values(state=ChunkState.NEW, sent_at=None)
        connection.execute(unsent)


# --- the texts of chunks that are not done ---

_of_chunk = payload.c.chunk_id == bindparam("number")
_replace = payload.update().where(_of_chunk).values(puzzles=bindparam("text"))
_remove = payload.delete().where(_of_chunk)


def replace_text(connection: Connection, chunk_id: int, text: str) -> None:
    """Replace the text of a chunk."""
    connection.execute(_replace, {"number": chunk_id, "text": text})


def removal(chunk_id: int) -> Step:
    """Return the statement that deletes the text of a chunk that is done."""
    return _remove, {"number": chunk_id}
