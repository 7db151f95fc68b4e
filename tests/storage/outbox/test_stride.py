"""Turns: which batch is served next."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from storage.outbox.stride import (
    MAX_STEP,
    STRIDES,
    NewChunk,
    Waiting,
    in_turn,
    joining,
    virtual_time,
)
from storage.tables import FULL_COST
from storage.values import Priority

LOW, NORMAL, HIGH = Priority
COSTS = st.integers(1, FULL_COST)
#: the priority of a batch, and the costs of its chunks
BATCHES = st.tuples(st.sampled_from(Priority), st.lists(COSTS, min_size=1, max_size=20))


@dataclass
class Queue:
    """The batches that wait, with their new chunks, as the database has them."""

    waiting: dict[int, Waiting] = field(default_factory=dict)
    chunks: dict[int, list[NewChunk]] = field(default_factory=dict)
    cost: Counter[int] = field(default_factory=Counter)  #: sent so far, by batch
    made: int = 0

    def now(self) -> int:
        served = [batch.served for batch in self.waiting.values()]
        return virtual_time(min(served), max(served)) if served else 0

    def join(self, priority: Priority, costs: Iterable[int]) -> int:
        self.made += 1
        self.waiting[self.made] = Waiting(self.made, priority, joining(self.now(), priority))
        numbers = enumerate(costs)
        self.chunks[self.made] = [NewChunk(1000 * self.made + i, 99, cost) for i, cost in numbers]
        return self.made

    def claim(self, most: int) -> list[int]:
        """Send chunks, and return the batches they are of."""
        now = self.now()
        level = [one._replace(served=max(one.served, now)) for one in self.waiting.values()]
        of: list[int] = []
        for batch, chunk in islice(in_turn(level, self.chunks_of), most):
            assert chunk == self.chunks[batch.id].pop(0)
            step = chunk.cost * STRIDES[batch.priority]
            served = max(self.waiting[batch.id].served, now) + step
            self.waiting[batch.id] = batch._replace(served=served)
            self.cost[batch.id] += chunk.cost
            of.append(batch.id)
        self.waiting = {id_: batch for id_, batch in self.waiting.items() if self.chunks[id_]}
        return of

    def chunks_of(self, waiting: Waiting) -> Iterator[NewChunk]:
        return iter(self.chunks[waiting.id][:])


def until(done: Callable[[], bool], step: Callable[[], object]) -> int:
    """Repeat `step` until `done`, and return how often that was."""
    steps = 0
    while not done():
        step()
        steps += 1
    return steps


@given(st.lists(BATCHES, max_size=10), st.integers(1, 9))
def test_every_chunk_is_sent_once_and_the_oldest_of_a_batch_first(
    batches: list[tuple[Priority, list[int]]], most: int
) -> None:
    queue = Queue()
    for priority, costs in batches:
        queue.join(priority, costs)
    sent = Counter[int]()
    while of := queue.claim(most):
        sent.update(of)
    assert sent == {id_: len(costs) for id_, (_, costs) in enumerate(batches, 1)}
    assert queue.cost == {id_: sum(costs) for id_, (_, costs) in enumerate(batches, 1)}


@given(
    st.lists(st.tuples(st.sampled_from(Priority), COSTS), min_size=2, max_size=6),
    st.integers(1, 60),
    st.integers(1, 5),
)
def test_batches_that_wait_together_get_shares_by_priority(
    batches: list[tuple[Priority, int]], claims: int, most: int
) -> None:
    queue = Queue()
    for priority, cost in batches:
        queue.join(priority, [cost] * 1000)
    for _ in range(claims):
        queue.claim(most)
    shares = [queue.cost[id_] * STRIDES[one.priority] for id_, one in queue.waiting.items()]
    assert max(shares) - min(shares) <= 2 * MAX_STEP


EVENTS = st.lists(st.one_of(st.integers(1, 5), BATCHES), max_size=60)


@given(EVENTS)
def test_no_waiting_batch_falls_behind_whatever_joins(
    events: list[int | tuple[Priority, list[int]]],
) -> None:
    queue, before = Queue(), 0
    for event in events:
        if isinstance(event, int):
            queue.claim(event)
        else:
            queue.join(*event)
        served = [batch.served for batch in queue.waiting.values()]
        if served:
            assert max(served) - min(served) <= MAX_STEP
            assert min(served) >= before
        before = min(served, default=0)


@given(st.sampled_from(Priority), st.sampled_from(Priority), st.integers(1, 4))
def test_a_stream_of_new_batches_keeps_no_batch_waiting(
    old: Priority, new: Priority, most: int
) -> None:
    queue = Queue()
    waits = queue.join(old, [FULL_COST] * 2)

    def busy() -> None:
        for _ in range(most):
            queue.join(new, [FULL_COST])
        queue.claim(most)

    levels = 2 * MAX_STEP // (FULL_COST * STRIDES[new])
    assert until(lambda: waits not in queue.waiting, busy) <= 2 * levels + 4


def test_a_batch_that_joins_a_large_one_is_served_after_one_turn() -> None:
    queue = Queue()
    large = queue.join(NORMAL, [FULL_COST] * 1000)
    queue.claim(500)
    small = queue.join(NORMAL, [FULL_COST])
    assert queue.claim(3) == [large, large, small]


def test_short_chunks_share_a_turn() -> None:
    queue = Queue()
    large = queue.join(NORMAL, [FULL_COST] * 1000)
    queue.claim(500)
    small = queue.join(NORMAL, [1] * 8)
    assert queue.claim(11) == [large, large, *[small] * 8, large]


def test_the_shares_of_the_priorities_are_as_1_to_4_to_16() -> None:
    queue = Queue()
    for priority in Priority:
        queue.join(priority, [FULL_COST] * 1000)
    sent = Counter(of for _ in range(210) for of in queue.claim(1))
    wanted = {1: 10, 2: 40, 3: 160}
    assert all(abs(sent[id_] - number) <= 1 for id_, number in wanted.items())


def test_a_batch_that_had_nothing_to_send_gets_no_turns_for_that_time() -> None:
    queue = Queue()
    idle = queue.join(NORMAL, [FULL_COST])
    queue.claim(1)
    busy = queue.join(NORMAL, [FULL_COST] * 3000)
    queue.claim(1000)
    queue.chunks[idle] = [NewChunk(id_, 99, FULL_COST) for id_ in range(1000)]
    queue.waiting[idle] = Waiting(idle, NORMAL, FULL_COST * STRIDES[NORMAL])
    sent = Counter(queue.claim(100))
    assert abs(sent[idle] - sent[busy]) <= MAX_STEP / FULL_COST / STRIDES[NORMAL]
