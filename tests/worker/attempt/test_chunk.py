"""Attempts at real chunks: SQLite, the kernel, and a clock that the tests set."""

import logging
import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from threading import Timer

import pytest
from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from storage import batches
from storage.database import open_database, read, write
from storage.outbox import steering
from storage.queries.answers import select_answers
from storage.tables import LEAST_COST, chunk
from storage.values import ChunkState, Kind
from tests.storage.harness import take_chunk
from tests.sudoku import grids, is_solution
from tests.worker.attempt.conftest import Delivery, answers, state_of, statuses
from tests.worker.conftest import Post, submit
from worker import outages
from worker.attempt.chunk import MAX_TURN_SECONDS, SHORT_TURN_SECONDS
from worker.attempt.context import CANCEL_POLL_SECONDS
from worker.options import Options
from worker.outcome import Outcomes, Search
from worker.queue.dispatch import Outbox, publish
from worker.settings import Settings
from worker.solve import search

#: a grid of three clues, which has too many completions to count in any time limit
ENDLESS = next(grids(3, 3))


def test_an_attempt_answers_every_puzzle_of_its_chunk(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    puzzles = list(islice(grids(2, 45), 16))
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)
    assert all(deliver(chunk_id) for chunk_id in post.sent)
    found = answers(outbox.engine, batch.id)
    assert [(position, text) for position, _, text, _ in found] == list(enumerate(puzzles, start=1))
    assert all(solution and is_solution(text, solution) for _, _, text, solution in found)


def test_a_message_that_is_delivered_twice_is_solved_once(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    submit(outbox.engine, next(grids(2, 45)), tmp_path)
    publish(outbox)
    assert [deliver(post.sent[0]) for _ in range(2)] == [True, False]


def test_puzzles_of_another_chunk_are_not_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    batch = submit(outbox.engine, "\n".join(islice(grids(2, 45), 16)), tmp_path)
    publish(outbox)
    first, second = post.sent[:2]
    outbox.carrier.put(first, deliver.packed(second))
    assert not deliver(first)
    assert state_of(outbox.engine, first) == ChunkState.SENT
    assert answers(outbox.engine, batch.id) == []


def test_at_a_shutdown_the_chunk_is_released_and_the_attempt_not_counted(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    batch = submit(outbox.engine, ENDLESS, tmp_path, Options(limit=None, timeout=60))
    publish(outbox)
    outages.set_ending(True)
    assert deliver(post.sent[0])
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.NEW
    assert answers(outbox.engine, batch.id) == []
    with write(outbox.engine) as connection:
        lease = take_chunk(connection, post.sent[0], "w")
    assert lease is not None
    assert lease.attempt == 1


def test_a_chunk_of_a_cancelled_batch_is_not_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    batch = submit(outbox.engine, next(grids(2, 45)), tmp_path)
    publish(outbox)
    with write(outbox.engine) as connection:
        batches.cancel(connection, batch.id)
    assert not deliver(post.sent[0])
    assert answers(outbox.engine, batch.id) == []


@pytest.mark.parametrize(
    ("stop", "state"), [(batches.cancel, ChunkState.TAKEN), (steering.pause, ChunkState.NEW)]
)
def test_a_cancellation_or_a_pause_ends_an_attempt_and_keeps_the_answers_it_has(
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    deliver: Delivery,
    stop: Callable[[Connection, int], object],
    state: ChunkState,
) -> None:
    easy = list(islice(grids(2, 45), 9))  # two in the first chunk
    batch = submit(outbox.engine, "\n".join(easy), tmp_path)
    publish(outbox)

    def stopped_after_one(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        yield from search(kind, texts[:1], options)
        with write(outbox.engine) as connection:
            stop(connection, batch.id)
        deliver.now += CANCEL_POLL_SECONDS + 1
        yield Outcomes.of([])
        pytest.fail("the attempt went on")

    assert deliver(post.sent[0], stopped_after_one)
    assert state_of(outbox.engine, post.sent[0]) == state
    assert statuses(outbox.engine, batch.id) == ["solved"]


def test_an_attempt_whose_lease_was_taken_over_stores_nothing_more(
    outbox: Outbox, post: Post, tmp_path: Path, deliver_again: Delivery
) -> None:
    batch = submit(outbox.engine, "\n".join(islice(grids(2, 45), 9)), tmp_path)
    publish(outbox)

    def taken_over(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        yield from search(kind, texts[:1], options)
        with write(outbox.engine) as connection:
            assert take_chunk(connection, post.sent[0], "other")
        deliver_again.now += 1
        yield Outcomes.of([])
        pytest.fail("the attempt went on")

    assert deliver_again(post.sent[0], taken_over)
    assert answers(outbox.engine, batch.id) == []


def slow(deliver: Delivery, seconds: float = MAX_TURN_SECONDS + 1) -> Search:
    """A solver by whose clock each puzzle takes so many seconds: longer than a turn."""

    def search_slowly(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        for text in texts:
            deliver.now += seconds
            yield from search(kind, [text], options)

    return search_slowly


@pytest.mark.parametrize("published", [True, False])
def test_after_a_turn_an_attempt_releases_the_rest_of_its_chunk_if_another_batch_waits(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery, published: bool
) -> None:
    batch = submit(outbox.engine, "\n".join(islice(grids(2, 45), 9)), tmp_path)
    publish(outbox)
    submit(outbox.engine, next(grids(3, 45)), tmp_path)
    if published:
        publish(outbox)
    assert deliver(post.sent[0], slow(deliver))
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.NEW
    assert statuses(outbox.engine, batch.id) == ["solved"]


@pytest.mark.parametrize(("cost", "solved"), [(LEAST_COST, 1), (LEAST_COST + 1, 3)])
def test_a_small_chunk_of_another_batch_waits_for_a_short_turn(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery, cost: int, solved: int
) -> None:
    batch = submit(outbox.engine, "\n".join(islice(grids(2, 45), 24)), tmp_path)
    publish(outbox)
    other = submit(outbox.engine, next(grids(3, 45)), tmp_path)
    with write(outbox.engine) as connection:
        connection.execute(chunk.update().where(chunk.c.batch_id == other.id).values(cost=cost))
    assert deliver(post.sent[0], slow(deliver, SHORT_TURN_SECONDS + 0.1))
    assert statuses(outbox.engine, batch.id) == ["solved"] * solved


def test_an_attempt_solves_its_chunk_to_the_end_while_no_other_batch_waits(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    other = submit(outbox.engine, next(grids(3, 45)), tmp_path)
    publish(outbox)
    assert deliver(post.sent[0])
    batch = submit(outbox.engine, "\n".join(islice(grids(2, 45), 24)), tmp_path)
    publish(outbox)
    assert deliver(post.sent[1], slow(deliver))
    assert statuses(outbox.engine, other.id) == ["solved"]
    assert statuses(outbox.engine, batch.id) == ["solved"] * 3
    assert state_of(outbox.engine, post.sent[1]) == ChunkState.DONE


def test_a_puzzle_that_takes_longer_than_a_turn_is_solved_to_its_end(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    batch = submit(outbox.engine, ENDLESS, tmp_path, Options(limit=None, timeout=0.6))
    submit(outbox.engine, next(grids(3, 45)), tmp_path)
    publish(outbox)

    def slow(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        for outcomes in search(kind, texts, options):
            deliver.now += MAX_TURN_SECONDS + 1
            yield outcomes

    assert deliver(post.sent[0], slow)
    assert statuses(outbox.engine, batch.id) == ["timeout"]


def test_the_puzzle_on_which_the_solver_fails_is_failed_and_its_neighbours_are_solved(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)

    def hungry(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        for text in texts:
            if text == puzzles[1]:
                raise MemoryError
            yield from search(kind, [text], options)

    assert deliver(post.sent[0], hungry)
    with read(outbox.engine) as connection:
        found = list(select_answers(connection, batch=batch.id))
    assert [one.status for one in found] == ["solved", "failed", "solved"]
    assert found[1].detail == "the solver ran out of memory"
    assert [one.attempts for one in found] == [1, 1, 1]


def test_a_wrong_answer_fails_and_the_others_of_its_chunk_are_stored(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery, caplog: pytest.LogCaptureFixture
) -> None:
    puzzles = list(islice(grids(5, 45), 24))  # three in each chunk
    batch = submit(outbox.engine, "\n".join(puzzles), tmp_path)
    publish(outbox)

    def mistaken(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        for found in search(kind, texts, options):
            pairs = zip(texts, found.texts, strict=True)
            wrong = [(some[0][::-1],) if text == puzzles[1] else some for text, some in pairs]
            yield found._replace(texts=wrong)

    assert deliver(post.sent[0], mistaken)
    with read(outbox.engine) as connection:
        found = list(select_answers(connection, batch=batch.id))
    assert [one.status for one in found] == ["solved", "failed", "solved"]
    assert "the solver returned a wrong answer" in str(found[1].detail)
    assert found[1].solution is None
    assert [record.levelname for record in caplog.records if "wrong answer" in record.message]


@pytest.fixture
def locked(settings: Settings) -> Iterator[Callable[[float], None]]:
    """A function that locks the database for a number of seconds."""
    file = make_url(settings.database_url).database or ""
    lock = sqlite3.connect(file, check_same_thread=False)
    timers: list[Timer] = []

    def hold(seconds: float) -> None:
        lock.execute("BEGIN IMMEDIATE")
        timers.append(Timer(seconds, lock.rollback))
        timers[-1].start()

    yield hold
    for timer in timers:
        timer.join()
    lock.close()


def test_a_locked_database_is_waited_for(
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    deliver: Delivery,
    locked: Callable[[float], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    batch = submit(outbox.engine, next(grids(5, 45)), tmp_path)
    publish(outbox)
    deliver.engine = open_database(deliver.settings.database_url, busy_seconds=0.05)
    locked(0.8)
    assert deliver(post.sent[0])
    deliver.engine.dispose()
    assert statuses(outbox.engine, batch.id) == ["solved"]
    pauses = [entry.getMessage().rpartition("; ")[2] for entry in caplog.records]
    assert pauses[:2] == ["retrying in 0.5 s", "retrying in 1 s"]
