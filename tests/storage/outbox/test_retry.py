"""Retry: unanswered, failed and timed-out puzzles go back into chunks."""

import pytest
from sqlalchemy import select

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox import recovery
from storage.queries.progress import read_progress
from storage.tables import chunk
from storage.values import ChunkState, Kept, Status
from tests.storage.harness import QUEUE, Harness, answer_to, answers_to, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def test_retrying_a_batch_that_does_not_exist_raises_no_such_batch(harness: Harness) -> None:
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(harness.engine) as connection:
        recovery.retry(connection, 99, queue=QUEUE)


def test_failed_and_timed_out_puzzles_are_put_into_new_chunks(harness: Harness) -> None:
    batch = harness.submit(5)
    (sent,) = harness.claim_new()
    endings = [Status.SOLVED, Status.TIMEOUT, Status.FAILED, Status.NONE, Status.INVALID]
    puzzles = puzzles_of(sent)
    two = [Kept(2, None, "1234341221434321")]
    given = [
        answer_to(puzzle, status=status, further=two)
        for puzzle, status in zip(puzzles, endings, strict=True)
    ]
    assert harness.store_answers(harness.must_take(sent.id), given)
    assert harness.retry(batch) == 2
    assert harness.answered(batch) == [puzzles[0].id, puzzles[3].id, puzzles[4].id]
    (again,) = harness.claim_new()
    assert puzzles_of(again) == puzzles[1:3]
    harness.solve(batch)
    assert harness.store_answers(harness.must_take(again.id), answers_to(again))
    with read(harness.engine) as connection:
        assert read_progress(connection, batch.id, tally=True).by_status == {
            "solved": 3,
            "none": 1,
            "invalid": 1,
        }


def test_a_second_retry_adds_nothing(harness: Harness) -> None:
    batch = harness.submit(3, 2)
    sent, _ = harness.claim_new()
    given = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert harness.store_answers(harness.must_take(sent.id), given)
    harness.cancel(batch)
    assert harness.retry(batch) == 5
    before = harness.states(batch)
    assert harness.retry(batch) == 0
    assert harness.states(batch) == before


def test_retrying_a_complete_batch_does_nothing(harness: Harness) -> None:
    batch = harness.submit(3)
    harness.solve(batch)
    assert harness.retry(batch) == 0


def test_retrying_a_batch_in_progress_does_nothing(harness: Harness) -> None:
    batch = harness.submit(1, 1, 1)
    sent, _ = harness.claim_new(most=2)
    lease = harness.must_take(sent.id)
    assert harness.retry(batch) == 0
    assert harness.renew(lease)
    assert harness.states(batch) == {NEW: 1, SENT: 1, TAKEN: 1}


def test_unanswered_puzzles_of_a_cancelled_batch_are_put_back(harness: Harness) -> None:
    batch = harness.submit(1, 2, 3, 4)
    done, begun, sent = harness.claim_new(most=3)
    assert harness.store_answers(harness.must_take(done.id), answers_to(done))
    lease = harness.must_take(begun.id)
    assert harness.store_answers(lease, answers_to(begun)[:1], done=False)
    harness.cancel(batch)
    assert harness.retry(batch) == 1 + 3 + 4
    assert harness.state(begun.id) is None
    assert harness.state(sent.id) == NEW
    with read(harness.engine) as connection:
        sent_at = connection.execute(select(chunk.c.sent_at).where(chunk.c.id == sent.id)).scalar()
        assert sent_at is None
        assert batches.find(connection, batch.id).cancelled_at is None
        assert read_progress(connection, batch.id).answered == 2
    harness.solve(batch)
    assert harness.answered(batch) == list(range(batch.first_id, batch.last_id + 1))


def test_only_the_unanswered_puzzles_of_a_released_chunk_are_put_back(harness: Harness) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    assert harness.store_answers(lease, answers_to(sent)[:1], done=False)
    harness.release(lease)
    harness.cancel(batch)
    assert harness.retry(batch) == 2


def test_a_batch_of_another_queue_is_moved_to_the_given_one(harness: Harness) -> None:
    batch = harness.submit(2, 2, queue="private")
    (sent,) = harness.claim_new("private", most=1)
    harness.must_take(sent.id)
    assert harness.retry(batch, queue="shared") == 4
    assert harness.claim_new("private") == []
    with read(harness.engine) as connection:
        moved = batches.find(connection, batch.id)
    assert moved.queue == "shared"
    harness.solve(moved)
    assert len(harness.answered(batch)) == 4


def test_timed_out_puzzles_of_an_unfinished_chunk_stay_in_it(harness: Harness) -> None:
    # If a new chunk also contained them, they would be solved twice.
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    first, second = puzzles_of(sent)
    slow = answer_to(first, status=Status.TIMEOUT)
    assert harness.store_answers(lease, [slow], done=False)
    assert harness.retry(batch) == 0
    assert harness.store_answers(lease, [answer_to(second)])
    assert harness.retry(batch) == 1


def test_a_retry_can_change_the_time_limit(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    (puzzle,) = puzzles_of(sent)
    harness.store_answers(harness.must_take(sent.id), [answer_to(puzzle, status=Status.TIMEOUT)])
    harness.retry(batch, timeout=120.0)
    (again,) = harness.claim_new()
    assert harness.must_take(again.id).options == {"limit": 2, "timeout": 120.0}


def test_puzzles_put_back_are_cut_into_chunks_of_the_given_size(harness: Harness) -> None:
    batch = harness.submit(5)
    (sent,) = harness.claim_new()
    given = [answer_to(puzzle, status=Status.FAILED) for puzzle in puzzles_of(sent)]
    harness.store_answers(harness.must_take(sent.id), given)
    assert harness.retry(batch, size=2) == 5
    assert [len(puzzles_of(one)) for one in harness.claim_new()] == [2, 2, 1]


def test_the_id_of_a_deleted_chunk_is_not_used_again(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    harness.must_take(sent.id)
    harness.cancel(batch)
    harness.retry(batch)
    (again,) = harness.claim_new()
    assert again.id != sent.id
    assert harness.take(sent.id) is None
