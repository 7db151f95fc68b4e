"""Concurrent transactions in threads: what one has read, another may change."""

import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, update

from storage import answers, batches
from storage.clock import utc
from storage.database import read, write
from storage.outbox import leases, publishing, recovery
from storage.queries.progress import read_progress
from storage.tables import chunk
from storage.values import Answers, ChunkState, Status
from tests.storage.harness import (
    QUEUE,
    ROOM,
    Harness,
    answer_to,
    answers_to,
    leases_last,
    puzzles_of,
    take_chunk,
)

T = TypeVar("T")

#: seconds that the threads run
RUN_SECONDS = 1.5
#: seconds until a lease expires: more than the test lasts, so that only `expire` ends one
LEASE_SECONDS = 300.0


def concurrently(
    harness: Harness, one: Callable[[Connection], T], other: Callable[[Connection], T]
) -> list[T]:
    """Run both in their own transactions; the second begins before the first commits."""
    second: list[T] = []

    def run_other() -> None:
        with write(harness.engine) as connection:
            second.append(other(connection))

    thread = threading.Thread(target=run_other)
    with write(harness.engine) as connection:
        first = one(connection)
        thread.start()
        thread.join(0.2)  # time to wait for a lock, or to finish without one
    thread.join()
    return [first, *second]


def test_concurrent_submissions_get_different_ids(harness: Harness) -> None:
    def submit(connection: Connection) -> int:
        made = batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        return made.first_id

    assert concurrently(harness, submit, submit) == [1, 6]


def test_concurrent_retries_put_each_puzzle_back_once(harness: Harness) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    late = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert harness.store_answers(harness.must_take(sent.id), late)

    def retry(connection: Connection) -> int:
        return recovery.retry(connection, batch.id, queue=QUEUE)

    assert concurrently(harness, retry, retry) == [3, 0]
    harness.solve(batch)
    assert len(harness.answered(batch)) == 3


def test_concurrent_publishers_claim_each_chunk_once(harness: Harness) -> None:
    harness.submit(1, 1)

    def publish(connection: Connection) -> int:
        return len(publishing.claim_new(connection, QUEUE, 1 << 20))

    assert concurrently(harness, publish, publish) == [2, 0]


def test_concurrent_publishers_serve_different_batches(harness: Harness) -> None:
    for _ in range(20):
        harness.submit(1, 1)

    def claim(connection: Connection) -> list[int]:
        return [one.id for one in publishing.claim_new(connection, QUEUE, ROOM, most=4)]

    one, other = concurrently(harness, claim, claim)
    assert len(one) == 4
    assert not set(one) & set(other)
    assert len(harness.claim_new()) == 40 - len(one) - len(other)


def test_a_batch_is_not_retired_while_it_is_retried(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    late = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert harness.store_answers(harness.must_take(sent.id), late)
    concurrently(
        harness,
        lambda connection: recovery.retry(connection, batch.id, queue=QUEUE),
        lambda connection: publishing.retire(connection, QUEUE),
    )
    assert len(harness.claim_new()) == 1


def test_one_of_two_concurrent_workers_takes_the_chunk(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()

    def take(connection: Connection) -> bool:
        return take_chunk(connection, sent.id, "ada") is not None

    assert concurrently(harness, take, take) == [True, False]


def test_one_of_two_concurrent_workers_completes_the_chunk(harness: Harness) -> None:
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)

    def finish(connection: Connection) -> bool:
        return leases.store_answers(
            connection, lease, Answers.of(answers_to(sent)), "ada", done=True
        )

    assert concurrently(harness, finish, finish) == [True, False]
    assert len(harness.answered(batch)) == 2


def test_every_puzzle_gets_one_answer_under_random_concurrency(harness: Harness) -> None:
    batch = harness.submit(*[4] * 30)
    leases_last(harness.engine, LEASE_SECONDS)
    end = time.monotonic() + RUN_SECONDS
    errors: list[BaseException] = []

    def repeat(work: Callable[[Harness, int, random.Random], None], seed: int) -> None:
        rng = random.Random(seed)
        try:
            while time.monotonic() < end:
                work(harness, batch.id, rng)
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
    assert_progress_equals_answers(harness, batch.id)
    harness.cancel(batch)
    harness.retry(batch)
    with read(harness.engine) as connection:
        harness.solve(batches.find(connection, batch.id))
    assert set(harness.states(batch)) == {ChunkState.DONE}
    assert harness.answered(batch) == list(range(batch.first_id, batch.last_id + 1))
    assert_progress_equals_answers(harness, batch.id)


def assert_progress_equals_answers(harness: Harness, batch_id: int) -> None:
    with read(harness.engine) as connection:
        progress = read_progress(connection, batch_id, tally=True)
        assert progress.answered == sum(progress.by_status.values())


def act_as_worker(harness: Harness, batch_id: int, rng: random.Random) -> None:
    """Take chunks and store their answers in two parts, some after the lease has expired."""
    with write(harness.engine) as connection:
        published = publishing.claim_new(connection, QUEUE, 1 << 20, most=2)
    for one in published:
        puzzles = puzzles_of(one)
        with write(harness.engine) as connection:
            lease = take_chunk(connection, one.id, "ada")
            before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
        if lease is None:
            continue
        endings = rng.choices([Status.SOLVED, Status.TIMEOUT], [3, 1], k=len(puzzles))
        found = [
            answer_to(puzzle, status=status)
            for puzzle, status in zip(puzzles, endings, strict=True)
            if puzzle.id not in before
        ]
        half = len(found) // 2
        if rng.random() < 0.3:
            expire(harness, lease)
        if harness.store_answers(lease, found[:half], done=False) and rng.random() < 0.9:
            if rng.random() < 0.3:
                expire(harness, lease)
            harness.store_answers(lease, found[half:])
        else:
            expire(harness, lease)


def expire(harness: Harness, lease: leases.Lease) -> None:
    """Let a lease end, as if its worker had been slow; others then often take over."""
    held = (chunk.c.id == lease.chunk_id) & (chunk.c.attempts == lease.attempt)
    with write(harness.engine) as connection:
        connection.execute(update(chunk).where(held).values(taken_at=utc(2 * LEASE_SECONDS)))


def act_as_sweeper(harness: Harness, batch_id: int, rng: random.Random) -> None:
    """Make expired chunks new again, and check the progress."""
    with write(harness.engine) as connection:
        lost = recovery.lost(connection, QUEUE, idle=False, drained=False)
        again = publishing.claim_unchanged(connection, lost)
        publishing.mark_unsent(connection, [one.id for one in again])
    assert_progress_equals_answers(harness, batch_id)


def act_as_user(harness: Harness, batch_id: int, rng: random.Random) -> None:
    """Cancel and retry the batch at random."""
    time.sleep(rng.random() * 0.05)
    with write(harness.engine) as connection:
        if rng.random() < 0.3:
            batches.cancel(connection, batch_id)
        else:
            recovery.retry(connection, batch_id, queue=QUEUE, chunk_puzzles=rng.randint(1, 4))
