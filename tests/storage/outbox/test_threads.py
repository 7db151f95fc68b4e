"""Concurrent transactions in threads: what one has read, another may change."""

import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from storage import answers, batches
from storage.database import read, write
from storage.outbox import leases, publishing, recovery
from storage.queries.progress import read_progress
from storage.values import Answers, ChunkState, Status
from tests.storage.shop import QUEUE, Shop, answer_to, answers_to, puzzles_of

T = TypeVar("T")

#: seconds that the threads run
RUN_SECONDS = 1.5
#: seconds until a lease expires: so few that workers often take over
LEASE_SECONDS = 0.02


def concurrently(
    shop: Shop, one: Callable[[Connection], T], other: Callable[[Connection], T]
) -> list[T]:
    """Run both in their own transactions; the second begins before the first commits."""
    second: list[T] = []

    def run_other() -> None:
        with write(shop.engine) as connection:
            second.append(other(connection))

    thread = threading.Thread(target=run_other)
    with write(shop.engine) as connection:
        first = one(connection)
        thread.start()
        thread.join(0.2)  # time to wait for a lock, or to finish without one
    thread.join()
    return [first, *second]


def test_concurrent_submissions_get_different_ids(shop: Shop) -> None:
    def submit(connection: Connection) -> int:
        made = batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        return made.first_id

    assert concurrently(shop, submit, submit) == [1, 6]


def test_concurrent_retries_put_each_puzzle_back_once(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    late = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert shop.finish(shop.taken(sent.id), late)

    def retry(connection: Connection) -> int:
        return recovery.retry(connection, batch.id, queue=QUEUE)

    assert concurrently(shop, retry, retry) == [3, 0]
    shop.solve(batch)
    assert len(shop.answered(batch)) == 3


def test_concurrent_publishers_claim_each_chunk_once(shop: Shop) -> None:
    shop.submit(1, 1)

    def publish(connection: Connection) -> int:
        return len(publishing.claim_new(connection, QUEUE, 1 << 20))

    assert concurrently(shop, publish, publish) == [2, 0]


def test_one_of_two_concurrent_workers_takes_the_chunk(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()

    def take(connection: Connection) -> bool:
        return leases.take(connection, sent.id, "ada", 60.0) is not None

    assert concurrently(shop, take, take) == [True, False]


def test_one_of_two_concurrent_workers_completes_the_chunk(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)

    def finish(connection: Connection) -> bool:
        return leases.store_answers(
            connection, taken, Answers.of(answers_to(sent)), "ada", done=True
        )

    assert concurrently(shop, finish, finish) == [True, False]
    assert len(shop.answered(batch)) == 2


def test_every_puzzle_gets_one_answer_under_random_concurrency(shop: Shop) -> None:
    batch = shop.submit(*[4] * 30)
    end = time.monotonic() + RUN_SECONDS
    errors: list[BaseException] = []

    def repeat(work: Callable[[Shop, int, random.Random], None], seed: int) -> None:
        rng = random.Random(seed)
        try:
            while time.monotonic() < end:
                work(shop, batch.id, rng)
        except BaseException as error:  # raised by the test's own thread
            errors.append(error)

    roles = [act_as_worker, act_as_worker, act_as_worker, act_as_sweeper, act_as_user]
    threads = [
        threading.Thread(target=repeat, args=(role, seed)) for seed, role in enumerate(roles)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert_progress_equals_answers(shop, batch.id)
    shop.cancel(batch)
    shop.retry(batch)
    with read(shop.engine) as connection:
        shop.solve(batches.find(connection, batch.id))
    assert set(shop.states(batch)) == {ChunkState.DONE}
    assert shop.answered(batch) == list(range(batch.first_id, batch.last_id + 1))
    assert_progress_equals_answers(shop, batch.id)


def assert_progress_equals_answers(shop: Shop, batch_id: int) -> None:
    with read(shop.engine) as connection:
        progress = read_progress(connection, batch_id, tally=True)
        assert progress.answered == sum(progress.by_status.values())


def act_as_worker(shop: Shop, batch_id: int, rng: random.Random) -> None:
    """Take chunks and store their answers in two parts, some after the lease has expired."""
    with write(shop.engine) as connection:
        published = publishing.claim_new(connection, QUEUE, 1 << 20, most=2)
    for one in published:
        puzzles = puzzles_of(one)
        with write(shop.engine) as connection:
            taken = leases.take(connection, one.id, "ada", LEASE_SECONDS)
            before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
        if taken is None:
            continue
        endings = rng.choices([Status.SOLVED, Status.TIMEOUT], [3, 1], k=len(puzzles))
        found = [
            answer_to(puzzle, status=status)
            for puzzle, status in zip(puzzles, endings, strict=True)
            if puzzle.id not in before
        ]
        half = len(found) // 2
        time.sleep(rng.choice([0.0, 0.0, 2 * LEASE_SECONDS]))
        if shop.finish(taken, found[:half], done=False) and rng.random() < 0.9:
            time.sleep(rng.choice([0.0, 0.0, 2 * LEASE_SECONDS]))
            shop.finish(taken, found[half:])


def act_as_sweeper(shop: Shop, batch_id: int, rng: random.Random) -> None:
    """Make expired chunks new again, and check the progress."""
    with write(shop.engine) as connection:
        again = recovery.claim_lost(connection, QUEUE, lease=LEASE_SECONDS, idle=False)
        publishing.mark_unsent(connection, [one.id for one in again])
    assert_progress_equals_answers(shop, batch_id)


def act_as_user(shop: Shop, batch_id: int, rng: random.Random) -> None:
    """Cancel and retry the batch at random."""
    time.sleep(rng.random() * 0.05)
    with write(shop.engine) as connection:
        if rng.random() < 0.3:
            batches.cancel(connection, batch_id)
        else:
            recovery.retry(connection, batch_id, queue=QUEUE, chunk_puzzles=rng.randint(1, 4))
