"""Creating, finding, listing and cancelling batches."""

import pytest

from storage import batches
from storage.database import read, write
from storage.errors import AmbiguousName, NoSuchBatch
from storage.outbox.removal import delete_batch
from storage.queries.progress import read_progress
from storage.values import ChunkState
from tests.storage.harness import QUEUE, Harness, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_batch_is_read_as_it_was_created(harness: Harness) -> None:
    made = harness.submit(2, 1, name="monday")
    with read(harness.engine) as connection:
        found = batches.find(connection, made.id)
    assert found == made
    assert (found.name, found.puzzles, found.ready) == ("monday", 3, True)
    assert found.options == {"limit": 2, "timeout": 30.0}
    assert found.created_at.endswith("Z")


def test_names_that_are_not_valid_text_are_stored_with_replacements(harness: Harness) -> None:
    with write(harness.engine) as connection:
        made = batches.create(
            connection,
            name="\udcffeb",
            source="\udcff.txt",
            kind="sudoku",
            options={"label": "\udcff"},
            puzzles=0,
            queue=QUEUE,
        )
        found = batches.find(connection, made.id)
    assert (found.name, found.source) == ("\ufffdeb", "\ufffd.txt")
    assert found.options == {"label": "\udcff"}


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**63 - 1])
def test_any_number_without_a_batch_raises_no_such_batch(harness: Harness, number: int) -> None:
    with read(harness.engine) as connection, pytest.raises(NoSuchBatch, match=f"no batch {number}"):
        batches.find(connection, number)


def test_a_batch_is_found_by_its_name_or_as_the_last(harness: Harness) -> None:
    sunday, other = harness.submit(1, name="sunday"), harness.submit(1, name="näher, 'x'")
    harness.submit(1, name="monday", ready=False)
    with read(harness.engine) as connection:
        assert batches.find(connection, "sunday") == sunday
        assert batches.find(connection, "näher, 'x'") == other
        assert batches.find(connection, "last") == other
        with pytest.raises(NoSuchBatch, match=r"^there is no batch named 'monday': see "):
            batches.find(connection, "monday")


def test_a_name_of_several_batches_is_refused_with_their_numbers(harness: Harness) -> None:
    for _ in range(3):
        harness.submit(1, name="sunday")
    with (
        read(harness.engine) as connection,
        pytest.raises(AmbiguousName, match=r"^the batches 1, 2 and 3 are all named 'sunday': give"),
    ):
        batches.find(connection, "sunday")


def test_without_batches_there_is_no_last_one(harness: Harness) -> None:
    with read(harness.engine) as connection, pytest.raises(NoSuchBatch, match="no batches yet"):
        batches.find(connection, "last")


def test_puzzle_ids_follow_the_order_of_submission(harness: Harness) -> None:
    first, second = harness.submit(2, 1), harness.submit(4)
    assert (first.first_id, first.last_id) == (1, 3)
    assert (second.first_id, second.last_id) == (4, 7)


def test_ids_of_an_abandoned_submission_are_not_reused(harness: Harness) -> None:
    abandoned = harness.submit(5, ready=False)
    assert harness.submit(1).first_id == abandoned.last_id + 1


def test_a_submission_that_is_rolled_back_reserves_no_ids(harness: Harness) -> None:
    with pytest.raises(KeyboardInterrupt), write(harness.engine) as connection:
        batches.create(
            connection, name=None, source="-", kind="sudoku", options={}, puzzles=5, queue=QUEUE
        )
        raise KeyboardInterrupt
    assert harness.submit(1).first_id == 1


def test_ready_batches_are_listed_newest_first(harness: Harness) -> None:
    one, two = harness.submit(1), harness.submit(1)
    harness.submit(1, ready=False)
    with read(harness.engine) as connection:
        assert [batch.id for batch in batches.newest(connection)] == [two.id, one.id]
        assert [batch.id for batch in batches.newest(connection, 1)] == [two.id]


def test_a_batch_that_is_being_stored_can_be_listed_and_cancelled(harness: Harness) -> None:
    ready, stored = harness.submit(1), harness.submit(ready=False)
    with read(harness.engine) as connection:
        assert batches.newest(connection) == [ready]
        assert batches.newest(connection, being_stored=True) == [stored, ready]
    with write(harness.engine) as connection:
        assert batches.cancel(connection, stored.id)
        assert not batches.cancel(connection, stored.id)
    assert delete_batch(harness.engine, stored.id) == []


@pytest.mark.parametrize("what", [batches.find, batches.cancel])
def test_a_batch_that_does_not_exist_raises_no_such_batch(harness: Harness, what: object) -> None:
    with pytest.raises(NoSuchBatch, match="no batch 99"), write(harness.engine) as connection:
        what(connection, 99)  # type: ignore[operator] # either takes these


# --- cancel ---


def test_cancelling_keeps_the_answers_that_are_stored(harness: Harness) -> None:
    batch = harness.submit(1, 1)
    (sent,) = harness.claim_new(most=1)
    assert harness.store_answers(harness.must_take(sent.id), answers_to(sent))
    assert harness.cancel(batch)
    with read(harness.engine) as connection:
        assert batches.find(connection, batch.id).cancelled_at is not None
        assert read_progress(connection, batch.id).answered == 1


def test_cancelling_twice_changes_nothing(harness: Harness) -> None:
    batch = harness.submit(1)
    assert harness.cancel(batch)
    assert not harness.cancel(batch)


def test_a_complete_batch_is_not_cancelled(harness: Harness) -> None:
    batch = harness.submit(1)
    harness.solve(batch)
    assert not harness.cancel(batch)


def test_a_worker_can_store_answers_after_the_cancellation(harness: Harness) -> None:
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.cancel(batch)
    assert harness.store_answers(lease, answers_to(sent)[:1], done=False)
    assert len(harness.answered(batch)) == 1
