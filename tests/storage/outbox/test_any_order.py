"""Random sequences of events: every puzzle gets exactly one answer."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.batches import find
from storage.database import read
from storage.location import database_url
from storage.outbox.leases import Lease
from storage.outbox.publishing import Chunk
from storage.queries import integrity
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress
from storage.values import Answer, ChunkState, Status
from tests import databases
from tests.storage.harness import Harness, answer_to, puzzles_of

SIZES = (3, 2)


class Worker:
    """A worker with a lease, which may have been taken over in the meantime."""

    def __init__(self, chunk: Chunk, lease: Lease, before: set[int]) -> None:
        self.lease = lease
        self.todo = [puzzle for puzzle in puzzles_of(chunk) if puzzle.id not in before]

    def answers(self, number: int, status: Status) -> list[Answer]:
        chosen, self.todo = self.todo[:number], self.todo[number:]
        return [
            answer_to(puzzle, status=status, ms=puzzle.id / 7, score=puzzle.id % 3 or None)
            for puzzle in chosen
        ]


class Simulation:
    """A batch, workers that die or pause, and a user who cancels and retries.

    Every event takes two numbers: `which` selects the message or worker, `how` a variant.
    """

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.batch = harness.submit(*SIZES)
        self.seen: list[Chunk] = []
        self.messages: list[Chunk] = []
        self.workers: list[Worker] = []

    def a_message_arrives(self, which: int, how: int) -> None:
        published = self.harness.claim_new()
        self.seen += published
        self.messages += published
        if not self.messages:
            return
        message = self.messages[which % len(self.messages)]
        if how % 2:  # else it is delivered a second time
            self.messages.remove(message)
        if lease := self.harness.take(message.id):
            before = set(self.harness.answered(self.batch))
            self.workers.append(Worker(message, lease, before))

    def a_minute_passes(self, which: int, how: int) -> None:
        self.harness.backdate(61, *{chunk.id for chunk in self.seen})
        for worker in self.workers[: which % 2]:
            self.harness.renew(worker.lease)
        lost = self.harness.claim_lost(idle=bool(how % 2))
        self.messages += [chunk for chunk in self.seen if chunk.id in lost]

    def some_answers_are_stored(self, which: int, how: int) -> None:
        worker = self._worker(which)
        found = worker.answers(how % 3, Status.TIMEOUT if how > 2 else Status.SOLVED)
        if self.harness.store_answers(worker.lease, found, done=False):
            self.workers.append(worker)  # else its lease was taken over, and it stops

    def a_chunk_is_completed(self, which: int, how: int) -> None:
        worker = self._worker(which)
        found = worker.answers(len(worker.todo), Status.SOLVED)
        self.harness.store_answers(worker.lease, found)
        if how % 2:
            assert not self.harness.store_answers(worker.lease, found)

    def a_chunk_is_released(self, which: int, how: int) -> None:
        self.harness.release(self._worker(which).lease)

    def a_worker_dies(self, which: int, how: int) -> None:
        self._worker(which)

    def the_user_cancels(self, which: int, how: int) -> None:
        self.harness.cancel(self.batch)

    def the_user_retries(self, which: int, how: int) -> None:
        self.harness.retry(self.batch, size=1 + how)
        assert self.harness.retry(self.batch, size=1 + how) == 0

    def _worker(self, which: int) -> Worker:
        return self.workers.pop(which % len(self.workers))

    def check_progress(self) -> None:
        with read(self.harness.engine) as connection:
            progress = read_progress(connection, self.batch.id, tally=True)
            stored = [line.id for line in select_answers(connection, batch=self.batch.id)]
        assert len(set(stored)) == len(stored)
        assert progress.answered == len(stored) == sum(progress.by_status.values())

    def check_summaries(self) -> None:
        with read(self.harness.engine) as connection:
            assert list(integrity.faults(connection, self.batch)) == []

    def complete(self) -> None:
        """Let one worker complete what is left, and check every answer."""
        self.check_summaries()
        self.harness.cancel(self.batch)
        self.harness.retry(self.batch)
        with read(self.harness.engine) as connection:
            self.harness.solve(find(connection, self.batch.id))
        assert set(self.harness.states(self.batch)) == {ChunkState.DONE}
        whole = list(range(self.batch.first_id, self.batch.last_id + 1))
        assert self.harness.answered(self.batch) == whole
        self.check_summaries()


#: events, the usual ones repeated, and whether they need a worker
EVENTS = [
    *[(Simulation.a_message_arrives, False)] * 6,
    *[(Simulation.a_minute_passes, False)] * 3,
    *[(Simulation.some_answers_are_stored, True)] * 4,
    *[(Simulation.a_chunk_is_completed, True)] * 2,
    (Simulation.a_chunk_is_released, True),
    (Simulation.a_worker_dies, True),
    (Simulation.the_user_cancels, False),
    (Simulation.the_user_retries, False),
]
sequences = st.lists(
    st.tuples(st.sampled_from(EVENTS), st.integers(0, 5), st.integers(0, 5)),
    min_size=25,
    max_size=50,
)


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def place(request: pytest.FixtureRequest) -> Iterator[Harness]:
    """One database for all simulations; each has its own batch and completes it."""
    if request.param == "sqlite":
        with TemporaryDirectory() as folder:
            yield from opened(database_url(str(Path(folder) / "bullseye.db")))
    else:
        with databases.on_server(request.getfixturevalue("postgresql_url")) as url:
            yield from opened(url)


def opened(url: str) -> Iterator[Harness]:
    harness = Harness.at(url)
    yield harness
    harness.engine.dispose()


def test_every_puzzle_gets_exactly_one_answer_in_any_order_of_events(place: Harness) -> None:
    @settings(max_examples=25, deadline=None)
    @given(sequences)
    def run(sequence: list[tuple[tuple[object, bool], int, int]]) -> None:
        simulation = Simulation(place)
        for (event, needs_worker), which, how in sequence:
            if simulation.workers or not needs_worker:
                event(simulation, which, how)  # type: ignore[operator] # a method of Simulation
                simulation.check_progress()
        simulation.complete()

    run()
