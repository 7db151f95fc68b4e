import pytest

from storage import batches
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.queries.progress import read_progress
from storage.values import ChunkState
from tests.storage.shop import QUEUE, Shop, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_batch_is_read_as_it_was_created(shop: Shop) -> None:
    made = shop.submit(2, 1, name="monday")
    with read(shop.engine) as connection:
        found = batches.find(connection, made.id)
    assert found == made
    assert (found.name, found.puzzles, found.ready) == ("monday", 3, True)
    assert found.options == {"limit": 2, "timeout": 30.0}
    assert found.created_at.endswith("Z")


def test_names_that_are_not_valid_text_are_stored_with_replacements(shop: Shop) -> None:
    with write(shop.engine) as connection:
        named = {"name": "\udcffeb", "source": "\udcff.txt", "kind": "sudoku"}
        made = batches.create(connection, **named, options=named, puzzles=0, queue=QUEUE)
        found = batches.find(connection, made.id)
    assert (found.name, found.source) == ("?eb", "?.txt")
    assert found.options == named


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**63 - 1])
def test_any_number_without_a_batch_raises_no_such_batch(shop: Shop, number: int) -> None:
    with read(shop.engine) as connection, pytest.raises(NoSuchBatch, match=f"no batch {number}"):
        batches.find(connection, number)


def test_puzzle_ids_follow_the_order_of_submission(shop: Shop) -> None:
    first, second = shop.submit(2, 1), shop.submit(4)
    assert (first.first_id, first.last_id) == (1, 3)
    assert (second.first_id, second.last_id) == (4, 7)


def test_ids_of_an_abandoned_submission_are_not_reused(shop: Shop) -> None:
    abandoned = shop.submit(5, ready=False)
    assert shop.submit(1).first_id == abandoned.last_id + 1


def test_a_submission_that_is_rolled_back_reserves_no_ids(shop: Shop) -> None:
    with pytest.raises(KeyboardInterrupt), write(shop.engine) as connection:
        batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        raise KeyboardInterrupt
    assert shop.submit(1).first_id == 1


def test_ready_batches_are_listed_newest_first(shop: Shop) -> None:
    one, two = shop.submit(1), shop.submit(1)
    shop.submit(1, ready=False)
    with read(shop.engine) as connection:
        assert [batch.id for batch in batches.newest(connection)] == [two.id, one.id]
        assert [batch.id for batch in batches.newest(connection, 1)] == [two.id]


@pytest.mark.parametrize("what", [batches.find, batches.cancel])
def test_a_batch_that_does_not_exist_raises_no_such_batch(shop: Shop, what: object) -> None:
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(shop.engine) as connection:
        what(connection, 99)  # type: ignore[operator] # either takes these


# --- cancel ---


def test_cancelling_keeps_the_answers_that_are_stored(shop: Shop) -> None:
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


def test_a_worker_can_store_answers_after_the_cancellation(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.cancel(batch)
    assert shop.finish(taken, answers_to(sent)[:1], done=False)
    assert len(shop.answered(batch)) == 1
