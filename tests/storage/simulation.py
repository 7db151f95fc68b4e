"""What all simulations have in common: random sequences of events with workers and a user."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from hypothesis import strategies as st

from storage.batches import Batch
from storage.errors import BatchNotQueued
from storage.outbox.publishing import Chunk
from tests.storage.searching.harness import SearchHarness

W = TypeVar("W")
#: a method of a simulation, which takes two numbers, and whether it needs a worker
Event = tuple[Callable[[Any, int, int], None], bool]
Occurrence = tuple[Event, int, int]


class Simulation(Generic[W]):
    """A batch, workers that die or hang, and a user.

    Every event takes two numbers: `which` selects the message or worker, `how` a variant.
    """

    def __init__(self, harness: SearchHarness, batch: Batch) -> None:
        self.harness = harness
        self.batch = batch
        self.seen: list[Chunk] = []
        self.messages: list[Chunk] = []
        self.workers: list[W] = []

    def a_minute_passes(self, which: int, how: int) -> None:
        self.harness.backdate(61, *{chunk.id for chunk in self.seen})
        self.some_leases_are_renewed(which)
        lost = self.harness.claim_lost(idle=bool(how % 2))
        self.messages += [chunk for chunk in self.seen if chunk.id in lost]

    def a_worker_dies(self, which: int, how: int) -> None:
        self.worker(which)

    def the_user_cancels(self, which: int, how: int) -> None:
        self.harness.cancel(self.batch)

    def the_user_pauses_or_resumes(self, which: int, how: int) -> None:
        with suppress(BatchNotQueued):
            if how % 2:
                self.harness.pause(self.batch)
            else:
                self.harness.resume(self.batch)

    def some_leases_are_renewed(self, which: int) -> None:
        """Renew leases before lost chunks are looked for; by default none."""

    def received(self, which: int, *, again: bool) -> Chunk | None:
        """Publish what is new, and return a message, which may be delivered again."""
        self.publish()
        if not self.messages:
            return None
        message = self.messages[which % len(self.messages)]
        if not again:
            self.messages.remove(message)
        return message

    def publish(self) -> None:
        """Publish what is new."""
        published = self.harness.claim_new()
        self.seen += published
        self.messages += published

    def worker(self, which: int) -> W:
        """Take a worker out of the simulation."""
        return self.workers.pop(which % len(self.workers))

    def run(self, sequence: Sequence[Occurrence]) -> None:
        """Let events happen, and check what must hold after each, and at the end."""
        for (event, needs_worker), which, how in sequence:
            if self.workers or not needs_worker:
                event(self, which, how)
                self.check()
        self.complete()

    def check(self) -> None:
        """Check what must hold at any time."""
        raise NotImplementedError

    def complete(self) -> None:
        """Let one worker complete what is left, and check every answer."""
        raise NotImplementedError


def examples(number: int, harness: SearchHarness) -> int:
    """Return how many examples are tried: on PostgreSQL, where each takes longer, a third."""
    return number if harness.engine.dialect.name == "sqlite" else number // 3


def sequences(events: Sequence[Event], most: int) -> st.SearchStrategy[list[Occurrence]]:
    """Random sequences of 25 events or more."""
    numbers = st.integers(0, 5)
    return st.lists(
        st.tuples(st.sampled_from(events), numbers, numbers), min_size=25, max_size=most
    )
