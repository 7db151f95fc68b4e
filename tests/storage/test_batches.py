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


def test_a_batch_is_found_as_it_was_made(shop: Shop) -> None:
    made = shop.submit(2, 1, name="monday")
    with read(shop.engine) as connection:
        found = batches.find(connection, made.id)
    assert found == made
    assert (found.name, found.puzzles, found.ready) == ("monday", 3, True)
    assert found.options == {"limit": 2, "timeout": 30.0}
    assert found.created_at.endswith("Z")


def test_a_file_may_have_a_name_that_is_no_text(shop: Shop) -> None:
    with write(shop.engine) as connection:
        named = {"name": "\udcffeb", "source": "\udcff.txt", "kind": "sudoku"}
        made = batches.create(connection, **named, options=named, puzzles=0, queue=QUEUE)
        found = batches.find(connection, made.id)
    assert (found.name, found.source) == ("?eb", "?.txt")
    assert found.options == named


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**63 - 1])
def test_any_number_may_be_asked_for(shop: Shop, number: int) -> None:
    with read(shop.engine) as connection, pytest.raises(NoSuchBatch, match=f"no batch {number}"):
        batches.find(connection, number)


def test_puzzles_are_numbered_in_the_order_of_submission(shop: Shop) -> None:
    first, second = shop.submit(2, 1), shop.submit(4)
    assert (first.first_id, first.last_id) == (1, 3)
    assert (second.first_id, second.last_id) == (4, 7)


def test_numbers_are_not_given_again_after_a_failed_submit(shop: Shop) -> None:
    abandoned = shop.submit(5, ready=False)
    assert shop.submit(1).first_id == abandoned.last_id + 1


def test_a_submit_that_is_rolled_back_reserves_nothing(shop: Shop) -> None:
    with pytest.raises(KeyboardInterrupt), write(shop.engine) as connection:
        batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        raise KeyboardInterrupt
    assert shop.submit(1).first_id == 1


def test_the_newest_batches_come_first_and_only_those_that_are_ready(shop: Shop) -> None:
    one, two = shop.submit(1), shop.submit(1)
    shop.submit(1, ready=False)
    with read(shop.engine) as connection:
        assert [batch.id for batch in batches.newest(connection)] == [two.id, one.id]
        assert [batch.id for batch in batches.newest(connection, 1)] == [two.id]


@pytest.mark.parametrize("what", [batches.find, batches.cancel])
def test_a_batch_that_does_not_exist_is_said_to_be_none(shop: Shop, what: object) -> None:
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(shop.engine) as connection:
        what(connection, 99)  # type: ignore[operator] # either takes these
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(shop.engine) as connection:
        recovery.retry(connection, 99, queue=QUEUE)


# --- cancel ---


def test_cancelling_stops_what_is_not_done(shop: Shop) -> None:
    batch = shop.submit(1, 1)
    (sent,) = shop.publish(most=1)
    assert shop.finish(shop.taken(sent.id), answers_to(sent))
    assert shop.cancel(batch)
    with read(shop.engine) as connection:
        assert batches.find(connection, batch.id).cancelled_at is not None
        assert read_progress(connection, batch.id).answered == 1


def test_cancelling_twice_changes_nothing(shop: Shop) -> None:
    batch = shop.submit(1)
    assert shop.cancel(batch)
    assert not shop.cancel(batch)


def test_a_complete_batch_is_not_cancelled(shop: Shop) -> None:
    batch = shop.submit(1)
    shop.solve(batch)
    assert not shop.cancel(batch)


def test_what_was_being_solved_at_the_cancellation_is_kept(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.cancel(batch)
    assert shop.finish(taken, answers_to(sent)[:1], done=False)
    assert len(shop.answered(batch)) == 1


# --- retry ---


def test_failed_and_timed_out_puzzles_are_tried_again(shop: Shop) -> None:
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


def test_retrying_a_batch_under_way_does_nothing(shop: Shop) -> None:
    batch = shop.submit(1, 1, 1)
    sent, _ = shop.publish(most=2)
    taken = shop.taken(sent.id)
    assert shop.retry(batch) == 0
    assert shop.renew(taken)
    assert shop.states(batch) == {NEW: 1, SENT: 1, TAKEN: 1}


def test_what_a_cancelled_batch_lacks_is_put_back(shop: Shop) -> None:
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


def test_of_a_chunk_given_back_half_done_only_the_rest_is_put_back(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    assert shop.finish(taken, answers_to(sent)[:1], done=False)
    shop.give_back(taken)
    shop.cancel(batch)
    assert shop.retry(batch) == 2


def test_a_batch_of_another_queue_is_moved(shop: Shop) -> None:
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


def test_a_timed_out_puzzle_of_a_chunk_in_work_is_left_to_it(shop: Shop) -> None:
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


def test_a_retry_may_give_more_time(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    (puzzle,) = puzzles_of(sent)
    shop.finish(shop.taken(sent.id), [answer_to(puzzle, status=Status.TIMEOUT)])
    shop.retry(batch, timeout=120.0)
    (again,) = shop.publish()
    assert shop.taken(again.id).options == {"limit": 2, "timeout": 120.0}


def test_puzzles_that_go_back_are_cut_into_chunks(shop: Shop) -> None:
    batch = shop.submit(5)
    (sent,) = shop.publish()
    given = [answer_to(puzzle, status=Status.FAILED) for puzzle in puzzles_of(sent)]
    shop.finish(shop.taken(sent.id), given)
    assert shop.retry(batch, size=2) == 5
    assert [len(puzzles_of(one)) for one in shop.publish()] == [2, 2, 1]


def test_a_late_message_of_a_chunk_that_is_gone_meets_no_other(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    shop.taken(sent.id)
    shop.cancel(batch)
    shop.retry(batch)
    (again,) = shop.publish()
    assert again.id != sent.id
    assert shop.take(sent.id) is None
