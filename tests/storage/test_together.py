"""Everything at once, in threads of their own: what one transaction saw another may change."""

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

#: seconds that they go on
LONG = 1.5
#: seconds without a renewal after which a chunk is taken over: workers overtake each other often
LEASE = 0.02


def meanwhile(
    shop: Shop, one: Callable[[Connection], T], other: Callable[[Connection], T]
) -> list[T]:
    """Both in transactions of their own; the other begins before the one is committed."""
    second: list[T] = []

    def late() -> None:
        with write(shop.engine) as connection:
            second.append(other(connection))

    thread = threading.Thread(target=late)
    with write(shop.engine) as connection:
        first = one(connection)
        thread.start()
        thread.join(0.2)
    thread.join()
    return [first, *second]


def test_two_that_submit_at_once_get_numbers_of_their_own(shop: Shop) -> None:
    def submit(connection: Connection) -> int:
        made = batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        return made.first_id

    assert meanwhile(shop, submit, submit) == [1, 6]


def test_two_that_retry_at_once_put_everything_back_once(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    late = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert shop.finish(shop.taken(sent.id), late)

    def retry(connection: Connection) -> int:
        return recovery.retry(connection, batch.id, queue=QUEUE)

    assert meanwhile(shop, retry, retry) == [3, 0]
    shop.solve(batch)
    assert len(shop.answered(batch)) == 3


def test_two_that_publish_at_once_publish_each_chunk_once(shop: Shop) -> None:
    shop.submit(1, 1)

    def publish(connection: Connection) -> int:
        return len(publishing.claim_new(connection, QUEUE, 1 << 20))

    assert meanwhile(shop, publish, publish) == [2, 0]


def test_of_two_that_take_a_chunk_at_once_one_gets_it(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()

    def take(connection: Connection) -> bool:
        return leases.take(connection, sent.id, "ada", 60.0) is not None

    assert meanwhile(shop, take, take) == [True, False]


def test_of_two_that_finish_a_chunk_at_once_one_stores_his_answers(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)

    def finish(connection: Connection) -> bool:
        return leases.store_answers(
            connection, taken, Answers.of(answers_to(sent)), "ada", done=True
        )

    assert meanwhile(shop, finish, finish) == [True, False]
    assert len(shop.answered(batch)) == 2


def test_every_puzzle_has_one_answer_whoever_meets_whom(shop: Shop) -> None:
    batch = shop.submit(*[4] * 30)
    end = time.monotonic() + LONG
    errors: list[BaseException] = []

    def until_the_end(work: Callable[[Shop, int, random.Random], None], seed: int) -> None:
        luck = random.Random(seed)
        try:
            while time.monotonic() < end:
                work(shop, batch.id, luck)
        except BaseException as error:  # told by the test's own thread
            errors.append(error)

    roles = [a_worker, a_worker, a_worker, a_sweeper, a_user]
    threads = [
        threading.Thread(target=until_the_end, args=(role, seed)) for seed, role in enumerate(roles)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    told_the_truth(shop, batch.id)
    shop.cancel(batch)
    shop.retry(batch)
    with read(shop.engine) as connection:
        shop.solve(batches.find(connection, batch.id))
    assert set(shop.states(batch)) == {ChunkState.DONE}
    assert shop.answered(batch) == list(range(batch.first_id, batch.last_id + 1))
    told_the_truth(shop, batch.id)


def told_the_truth(shop: Shop, batch_id: int) -> None:
    with read(shop.engine) as connection:
        told = read_progress(connection, batch_id, tally=True)
        assert told.answered == sum(told.by_status.values())


def a_worker(shop: Shop, batch_id: int, luck: random.Random) -> None:
    """Takes what it finds, and commits it in two parts; some of it too late."""
    with write(shop.engine) as connection:
        published = publishing.claim_new(connection, QUEUE, 1 << 20, most=2)
    for one in published:
        puzzles = puzzles_of(one)
        with write(shop.engine) as connection:
            taken = leases.take(connection, one.id, "ada", LEASE)
            before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
        if taken is None:
            continue
        endings = luck.choices([Status.SOLVED, Status.TIMEOUT], [3, 1], k=len(puzzles))
        found = [
            answer_to(puzzle, status=status)
            for puzzle, status in zip(puzzles, endings, strict=True)
            if puzzle.id not in before
        ]
        half = len(found) // 2
        time.sleep(luck.choice([0.0, 0.0, 2 * LEASE]))
        if shop.finish(taken, found[:half], done=False) and luck.random() < 0.9:
            time.sleep(luck.choice([0.0, 0.0, 2 * LEASE]))
            shop.finish(taken, found[half:])


def a_sweeper(shop: Shop, batch_id: int, luck: random.Random) -> None:
    """Sends again what was not renewed, and sees that nothing is told that is not so."""
    with write(shop.engine) as connection:
        again = recovery.claim_lost(connection, QUEUE, lease=LEASE, idle=False)
        publishing.mark_unsent(connection, [one.id for one in again])
    told_the_truth(shop, batch_id)


def a_user(shop: Shop, batch_id: int, luck: random.Random) -> None:
    """Cannot make up his mind."""
    time.sleep(luck.random() * 0.05)
    with write(shop.engine) as connection:
        if luck.random() < 0.3:
            batches.cancel(connection, batch_id)
        else:
            recovery.retry(connection, batch_id, queue=QUEUE, chunk_puzzles=luck.randint(1, 4))
