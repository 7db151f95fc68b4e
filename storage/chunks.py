"""Chunks: the outbox.  Every step of a chunk is a compare-and-set on its row.

new ----> sent ----> taken ----> done
 ^  waiting |   take   |  finish    `lost` claims again what nobody works on;
 +- unsent -+          |            `attempts` fences those who were overtaken.
 +------ give_back ----+
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    Integer,
    Row,
    String,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from storage import answers
from storage.clock import utc
from storage.packing import Packed
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import Answers, ChunkState

if TYPE_CHECKING:
    from storage.batches import Batch

#: chunks that one call claims at most: well under a second's work; and, of new ones, their bytes
MOST = 1000
PORTION = 4 << 20


class Chunk(NamedTuple):
    """A chunk as it is published."""

    id: int
    batch_id: int
    puzzles: str


class Taken(NamedTuple):
    """A chunk that a worker may work on, as long as it renews it."""

    chunk_id: int
    batch_id: int
    attempt: int
    options: dict[str, Any]
    poison: int | None  #: the puzzle that its worker died on twice in turn


def alive(queue: str | ColumnElement[str]) -> list[ColumnElement[bool]]:
    """Of a batch that is whole, and not cancelled."""
    return [batch.c.queue == queue, batch.c.ready == 1, batch.c.cancelled_at.is_(None)]


# What runs for every chunk is built once: to build a statement takes longer than to run it.
_this = chunk.c.id == bindparam("number")


def add_many(connection: Connection, of: "Batch", packed: Iterable[Packed]) -> None:
    """New chunks of the batch `of`, one for each of the packed."""
    made = [
        {
            "batch_id": of.id,
            "count": one.size,
            "answered": 0,
            "bytes": len(one.puzzles),
            "puzzles": one.puzzles,
            "state": ChunkState.NEW.value,
            "attempts": 0,
        }
        for one in packed
    ]
    if made:
        connection.execute(insert(chunk), made)


_queue: ColumnElement[str] = bindparam("of_queue", type_=String)
_under_way = (
    select(func.coalesce(func.sum(chunk.c.bytes), 0))
    .join(batch)
    .where(batch.c.queue == _queue, text(UNDER_WAY))
)
_candidates = (
    select(chunk.c.id, chunk.c.bytes)
    .join(batch)
    .where(chunk.c.state == ChunkState.NEW, *alive(_queue))
    .order_by(batch.c.id, chunk.c.id)
    .limit(bindparam("most", type_=Integer))
)
_send = (
    update(chunk)
    .values(state=ChunkState.SENT, sent_at=utc())
    .returning(chunk.c.id, chunk.c.batch_id, chunk.c.puzzles)
)
_send_new = _send.where(_this, chunk.c.state == ChunkState.NEW)


def waiting(connection: Connection, queue: str, room: int, *, most: int = MOST) -> list[Chunk]:
    """Claim new chunks for sending, those of the oldest batch first, as fit into `room` bytes.

    If nothing is under way one is claimed, however large.  Two callers never get the same chunk.
    """
    under_way = connection.execute(_under_way, {"of_queue": queue}).scalar_one()
    candidates = connection.execute(_candidates, {"of_queue": queue, "most": min(most, MOST)})
    fitting: list[int] = []
    free = min(room - int(under_way), PORTION)
    for id_, size in candidates:
        if size > free and (under_way or fitting):
            break
        fitting.append(id_)
        free -= size
    candidates.close()
    return _claimed(connection.execute(_send_new, {"number": id_}).first() for id_ in fitting)


def claim(connection: Connection, wanted: Iterable[tuple[int, ColumnElement[bool]]]) -> list[Chunk]:
    """Make chunks `sent`, those at least that are still as they were seen."""
    return _claimed(
        connection.execute(_send.where(chunk.c.id == id_, as_seen)).first()
        for id_, as_seen in wanted
    )


def _claimed(rows: Iterable[Row[Any] | None]) -> list[Chunk]:
    return [Chunk._make(row) for row in rows if row is not None]


def unsent(connection: Connection, chunk_ids: Sequence[int]) -> None:
    """Their messages did not get into Redis, or not whole: they are new again."""
    for id_ in chunk_ids:
        connection.execute(
            update(chunk)
            .where(chunk.c.id == id_, chunk.c.state == ChunkState.SENT)
            .values(state=ChunkState.NEW, sent_at=None)
        )


_lease_over = chunk.c.taken_at <= utc(bindparam("lease", type_=Float))
_take = (
    update(chunk)
    .where(
        _this,
        or_(
            chunk.c.state == ChunkState.NEW,
            chunk.c.state == ChunkState.SENT,
            and_(chunk.c.state == ChunkState.TAKEN, _lease_over),
        ),
        chunk.c.batch_id.in_(
            select(batch.c.id).where(batch.c.ready == 1, batch.c.cancelled_at.is_(None))
        ),
    )
    .values(
        state=ChunkState.TAKEN,
        attempts=chunk.c.attempts + 1,
        taken_at=utc(),
        worker=bindparam("by"),
    )
    .returning(chunk.c.batch_id, chunk.c.attempts, chunk.c.begun, chunk.c.suspect)
)
_take_these = _take.where(chunk.c.puzzles == bindparam("given"))
_options = select(batch.c.options).where(batch.c.id == bindparam("number"))


def take(
    connection: Connection, chunk_id: int, worker: str, lease: float, *, puzzles: str | None = None
) -> Taken | None:
    """Begin an attempt; None if the chunk is done, cancelled, or under a live renewal.

    None as well if it has other `puzzles` than those that are said to be its own.
    """
    wanted = {"number": chunk_id, "lease": lease, "by": worker}
    if puzzles is None:
        row = connection.execute(_take, wanted).first()
    else:
        row = connection.execute(_take_these, {**wanted, "given": puzzles}).first()
    if row is None:
        return None
    told = json.loads(connection.execute(_options, {"number": row.batch_id}).scalar_one())
    poison = _judge(connection, chunk_id, row.begun, row.suspect) if row.begun else None
    return Taken(chunk_id, row.batch_id, row.attempts, told, poison)


def has_others(connection: Connection, chunk_id: int, puzzles: str) -> bool:
    """Is the chunk still to be taken, and has other puzzles than these?"""
    found = select(chunk.c.id).where(
        chunk.c.id == chunk_id, chunk.c.state == ChunkState.SENT, chunk.c.puzzles != puzzles
    )
    return connection.execute(found).first() is not None


def _judge(connection: Connection, chunk_id: int, begun: int, suspect: int | None) -> int | None:
    """The puzzle noted at the last death: the new suspect, and poison if it was that before."""
    noted = update(chunk).where(chunk.c.id == chunk_id).values(begun=None, suspect=begun)
    connection.execute(noted)
    return begun if begun == suspect else None


_ours = (_this, chunk.c.state == ChunkState.TAKEN, chunk.c.attempts == bindparam("attempt"))
_renew = update(chunk).where(*_ours).values(taken_at=utc())
_note = _renew.values(begun=bindparam("puzzle"))
_give_back = (
    update(chunk)
    .where(*_ours)
    .values(
        state=ChunkState.NEW,
        attempts=chunk.c.attempts - 1,
        sent_at=None,
        taken_at=None,
        worker=None,
        begun=None,
    )
)


def renew(connection: Connection, chunk_id: int, attempt: int) -> bool:
    """The worker is alive; False if another attempt has overtaken it."""
    return connection.execute(_renew, _fence(chunk_id, attempt)).rowcount == 1


def note(connection: Connection, chunk_id: int, attempt: int, puzzle_id: int) -> bool:
    """Renew, and note the puzzle that is about to be begun."""
    noted = {**_fence(chunk_id, attempt), "puzzle": puzzle_id}
    return connection.execute(_note, noted).rowcount == 1


def give_back(connection: Connection, chunk_id: int, attempt: int) -> None:
    """A clean end before the chunk's: it is new again, and the attempt does not count."""
    connection.execute(_give_back, _fence(chunk_id, attempt))


_finish = (
    update(chunk)
    .where(_this, chunk.c.state != ChunkState.DONE)
    .values(
        state=ChunkState.DONE,
        puzzles="",
        answered=chunk.c.count,
        done_at=utc(),
        worker=bindparam("by"),
    )
)
_answered_more = (
    update(chunk).where(_this).values(answered=chunk.c.answered + bindparam("more", type_=Integer))
)


def finish(
    connection: Connection, taken: Taken, found: Answers, worker: str, *, done: bool
) -> bool:
    """Store answers and, with them, that the chunk is `done`, or renewed if there are more to come.

    False, and nothing stored, if the chunk is done already or (when not `done`) was overtaken.
    Answers that another attempt stored before are left as they are.
    """
    if done:
        ours = connection.execute(_finish, {"number": taken.chunk_id, "by": worker}).rowcount == 1
    else:
        ours = renew(connection, taken.chunk_id, taken.attempt)
    if not ours:
        return False
    before = answers.stored(connection, found.id)
    fresh = found.without(before) if before else found
    answers.add(connection, taken.batch_id, fresh, worker, taken.attempt)
    if fresh.id and not done:
        more = {"number": taken.chunk_id, "more": len(fresh.id)}
        connection.execute(_answered_more, more)
    return True


def states(connection: Connection, batch_id: int) -> dict[ChunkState, int]:
    """How many chunks of the batch are in each state."""
    counted = connection.execute(
        select(chunk.c.state, func.count())
        .where(chunk.c.batch_id == batch_id)
        .group_by(chunk.c.state)
    )
    found = dict(map(tuple, counted))
    return {state: found.get(state, 0) for state in ChunkState}


def _fence(chunk_id: int, attempt: int) -> dict[str, int]:
    return {"number": chunk_id, "attempt": attempt}
