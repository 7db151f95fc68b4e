"""Turns: which batch is served next, so that each gets its share of the workers.

This is stride scheduling (Waldspurger and Weihl, "Stride Scheduling", MIT/LCS/TM-528, 1995).  Each
chunk that is sent adds its cost, multiplied by the stride of its batch, to the batch's `served`,
and the batch with the least is next.  So a batch with a quarter of the stride gets four times the
share, and one that waits among n batches of its priority gets every n-th turn, whatever their
sizes.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from storage.tables import FULL_COST
from storage.values import Priority

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
    cost: int  #: from 1 to FULL_COST


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
    queue = [(batch.served, batch.id, batch) for batch in waiting]
    heapq.heapify(queue)
    chunks: dict[int, Iterator[NewChunk]] = {}
    while queue:
        served, id_, batch = queue[0]
        if id_ not in chunks:
            chunks[id_] = chunks_of(batch)
        chunk = next(chunks[id_], None)
        if chunk is None:
            heapq.heappop(queue)
        else:
            step = chunk.cost * STRIDES[batch.priority]
            heapq.heapreplace(queue, (served + step, id_, batch))
            yield batch, chunk
