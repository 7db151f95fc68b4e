"""What is left to do in a queue, and the states of batches."""

import pytest
from sqlalchemy import text, update

from storage.clock import utc
from storage.database import read, write
from storage.packing import unpack
from storage.queries.metrics import FULL_SECONDS, Backlog, backlog, batches_by_state
from storage.tables import batch
from storage.values import ChunkState
from tests.readme import deploy
from tests.storage.harness import QUEUE, Harness, answer_to, answers_to


def backlog_of(harness: Harness) -> Backlog:
    with read(harness.engine) as connection:
        return backlog(connection, QUEUE)


def states_of(harness: Harness) -> dict[str, int]:
    with read(harness.engine) as connection:
        return dict(batches_by_state(connection))


def test_an_empty_queue_has_no_backlog(harness: Harness) -> None:
    assert backlog_of(harness) == Backlog({}, {}, 0.0, 0.0, 0)
    assert states_of(harness) == {}


def test_the_backlog_counts_chunks_and_puzzles_of_each_state(harness: Harness) -> None:
    harness.submit(5, 2, 3, 4)
    done, taken, _sent = harness.claim_new(most=3)
    assert harness.store_answers(harness.must_take(done.id), answers_to(done))
    harness.must_take(taken.id)
    found = backlog_of(harness)
    assert found.chunks == {ChunkState.TAKEN: 1, ChunkState.SENT: 1, ChunkState.NEW: 1}
    assert found.puzzles == {ChunkState.TAKEN: 2, ChunkState.SENT: 3, ChunkState.NEW: 4}


def test_other_queues_and_batches_cancelled_paused_or_being_stored_are_no_backlog(
    harness: Harness,
) -> None:
    harness.submit(1, queue="solve-0123")
    harness.submit(1, ready=False)
    assert harness.cancel(harness.submit(1))
    harness.pause(harness.submit(1))
    assert backlog_of(harness) == Backlog({}, {}, 0.0, 0.0, 0)


def test_the_query_of_the_scaler_counts_the_chunks_of_the_backlog(harness: Harness) -> None:
    harness.submit(5, 2, 3, 4, queue="bullseye-0123")
    harness.submit(1, queue="solve-0123")
    harness.submit(1, queue="bullseye-0123", ready=False)
    assert harness.cancel(harness.submit(1, queue="bullseye-0123"))
    harness.pause(harness.submit(1, queue="bullseye-0123"))
    done, taken = harness.claim_new(most=2, queue="bullseye-0123")
    assert harness.store_answers(harness.must_take(done.id), answers_to(done))
    harness.must_take(taken.id)
    with read(harness.engine) as connection:
        assert connection.scalar(text(deploy.scaler()["query"])) == 3


def test_the_oldest_batch_that_is_not_done_gives_the_age(harness: Harness) -> None:
    batches = [harness.submit(1) for _ in range(3)]
    (first, *_) = harness.claim_new(most=1)
    assert harness.store_answers(harness.must_take(first.id), answers_to(first))
    with write(harness.engine) as connection:
        for age, one in zip((90, 60, 30), batches, strict=True):
            change = update(batch).where(batch.c.id == one.id)
            connection.execute(change.values(created_at=utc(age)))
    assert backlog_of(harness).oldest == pytest.approx(60, abs=10)


def test_the_seconds_left_come_from_the_chunks_until_answers_are_measured(
    harness: Harness,
) -> None:
    harness.submit(2, 6, 4)
    assert backlog_of(harness).seconds == pytest.approx(3 * FULL_SECONDS)
    (first, *_) = harness.claim_new(most=1)
    slow = [answer_to(puzzle, ms=250.0) for puzzle in unpack(first.puzzles)]
    assert harness.store_answers(harness.must_take(first.id), slow)
    assert backlog_of(harness).seconds == pytest.approx(10 * 0.25)


def test_each_batch_counts_in_the_state_that_status_shows(harness: Harness) -> None:
    harness.submit(1, ready=False)
    done, taken = harness.submit(1), harness.submit(1)
    assert harness.cancel(harness.submit(1))
    harness.submit(1)
    harness.pause(harness.submit(1))
    first, second, *_ = harness.claim_new()
    assert (first.batch_id, second.batch_id) == (done.id, taken.id)
    assert harness.store_answers(harness.must_take(first.id), answers_to(first))
    harness.must_take(second.id)
    each = ("being stored", "complete", "running", "cancelled", "waiting", "paused")
    assert states_of(harness) == dict.fromkeys(each, 1)
