"""Steering: running batches are paused, resumed, and given another priority."""

from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, Engine

from storage import batches
from storage.batches import Batch
from storage.database import read, write
from storage.errors import BatchNotQueued, NoSuchBatch
from storage.outbox import removal, steering, stride
from storage.queries.health import expired_leases
from storage.queries.progress import read_progress
from storage.tables import chunk
from storage.values import ChunkState, Gain, Priority, Status
from tests.storage.harness import Harness, answers_to, puzzles_of
from tests.storage.searching.harness import SearchHarness

NEW, SENT, TAKEN, DONE = ChunkState


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


def prioritise(harness: Harness, batch: Batch, priority: Priority) -> None:
    with write(harness.engine) as connection:
        steering.set_priority(connection, batch.id, priority)


def turns(harness: Harness, most: int) -> Counter[int]:
    """Send chunks one at a time, and return how many of each batch."""
    return Counter(one.batch_id for _ in range(most) for one in harness.claim_new(most=1))


# --- pause and resume ---


def test_no_chunk_of_a_paused_batch_is_sent_until_it_is_resumed(harness: SearchHarness) -> None:
    batch, other = harness.submit(1, 1), harness.submit(1)
    harness.pause(batch)
    assert [one.batch_id for one in harness.claim_new()] == [other.id]
    assert harness.resume(batch)
    assert [one.batch_id for one in harness.claim_new()] == [batch.id, batch.id]


def test_what_was_sent_before_a_pause_is_not_taken_and_sent_again_after_it(
    harness: SearchHarness,
) -> None:
    batch = harness.submit(1, 1)
    before = harness.claim_new()
    harness.pause(batch)
    assert harness.states(batch) == {NEW: 2}
    assert not any(harness.take(one.id) for one in before)
    harness.resume(batch)
    again = harness.claim_new()
    assert {one.id for one in again} == {one.id for one in before}
    harness.must_take(again[0].id)


def test_a_chunk_that_is_taken_is_completed_or_given_back_during_a_pause(
    harness: SearchHarness,
) -> None:
    batch = harness.submit(1, 1)
    one, other = harness.claim_new()
    first, second = harness.must_take(one.id), harness.must_take(other.id)
    harness.pause(batch)
    assert harness.store_answers(first, answers_to(one))
    harness.release(second)
    assert harness.states(batch) == {DONE: 1, NEW: 1}
    assert harness.claim_new() == []
    harness.resume(batch)
    (again,) = harness.claim_new()
    assert harness.must_take(again.id).attempt == 1


def test_a_lease_that_expires_during_a_pause_is_recovered_after_it(harness: SearchHarness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    harness.must_take(sent.id)
    harness.pause(batch)
    harness.backdate(61, sent.id)
    with read(harness.engine) as connection:
        assert expired_leases(connection, 60) == {}
    assert harness.claim_lost(idle=True) == []
    harness.resume(batch)
    assert harness.claim_lost() == [sent.id]


def test_the_parts_of_a_search_wait_during_a_pause(harness: SearchHarness) -> None:
    batch = harness.begin([("left", 0.5, None, ()), ("right", 0.5, None, ())])
    one, other = harness.claim_parts()
    taken = harness.must_take_part(one)
    harness.pause(batch)
    assert harness.take_part(other) is None
    assert harness.end_turn(taken, Gain(3, 9, 100), [("less", 0.25, None, ())])
    assert harness.claim_parts() == []
    with read(harness.engine) as connection:
        (search,) = read_progress(connection, batch.id).open_searches
    assert (search.solutions, search.open, search.processes) == (3, 2, 0)
    harness.resume(batch)
    assert len(harness.claim_parts()) == 2


def test_a_paused_batch_is_not_work_that_waits(harness: SearchHarness) -> None:
    batch, other = harness.submit(1, 1), harness.submit()
    harness.claim_new(most=1)
    with write(harness.engine) as connection:
        assert stride.others_wait(connection, other.id)
        steering.pause(connection, batch.id)
        assert not stride.others_wait(connection, other.id)
        assert stride.waiting_chunks(connection, other.id, 9) == 0


@pytest.mark.parametrize("sent", [0, 1])
def test_chunks_that_cost_more_are_left_out_where_only_small_ones_matter(
    harness: SearchHarness, sent: int
) -> None:
    waiting, own = harness.submit(1), harness.submit()
    if sent:
        harness.claim_new()
    with write(harness.engine) as connection:
        for cost in (1, 2):
            mine = chunk.c.batch_id == waiting.id
            connection.execute(chunk.update().where(mine).values(cost=cost))
            assert stride.others_wait(connection, own.id)
            assert stride.others_wait(connection, own.id, 1) == (cost == 1)


def test_a_batch_is_paused_twice_and_resumed_once(harness: SearchHarness) -> None:
    batch = harness.submit(1)
    assert not harness.resume(batch)
    for _ in range(2):
        harness.pause(batch)
    with read(harness.engine) as connection:
        assert batches.find(connection, batch.id).paused
    assert [harness.resume(batch), harness.resume(batch)] == [True, False]


def test_a_paused_batch_is_finished_by_the_chunks_that_were_taken(harness: SearchHarness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.pause(batch)
    assert harness.store_answers(lease, answers_to(sent))
    with pytest.raises(BatchNotQueued, match="already finished"):
        harness.resume(batch)
    assert removal.delete_batch(harness.engine, batch.id) == []


def test_cancelling_ends_a_pause(harness: SearchHarness) -> None:
    batch = harness.submit(1)
    harness.pause(batch)
    assert harness.cancel(batch)
    harness.retire()
    assert harness.retry(batch) == 1
    assert len(harness.claim_new()) == 1


def test_a_retry_keeps_a_pause(harness: SearchHarness) -> None:
    batch = harness.submit(1, 1)
    (sent,) = harness.claim_new(most=1)
    lease = harness.must_take(sent.id)
    harness.pause(batch)
    late = [one._replace(status=Status.TIMEOUT) for one in answers_to(sent)]
    assert harness.store_answers(lease, late)
    harness.retire()
    assert harness.retry(batch) == 1
    assert harness.claim_new() == []
    harness.resume(batch)
    assert {puzzle.id for one in harness.claim_new() for puzzle in puzzles_of(one)} == {1, 2}


def test_a_retry_of_a_batch_that_ended_while_it_was_paused_is_sent_at_once(
    harness: SearchHarness,
) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.pause(batch)
    assert harness.store_answers(
        lease, [one._replace(status=Status.TIMEOUT) for one in answers_to(sent)]
    )
    assert harness.retry(batch) == 1
    assert len(harness.claim_new()) == 1


# --- turns ---


def test_a_batch_that_was_paused_shares_the_workers_at_once(harness: SearchHarness) -> None:
    old = harness.submit(*[1] * 60)
    harness.claim_new(most=40)
    harness.pause(old)
    harness.submit(*[1] * 60)
    harness.resume(old)
    assert turns(harness, 20)[old.id] == pytest.approx(10, abs=1)


def test_a_batch_that_is_retried_shares_the_workers_at_once(harness: SearchHarness) -> None:
    old = harness.submit(*[1] * 60)
    harness.claim_new(most=40)
    harness.cancel(old)
    harness.submit(*[1] * 60)
    harness.retry(old)
    assert turns(harness, 20)[old.id] == pytest.approx(10, abs=1)


def test_a_priority_changes_the_share_from_the_next_turns_on(harness: SearchHarness) -> None:
    one, _ = harness.submit(*[1] * 90), harness.submit(*[1] * 90)
    assert turns(harness, 10)[one.id] == pytest.approx(5, abs=1)
    prioritise(harness, one, Priority.HIGH)
    assert turns(harness, 50)[one.id] == pytest.approx(40, abs=1)
    prioritise(harness, one, Priority.LOW)
    assert turns(harness, 50)[one.id] == pytest.approx(10, abs=1)


def test_the_priority_of_a_paused_batch_holds_after_the_pause(harness: SearchHarness) -> None:
    one, other = harness.submit(*[1] * 90), harness.submit(*[1] * 90)
    harness.pause(one)
    prioritise(harness, one, Priority.HIGH)
    assert turns(harness, 10) == {other.id: 10}
    harness.resume(one)
    assert turns(harness, 50)[one.id] == pytest.approx(40, abs=1)


# --- batches that are not queued ---


def change(connection: Connection, batch_id: int) -> None:
    steering.set_priority(connection, batch_id, Priority.LOW)


@pytest.mark.parametrize("step", [steering.pause, steering.resume, change])
def test_a_batch_that_no_worker_goes_on_with_is_refused(
    harness: SearchHarness, step: Callable[[Connection, int], object]
) -> None:
    done, cancelled, alone = harness.submit(1), harness.submit(1), harness.submit(1)
    with write(harness.engine) as connection:
        removal.own(connection, alone.id)
    harness.cancel(cancelled)
    stored = harness.submit(1, ready=False)
    harness.solve(done)
    for batch, reason in (
        (done, "has already finished"),
        (cancelled, f"was cancelled: run the rest of it with bullseye retry {cancelled.id}"),
        (stored, "is still being stored"),
        (alone, f"a solve command works on batch {alone.id} alone"),
    ):
        with pytest.raises(BatchNotQueued, match=reason), write(harness.engine) as connection:
            step(connection, batch.id)
    with pytest.raises(NoSuchBatch), write(harness.engine) as connection:
        step(connection, 99)
