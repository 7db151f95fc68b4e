"""Random sequences of events: every puzzle gets exactly one answer."""

from hypothesis import given, settings

from storage.batches import find
from storage.database import read
from storage.outbox.leases import Lease
from storage.outbox.publishing import Chunk
from storage.queries import health
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress
from storage.values import Answer, ChunkState, Status
from tests.storage.harness import answer_to, puzzles_of
from tests.storage.searching.harness import SearchHarness
from tests.storage.simulation import Event, Occurrence, Simulation, examples, sequences

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


class Delivery(Simulation[Worker]):
    """A batch, workers that die or hang, and a user who cancels, retries, pauses and resumes."""

    def __init__(self, harness: SearchHarness) -> None:
        super().__init__(harness, harness.submit(*SIZES))

    def a_message_arrives(self, which: int, how: int) -> None:
        message = self.received(which, again=how % 2 == 0)
        if message and (lease := self.harness.take(message.id)):
            before = set(self.harness.answered(self.batch))
            self.workers.append(Worker(message, lease, before))

    def some_leases_are_renewed(self, which: int) -> None:
        for worker in self.workers[: which % 2]:
            self.harness.renew(worker.lease)

    def some_answers_are_stored(self, which: int, how: int) -> None:
        worker = self.worker(which)
        found = worker.answers(how % 3, Status.TIMEOUT if how > 2 else Status.SOLVED)
        if self.harness.store_answers(worker.lease, found, done=False):
            self.workers.append(worker)  # else its lease was taken over, and it stops

    def a_chunk_is_completed(self, which: int, how: int) -> None:
        worker = self.worker(which)
        found = worker.answers(len(worker.todo), Status.SOLVED)
        self.harness.store_answers(worker.lease, found)
        if how % 2:
            assert not self.harness.store_answers(worker.lease, found)

    def a_chunk_is_released(self, which: int, how: int) -> None:
        self.harness.release(self.worker(which).lease)

    def the_user_retries(self, which: int, how: int) -> None:
        self.harness.retry(self.batch, size=1 + how)
        assert self.harness.retry(self.batch, size=1 + how) == 0

    def check(self) -> None:
        with read(self.harness.engine) as connection:
            progress = read_progress(connection, self.batch.id, tally=True)
            stored = [line.id for line in select_answers(connection, batch=self.batch.id)]
        assert len(set(stored)) == len(stored)
        assert progress.answered == len(stored) == sum(progress.by_status.values())

    def check_summaries(self) -> None:
        with read(self.harness.engine) as connection:
            assert list(health.faults(connection, self.batch)) == []

    def complete(self) -> None:
        self.check_summaries()
        self.harness.cancel(self.batch)
        self.harness.retry(self.batch)
        with read(self.harness.engine) as connection:
            self.harness.solve(find(connection, self.batch.id))
        assert set(self.harness.states(self.batch)) <= {ChunkState.DONE}  # or none: all had answers
        whole = list(range(self.batch.first_id, self.batch.last_id + 1))
        assert self.harness.answered(self.batch) == whole
        self.check_summaries()


#: events, the usual ones repeated, and whether they need a worker
EVENTS: list[Event] = [
    *[(Delivery.a_message_arrives, False)] * 6,
    *[(Delivery.a_minute_passes, False)] * 3,
    *[(Delivery.some_answers_are_stored, True)] * 4,
    *[(Delivery.a_chunk_is_completed, True)] * 2,
    (Delivery.a_chunk_is_released, True),
    (Delivery.a_worker_dies, True),
    (Delivery.the_user_cancels, False),
    (Delivery.the_user_retries, False),
    *[(Delivery.the_user_pauses_or_resumes, False)] * 2,
]


def test_every_puzzle_gets_exactly_one_answer_in_any_order_of_events(
    shared_harness: SearchHarness,
) -> None:
    @settings(max_examples=examples(25, shared_harness))
    @given(sequences(EVENTS, 50))
    def run(sequence: list[Occurrence]) -> None:
        Delivery(shared_harness).run(sequence)

    run()
