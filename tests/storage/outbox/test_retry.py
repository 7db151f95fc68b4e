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
from tests.storage.shop import QUEUE, Shop, answer_to, answers_to, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def test_retrying_a_batch_that_does_not_exist_raises_no_such_batch(shop: Shop) -> None:
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(shop.engine) as connection:
        recovery.retry(connection, 99, queue=QUEUE)


def test_failed_and_timed_out_puzzles_are_put_into_new_chunks(shop: Shop) -> None:
    batch = shop.submit(5)
    (sent,) = shop.publish()
    endings = [Status.SOLVED, Status.TIMEOUT, Status.FAILED, Status.NONE, Status.INVALID]
    puzzles = puzzles_of(sent)
    two = [Kept(2, None, "1234341221434321")]
    given = [
        answer_to(puzzle, status=status, further=two)
        for puzzle, status in zip(puzzles, endings, strict=True)
    ]
    assert shop.finish(shop.taken(sent.id), given)
    assert shop.retry(batch) == 2
    assert shop.answered(batch) == [puzzles[0].id, puzzles[3].id, puzzles[4].id]
    (again,) = shop.publish()
    assert puzzles_of(again) == puzzles[1:3]
    shop.solve(batch)
    assert shop.finish(shop.taken(again.id), answers_to(again))
    with read(shop.engine) as connection:
        assert read_progress(connection, batch.id, tally=True).by_status == {
            "solved": 3,
            "none": 1,
            "invalid": 1,
        }


def test_a_second_retry_adds_nothing(shop: Shop) -> None:
    batch = shop.submit(3, 2)
    sent, _ = shop.publish()
    given = [answer_to(puzzle, status=Status.TIMEOUT) for puzzle in puzzles_of(sent)]
    assert shop.finish(shop.taken(sent.id), given)
    shop.cancel(batch)
    assert shop.retry(batch) == 5
    before = shop.states(batch)
    assert shop.retry(batch) == 0
    assert shop.states(batch) == before


def test_retrying_a_complete_batch_does_nothing(shop: Shop) -> None:
    batch = shop.submit(3)
    shop.solve(batch)
    assert shop.retry(batch) == 0


def test_retrying_a_batch_in_progress_does_nothing(shop: Shop) -> None:
    batch = shop.submit(1, 1, 1)
    sent, _ = shop.publish(most=2)
    taken = shop.taken(sent.id)
    assert shop.retry(batch) == 0
    assert shop.renew(taken)
    assert shop.states(batch) == {NEW: 1, SENT: 1, TAKEN: 1}


def test_unanswered_puzzles_of_a_cancelled_batch_are_put_back(shop: Shop) -> None:
    batch = shop.submit(1, 2, 3, 4)
    done, begun, sent = shop.publish(most=3)
    assert shop.finish(shop.taken(done.id), answers_to(done))
    taken = shop.taken(begun.id)
    assert shop.finish(taken, answers_to(begun)[:1], done=False)
    shop.cancel(batch)
    assert shop.retry(batch) == 1 + 3 + 4
    assert shop.state(begun.id) is None
    assert shop.state(sent.id) == NEW
    with read(shop.engine) as connection:
        sent_at = connection.execute(select(chunk.c.sent_at).where(chunk.c.id == sent.id)).scalar()
        assert sent_at is None  # as of any that is new
        assert batches.find(connection, batch.id).cancelled_at is None
        assert read_progress(connection, batch.id).answered == 2
    shop.solve(batch)
    assert shop.answered(batch) == list(range(batch.first_id, batch.last_id + 1))


def test_only_the_unanswered_puzzles_of_a_released_chunk_are_put_back(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    assert shop.finish(taken, answers_to(sent)[:1], done=False)
    shop.give_back(taken)
    shop.cancel(batch)
    assert shop.retry(batch) == 2


def test_a_batch_of_another_queue_is_moved_to_the_given_one(shop: Shop) -> None:
    batch = shop.submit(2, 2, queue="private")
    (sent,) = shop.publish("private", most=1)
    shop.taken(sent.id)
    assert shop.retry(batch, queue="shared") == 4
    assert shop.publish("private") == []
    with read(shop.engine) as connection:
        moved = batches.find(connection, batch.id)
    assert moved.queue == "shared"
    shop.solve(moved)
    assert len(shop.answered(batch)) == 4


def test_timed_out_puzzles_of_an_unfinished_chunk_stay_in_it(shop: Shop) -> None:
    # Else two chunks would hold it.
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    first, second = puzzles_of(sent)
    slow = answer_to(first, status=Status.TIMEOUT)
    assert shop.finish(taken, [slow], done=False)
    assert shop.retry(batch) == 0
    assert shop.finish(taken, [answer_to(second)])
    assert shop.retry(batch) == 1


def test_a_retry_can_change_the_time_limit(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    (puzzle,) = puzzles_of(sent)
    shop.finish(shop.taken(sent.id), [answer_to(puzzle, status=Status.TIMEOUT)])
    shop.retry(batch, timeout=120.0)
    (again,) = shop.publish()
    assert shop.taken(again.id).options == {"limit": 2, "timeout": 120.0}


def test_puzzles_put_back_are_cut_into_chunks_of_the_given_size(shop: Shop) -> None:
    batch = shop.submit(5)
    (sent,) = shop.publish()
    given = [answer_to(puzzle, status=Status.FAILED) for puzzle in puzzles_of(sent)]
    shop.finish(shop.taken(sent.id), given)
    assert shop.retry(batch, size=2) == 5
    assert [len(puzzles_of(one)) for one in shop.publish()] == [2, 2, 1]


def test_the_id_of_a_deleted_chunk_is_not_used_again(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    shop.taken(sent.id)
    shop.cancel(batch)
    shop.retry(batch)
    (again,) = shop.publish()
    assert again.id != sent.id
    assert shop.take(sent.id) is None
