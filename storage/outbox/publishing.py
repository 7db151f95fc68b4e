"""Publishing: claims new chunks for sending (new -> sent), and undoes claims if sending fails."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    String,
    bindparam,
    case,
    func,
    insert,
    select,
    text,
    update,
)

from storage.batches import Batch
from storage.clock import utc
from storage.database import Step, together
from storage.outbox import payloads
from storage.outbox.stride import STRIDES, NewChunk, Waiting, in_turn, joining, virtual_time
from storage.packing import Packed
from storage.tables import ACTIVE, NEW, NEW_PARTS, UNDER_WAY, batch, chunk, payload
from storage.values import ChunkState, Priority

#: greatest number of chunks that one call claims, so that its transaction takes less than a second
MAX_CLAIMED_CHUNKS = 1000
#: greatest number of bytes of new chunks that one call claims
MAX_CLAIMED_BYTES = 4 << 20


# The ids are returned in the order of the rows.
_insert = insert(chunk).returning(chunk.c.id, sort_by_parameter_order=True)


class Chunk(NamedTuple):
    """A chunk to be published."""

    id: int
    batch_id: int
    puzzles: str  #: the text that `storage.packing` makes of them


def add_many(
    connection: Connection, batch_id: int, packed: Iterable[Packed], *, attempts: int = 0
) -> None:
    """Insert new chunks into a batch, as if so many attempts had been made at each."""
    chunks = list(packed)
    made = [
        {
            "batch_id": batch_id,
            "kind": one.kind.value,
            "count": one.count,
            "answered": 0,
            "bytes": len(one.puzzles),
            "digest": one.digest,
            "cost": one.cost,
            "state": ChunkState.NEW.value,
            "attempts": attempts,
        }
        for one in chunks
    ]
    if made:
        ids = connection.execute(_insert, made).scalars().all()
        payloads.add(connection, ids, [one.puzzles for one in chunks])


def make_ready(connection: Connection, made: Batch) -> None:
    """Mark a batch as ready, after its chunks are stored: it becomes visible and is solved."""
    rows = connection.execute(*_next(made.queue, 1)).all()
    waiting = _waiting(connection, made.queue, 1, rows)
    served = joining(waiting[0].served if waiting else 0, made.priority)
    connection.execute(update(batch).where(batch.c.id == made.id).values(ready=1, served=served))


def publishable(queue: str | ColumnElement[str]) -> list[ColumnElement[bool]]:
    """Return the conditions on `batch` for its chunks to be sent: queue, ready, not cancelled."""
    return [batch.c.queue == queue, batch.c.ready == 1, batch.c.cancelled_at.is_(None)]


# Statements that run for every chunk are built once: building one takes longer than running it.
_queue: ColumnElement[str] = bindparam("of_queue", type_=String)
_most: ColumnElement[int] = bindparam("most", type_=Integer)
_bytes_sent = (
    select(func.coalesce(func.sum(chunk.c.bytes), 0))
    .join(batch)
    .where(batch.c.queue == _queue, text(UNDER_WAY), chunk.c.state == ChunkState.SENT)
)


def _first_of(condition: str) -> ColumnElement[Any]:
    """Return any chunk of the batch that satisfies a condition.

    With EXISTS, PostgreSQL may read all such chunks of all batches and join them.
    """
    one = select(chunk.c.id).where(text(condition), chunk.c.batch_id == batch.c.id)
    return one.limit(1).scalar_subquery()


_takes_turns = [*publishable(_queue), _first_of(NEW).is_not(None)]
NEXT = (
    select(batch.c.id, batch.c.priority, batch.c.served, _first_of(NEW_PARTS).label("new_part"))
    .where(text(ACTIVE), *_takes_turns)
    .order_by(batch.c.served, batch.c.id)
    .limit(_most)
)
HIGHEST = (
    select(batch.c.served)
    .where(text(ACTIVE), *_takes_turns)
    .order_by(batch.c.served.desc(), batch.c.id.desc())
    .limit(1)
)
_finished = (
    select(batch.c.id)
    .where(text(ACTIVE), batch.c.queue == _queue, batch.c.ready == 1)
    .where(
        batch.c.cancelled_at.is_not(None)
        | (_first_of(NEW).is_(None) & _first_of(UNDER_WAY).is_(None))
    )
)
_lock_finished = _finished.with_for_update(skip_locked=True, key_share=True)
# Locks the batch on PostgreSQL, where a concurrent caller then skips it.
_new = (
    select(chunk.c.id, chunk.c.bytes, chunk.c.cost)
    .join(batch)
    .where(batch.c.id == bindparam("of_batch"), *publishable(_queue))
    .order_by(chunk.c.batch_id, chunk.c.id)
    .limit(_most)
    .with_for_update(of=batch, skip_locked=True, key_share=True)
)
_new_parts = _new.where(text(NEW_PARTS))
_new_chunks = _new.where(text(NEW), chunk.c.count > 0)
_least, _more = bindparam("least", type_=BigInteger), bindparam("more", type_=BigInteger)
# Added in SQL: on PostgreSQL, another caller may have served the batch since it was read.
_serve = (
    update(batch)
    .where(batch.c.id == bindparam("of_batch"))
    .values(served=case((batch.c.served < _least, _least), else_=batch.c.served) + _more)
)
_retire = (
    update(batch)
    .where(batch.c.id == bindparam("of_batch"), batch.c.id.in_(_finished))
    .values(active=0)
)
_puzzles = select(payload.c.puzzles).where(payload.c.chunk_id == chunk.c.id).scalar_subquery()
_send = (
    update(chunk)
    .values(state=ChunkState.SENT, sent_at=utc())
    .returning(chunk.c.id, chunk.c.batch_id, _puzzles)
)
_send_new = _send.where(
    chunk.c.id.in_(bindparam("numbers", expanding=True)), chunk.c.state == ChunkState.NEW
)


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
    sizes, rows = together(connection, (_bytes_sent, {"of_queue": queue}), _next(queue, limit))
    sent, waiting = int(sizes[0][0]), _waiting(connection, queue, limit, rows)
    chunks = in_turn(waiting, lambda one: _new_chunks_of(connection, one, queue, limit))
    costs = Counter[Waiting]()
    fitting: list[int] = []
    free = min(room - sent, most_bytes)
    for one, candidate in islice(chunks, limit):
        if candidate.bytes > free and (sent or fitting):
            break
        fitting.append(candidate.id)
        costs[one] += candidate.cost
        free -= candidate.bytes
    if not fitting:
        return []
    served: list[Step] = [
        (_serve, {"of_batch": one.id, "least": one.served, "more": cost * STRIDES[one.priority]})
        for one, cost in costs.items()
    ]
    *_, rows = together(connection, *served, (_send_new, {"numbers": fitting}))
    claimed = {one.id: one for one in map(Chunk._make, rows)}
    return [claimed[id_] for id_ in fitting if id_ in claimed]  # without those sent meanwhile


def _next(queue: str, most: int) -> Step:
    """Return the statement that reads up to `most` batches that are next."""
    return NEXT, {"of_queue": queue, "most": most}


def _waiting(
    connection: Connection, queue: str, most: int, rows: Sequence[tuple[Any, ...]]
) -> list[Waiting]:
    """Return the batches that `_next` has read, none of them behind the virtual time."""
    if not rows:
        return []
    found = [Waiting(id_, Priority(name), served, bool(part)) for id_, name, served, part in rows]
    highest: int | None = found[-1].served
    if len(found) == most:  # there may be others
        (rows_of_highest,) = together(connection, (HIGHEST, {"of_queue": queue}))
        highest = rows_of_highest[0][0] if rows_of_highest else None
    if highest is None:  # on PostgreSQL, another caller has sent the last chunks meanwhile
        return []
    now = virtual_time(found[0].served, highest)
    return [one._replace(served=max(one.served, now)) for one in found]


def _new_chunks_of(
    connection: Connection, waiting: Waiting, queue: str, most: int
) -> Iterator[NewChunk]:
    """Yield up to `most` new chunks of a batch, those of searches first."""
    wanted = {"of_batch": waiting.id, "of_queue": queue}
    left = most
    if waiting.has_parts:
        (parts,) = together(connection, (_new_parts, {**wanted, "most": most}))
        yield from map(NewChunk._make, parts)
        left -= len(parts)
    if left:
        (rest,) = together(connection, (_new_chunks, {**wanted, "most": left}))
        yield from map(NewChunk._make, rest)


def finished(connection: Connection, queue: str) -> bool:
    """Return whether there are batches that `retire` would retire."""
    return connection.execute(_finished.limit(1), {"of_queue": queue}).first() is not None


def retire(connection: Connection, queue: str) -> None:
    """Let batches that are cancelled or finished take no more turns, until `retry`.

    Claims read them until then, so that their cost would grow with the number of finished batches.
    """
    # Read again under the lock: on PostgreSQL, a retry may have added chunks since the first read.
    ids = connection.execute(_lock_finished, {"of_queue": queue}).scalars().all()
    for id_ in ids:
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
    for id_ in chunk_ids:
        connection.execute(
            update(chunk)
            .where(chunk.c.id == id_, chunk.c.state == ChunkState.SENT)
            .values(state=ChunkState.NEW, sent_at=None)
        )
