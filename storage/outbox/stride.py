"""Turns: which batch is served next, so that each gets its share of the workers.

This is stride scheduling (Waldspurger and Weihl, "Stride Scheduling", MIT/LCS/TM-528, 1995).  Each
chunk that is sent adds its cost, multiplied by the stride of its batch, to the batch's `served`,
and the batch with the least is next.  So a batch with a quarter of the stride gets four times the
share, and one that waits among n batches of its priority gets every n-th turn, whatever their
sizes.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Select, bindparam, func, select, text

from storage.batches import LIVE
from storage.database import Step, together
from storage.tables import ACTIVE, FULL_COST, NEW, NEW_PARTS, UNDER_WAY, batch, chunk
from storage.values import ChunkState, Priority

#: the shares of the priorities are as 1 to 4 to 16
STRIDES = {Priority.LOW: 16, Priority.NORMAL: 4, Priority.HIGH: 1}
#: what one chunk adds to `served` at most
MAX_STEP = FULL_COST * max(STRIDES.values())


class Waiting(NamedTuple):
    """A batch with chunks to send."""

    id: int
    priority: Priority
    served: int  #: the costs of its sent chunks, multiplied by its stride
    has_parts: bool = False  #: some of the chunks are parts of searches


class NewChunk(NamedTuple):
    """A chunk that can be sent."""

    id: int
    bytes: int  #: its size in Redis
    cost: int  #: from LEAST_COST to FULL_COST


def virtual_time(lowest: int, highest: int) -> int:
    """Return the `served` of the batch that is next, from the least and greatest of those waiting.

    Batches that have waited for a while differ by at most MAX_STEP.  One further behind had nothing
    to send meanwhile, and has no claim on the turns that it did not take.

    >>> virtual_time(8, 20), virtual_time(8, 1000)
    (8, 872)
    """
    return max(lowest, highest - MAX_STEP)


def joining(lowest: int, priority: Priority) -> int:
    """Return the `served` of a batch that joins those waiting: as if it had just had a turn.

    If it had the next turn, a steady stream of new batches would keep an old one waiting for ever.
    """
    return lowest + FULL_COST * STRIDES[priority]


def in_turn(
    waiting: Iterable[Waiting], chunks_of: Callable[[Waiting], Iterator[NewChunk]]
) -> Iterator[tuple[Waiting, NewChunk]]:
    """Yield the chunks of all batches, each with its batch, in the order of their turns.

    `chunks_of` is called with a batch at its first turn, and returns its chunks in order.
    Of batches with equal `served`, the oldest is first.

    >>> low, normal = Waiting(1, Priority.LOW, 0), Waiting(2, Priority.NORMAL, 0)
    >>> chunks = {1: [NewChunk(id_, 99, 8) for id_ in (1, 2)],
    ...           2: [NewChunk(id_, 99, 8) for id_ in (3, 4, 5, 6, 7)]}
    >>> [chunk.id for _, chunk in in_turn([low, normal], lambda one: iter(chunks[one.id]))]
    [1, 3, 4, 5, 6, 2, 7]
    """
    queue = [(one.served, one.id, one) for one in waiting]
    heapq.heapify(queue)
    chunks: dict[int, Iterator[NewChunk]] = {}
    while queue:
        served, id_, first = queue[0]
        if id_ not in chunks:
            chunks[id_] = chunks_of(first)
        found = next(chunks[id_], None)
        if found is None:
            heapq.heappop(queue)
        else:
            step = found.cost * STRIDES[first.priority]
            heapq.heapreplace(queue, (served + step, id_, first))
            yield first, found


def publishable(queue: str | ColumnElement[str]) -> list[ColumnElement[bool]]:
    """Return the conditions on `batch` for its chunks to be sent: its queue, and LIVE."""
    return [batch.c.queue == queue, *LIVE]


# Statements that run for every chunk are built once: building one takes longer than running it.
of_queue: ColumnElement[str] = bindparam("of_queue")
at_most: ColumnElement[int] = bindparam("most", type_=Integer)


def first_of(condition: str) -> ColumnElement[Any]:
    """Return any chunk of the batch that satisfies a condition.

    With EXISTS, PostgreSQL may read all such chunks of all batches and join them.
    """
    one = select(chunk.c.id).where(text(condition), chunk.c.batch_id == batch.c.id)
    return one.limit(1).scalar_subquery()


_takes_turns = [*publishable(of_queue), first_of(NEW).is_not(None)]
NEXT = (
    select(batch.c.id, batch.c.priority, batch.c.served, first_of(NEW_PARTS).label("new_part"))
    .where(text(ACTIVE), *_takes_turns)
    .order_by(batch.c.served, batch.c.id)
    .limit(at_most)
)
HIGHEST = (
    select(batch.c.served)
    .where(text(ACTIVE), *_takes_turns)
    .order_by(batch.c.served.desc(), batch.c.id.desc())
    .limit(1)
)


def next_batches(queue: str, most: int) -> Step:
    """Return the statement that reads up to `most` batches that are next."""
    return NEXT, {"of_queue": queue, "most": most}


def waiting_batches(
    connection: Connection, queue: str, most: int, rows: Sequence[tuple[Any, ...]]
) -> list[Waiting]:
    """Return the batches that `next_batches` has read, none of them behind the virtual time."""
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


def rejoining(connection: Connection, queue: str, priority: Priority) -> int:
    """Return the `served` of a batch that joins those waiting in a queue now."""
    rows = connection.execute(*next_batches(queue, 1)).all()
    waiting = waiting_batches(connection, queue, 1, rows)
    return joining(waiting[0].served if waiting else 0, priority)


# --- how much work waits: a search is not divided too far, and gives way to others ---

_own: ColumnElement[int] = bindparam("batch")
_queue = select(batch.c.queue).where(batch.c.id == _own).scalar_subquery()
_chunks = select(chunk.c.id).join(batch).where(*publishable(_queue))


def _number_of(chunks: Select[tuple[int]]) -> ColumnElement[int]:
    some = chunks.limit(at_most).subquery()
    return select(func.count()).select_from(some).scalar_subquery()


_of_batch = select(_number_of(select(chunk.c.id).where(chunk.c.batch_id == _own, text(NEW))))
_all_new = _chunks.where(text(NEW))
_all_sent = _chunks.where(text(UNDER_WAY), chunk.c.state == ChunkState.SENT)
# Two ranges instead of "<>": each is one seek in the index, past the chunks of the batch itself.
_cheap = chunk.c.cost <= bindparam("cost", type_=Integer)
_others = select(
    _all_new.where(chunk.c.batch_id < _own, _cheap).exists()
    | _all_new.where(chunk.c.batch_id > _own, _cheap).exists()
    | _all_sent.where(chunk.c.batch_id != _own, _cheap).exists()
)
# Two counts instead of OR: each reads an index that holds no other chunks.
_in_queue = select(_number_of(_all_new) + _number_of(_all_sent))


def new_chunks(connection: Connection, batch_id: int, most: int) -> int:
    """Return the number of new chunks of a batch, counting `most` at most."""
    values = {"batch": batch_id, "most": most}
    return int(connection.execute(_of_batch, values).scalar_one())


def waiting_chunks(connection: Connection, batch_id: int, most: int) -> int:
    """Return how many chunks wait in the batch's queue, up to `most` new and as many sent ones."""
    values = {"batch": batch_id, "most": most}
    return int(connection.execute(_in_queue, values).scalar_one())


def others_wait(connection: Connection, batch_id: int, cost: int = FULL_COST) -> bool:
    """Return whether chunks of other batches in the queue of this one wait for a process.

    Those that cost more are left out.
    """
    return bool(connection.execute(_others, {"batch": batch_id, "cost": cost}).scalar_one())
