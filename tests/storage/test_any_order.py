"""Whatever order things happen in, every puzzle ends with exactly one answer."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from storage.batches import find
from storage.chunks import Chunk, Taken
from storage.database import database_url, read
from storage.queries import progress, select_answers
from storage.values import Answer, ChunkState, Status
from tests.storage.conftest import new_database
from tests.storage.shop import Shop, answer_to, puzzles_of

SIZES = (3, 1, 2)
picks = st.integers(0, 9)


class Worker:
    """One that took a chunk, perhaps long ago: it does not know whether it was overtaken."""

    def __init__(self, chunk: Chunk, taken: Taken, before: set[int]) -> None:
        self.taken = taken
        self.todo = [puzzle for puzzle in puzzles_of(chunk) if puzzle.id not in before]

    def answers(self, number: int, status: Status) -> list[Answer]:
        chosen, self.todo = self.todo[:number], self.todo[number:]
        return [answer_to(puzzle, status=status) for puzzle in chosen]


class AnyOrder(RuleBasedStateMachine):
    """Workers that die, sleep and wake, sweeps, cancellations and retries."""

    shop: Shop

    def __init__(self) -> None:
        super().__init__()
        self.batch = self.shop.submit(*SIZES)
        self.messages: list[Chunk] = []
        self.workers: list[Worker] = []

    def pick(self, number: int) -> Worker | None:
        return self.workers[number % len(self.workers)] if self.workers else None

    @rule()
    def publish(self) -> None:
        self.messages += self.shop.publish()

    @rule(idle=st.booleans())
    def sweep(self, idle: bool) -> None:
        lost = self.shop.sweep(idle=idle)
        self.messages += [message for message in self.messages if message.id in lost]

    @rule()
    def time_passes(self) -> None:
        self.shop.back_date(61, *{message.id for message in self.messages})

    @rule(number=picks, keep=st.booleans())
    def a_message_arrives(self, number: int, keep: bool) -> None:
        if not self.messages:
            return
        message = self.messages[number % len(self.messages)]
        if not keep:  # else it comes a second time
            self.messages.remove(message)
        taken = self.shop.take(message.id)
        if taken:
            before = set(self.shop.answered(self.batch))
            self.workers.append(Worker(message, taken, before))

    @rule(number=picks)
    def a_worker_renews(self, number: int) -> None:
        if worker := self.pick(number):
            self.shop.renew(worker.taken)

    @rule(number=picks, puzzles=st.integers(0, 2), slow=st.booleans())
    def a_worker_commits_a_part(self, number: int, puzzles: int, slow: bool) -> None:
        if worker := self.pick(number):
            status = Status.TIMEOUT if slow else Status.SOLVED
            found = worker.answers(puzzles, status)
            if not self.shop.finish(worker.taken, found, done=False):
                self.workers.remove(worker)  # it learns that it was overtaken, and stops

    @rule(number=picks, twice=st.booleans())
    def a_worker_finishes(self, number: int, twice: bool) -> None:
        if worker := self.pick(number):
            self.workers.remove(worker)
            found = worker.answers(9, Status.SOLVED)
            self.shop.finish(worker.taken, found)
            if twice:
                assert not self.shop.finish(worker.taken, found)

    @rule(number=picks)
    def a_worker_gives_back(self, number: int) -> None:
        if worker := self.pick(number):
            self.workers.remove(worker)
            self.shop.give_back(worker.taken)

    @rule(number=picks)
    def a_worker_dies(self, number: int) -> None:
        if worker := self.pick(number):
            self.workers.remove(worker)

    @rule()
    def the_user_cancels(self) -> None:
        self.shop.cancel(self.batch)

    @rule()
    def the_user_retries(self) -> None:
        self.shop.retry(self.batch, size=2)
        assert self.shop.retry(self.batch, size=2) == 0

    @invariant()
    def progress_tells_what_is_there(self) -> None:
        with read(self.shop.engine) as connection:
            told = progress(connection, self.batch.id, tally=True)
            stored = [line.id for line in select_answers(connection, batch=self.batch.id)]
        assert told.answered == len(stored) == sum(told.by_status.values())
        assert len(set(stored)) == len(stored)

    def teardown(self) -> None:
        """At last everybody is gone, and one patient worker does what is left."""
        self.shop.cancel(self.batch)
        self.shop.retry(self.batch)
        with read(self.shop.engine) as connection:
            self.shop.solve(find(connection, self.batch.id))
        everything = {ChunkState.DONE: sum(self.shop.states(self.batch).values())}
        assert self.shop.states(self.batch) == everything
        whole = list(range(self.batch.first_id, self.batch.last_id + 1))
        assert self.shop.answered(self.batch) == whole


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def place(request: pytest.FixtureRequest) -> Iterator[Shop]:
    """One database for all examples: each has a batch of its own, and ends it."""
    if request.param == "sqlite":
        with TemporaryDirectory() as folder:
            yield from opened(database_url(str(Path(folder) / "bullseye.db")))
    else:
        with new_database(request.getfixturevalue("postgresql_url")) as url:
            yield from opened(url)


def opened(url: str) -> Iterator[Shop]:
    shop = Shop.at(url)
    yield shop
    shop.engine.dispose()


def test_every_puzzle_ends_with_exactly_one_answer(place: Shop) -> None:
    machine = type("Machine", (AnyOrder,), {"shop": place})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=40,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
