"""Leases: taking, renewing, releasing and completing chunks, and splitting suspect ones."""

import pytest
from sqlalchemy import select

from storage.database import read, write
from storage.outbox import leases, publishing
from storage.packing import digest
from storage.queries.progress import read_progress
from storage.tables import chunk, payload
from storage.values import ChunkState
from tests.storage.harness import QUEUE, Harness, answers_to, leases_last, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_chunk_goes_from_new_to_sent_to_taken_to_done(harness: Harness) -> None:
    batch = harness.submit(3)
    assert harness.states(batch) == {NEW: 1}
    (sent,) = harness.claim_new()
    assert harness.states(batch) == {SENT: 1}
    lease = harness.must_take(sent.id)
    assert harness.states(batch) == {TAKEN: 1}
    assert harness.store_answers(lease, answers_to(sent))
    assert harness.states(batch) == {DONE: 1}
    assert harness.answered() == [puzzle.id for puzzle in puzzles_of(sent)]


def test_the_puzzles_of_a_completed_chunk_are_deleted(harness: Harness) -> None:
    batch = harness.submit(3)
    harness.solve(batch)
    with read(harness.engine) as connection:
        assert connection.execute(select(payload)).all() == []


def test_a_lease_contains_the_batchs_options(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    assert harness.must_take(sent.id).options == {"limit": 2, "timeout": 30.0}


def test_a_chunk_marked_as_unsent_can_be_taken_when_its_message_arrives(harness: Harness) -> None:
    # Redis received the message, but the reply to the publisher was lost.
    harness.submit(1)
    (sent,) = harness.claim_new()
    with harness.engine.begin() as connection:
        publishing.mark_unsent(connection, [sent.id])
    assert harness.state(sent.id) == NEW
    assert harness.must_take(sent.id).attempt == 1


def test_a_chunk_is_not_taken_with_the_digest_of_other_puzzles(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    with write(harness.engine) as connection:
        own, foreign = digest(sent.puzzles), digest(sent.puzzles + " ")
        assert leases.has_other_puzzles(connection, sent.id, foreign)
        assert not leases.has_other_puzzles(connection, sent.id, own)
        assert leases.take(connection, sent.id, "ada", foreign) is None
        assert leases.take(connection, sent.id, "ada", own)
        assert not leases.has_other_puzzles(connection, sent.id, foreign)  # it was taken


def test_a_chunk_with_a_live_lease_is_not_taken(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    harness.must_take(sent.id)
    assert harness.take(sent.id, "bob") is None


def test_a_chunk_that_is_done_is_not_taken(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    assert harness.store_answers(harness.must_take(sent.id), answers_to(sent))
    assert harness.take(sent.id) is None


def test_a_chunk_that_does_not_exist_is_not_taken(harness: Harness) -> None:
    assert harness.take(77) is None


def test_a_chunk_of_a_batch_that_is_not_ready_cannot_be_taken(
    harness: Harness,
) -> None:
    harness.submit(1, ready=False)
    assert harness.claim_new() == []
    with read(harness.engine) as connection:
        number = connection.execute(select(chunk.c.id)).scalar_one()
    assert harness.take(number) is None


def test_an_expired_lease_is_taken_over_with_a_higher_attempt(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    first = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    second = harness.must_take(sent.id, "bob")
    assert (first.attempt, second.attempt) == (1, 2)


def test_a_renewed_lease_is_not_taken_over(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.backdate(61, sent.id)
    assert harness.renew(lease)
    assert harness.take(sent.id, "bob") is None


def test_a_worker_that_lost_its_lease_cannot_renew_or_store_a_part(
    harness: Harness,
) -> None:
    harness.submit(2)
    (sent,) = harness.claim_new()
    first = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    second = harness.must_take(sent.id, "bob")
    assert not harness.renew(first)
    assert not harness.store_answers(first, answers_to(sent)[:1], done=False)
    assert harness.answered() == []
    assert harness.renew(second)


def test_a_released_chunk_is_new_and_the_attempt_is_not_counted(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    harness.release(harness.must_take(sent.id))
    assert harness.states(batch) == {NEW: 1}
    (again,) = harness.claim_new()
    assert again == sent
    assert harness.must_take(again.id).attempt == 1


def test_a_worker_that_lost_its_lease_cannot_release_it(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    first = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    harness.must_take(sent.id, "bob")
    harness.release(first)
    assert harness.state(sent.id) == TAKEN


def test_a_chunk_marked_as_unsent_is_new_again(harness: Harness) -> None:
    batch = harness.submit(1, 1)
    one, other = harness.claim_new()
    with harness.engine.begin() as connection:
        publishing.mark_unsent(connection, [other.id])
    assert harness.states(batch) == {NEW: 1, SENT: 1}
    assert harness.claim_new() == [other]
    assert harness.state(one.id) == SENT


@pytest.mark.parametrize("done", [True, False])
def test_only_sent_chunks_can_be_marked_as_unsent(harness: Harness, *, done: bool) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    if done:
        harness.store_answers(lease, answers_to(sent))
    with harness.engine.begin() as connection:
        publishing.mark_unsent(connection, [sent.id])
    assert harness.state(sent.id) == (DONE if done else TAKEN)


# --- suspect chunks ---


def test_a_chunk_is_suspect_after_the_death_of_its_process(harness: Harness) -> None:
    harness.submit(2)
    (sent,) = harness.claim_new()
    dead = harness.must_take(sent.id, "ada")
    with write(harness.engine) as connection:
        assert leases.held_by(connection, sent.id, "bob") is None
        assert leases.held_by(connection, sent.id, "ada") == 1
        leases.end(connection, sent.id, 1)
        leases.end(connection, sent.id, 1)  # without effect
        assert leases.held_by(connection, sent.id, "ada") is None
    assert harness.state(sent.id) == NEW
    assert not harness.renew(dead)
    again = harness.must_take(sent.id)
    assert (again.attempt, again.is_suspect) == (3, True)
    harness.release(again)
    assert harness.must_take(sent.id).is_suspect


@pytest.mark.attack
def test_one_expired_lease_is_no_suspicion_and_two_are(harness: Harness) -> None:
    harness.submit(2)
    (sent,) = harness.claim_new()
    found = []
    for _ in range(3):
        found.append(harness.must_take(sent.id).is_suspect)
        harness.backdate(61, sent.id)
    assert found == [False, False, True]


def test_all_leases_of_a_queue_end_together(harness: Harness) -> None:
    harness.submit(1, 1)
    other = harness.submit(1, queue="other")
    one, two = (harness.must_take(sent.id) for sent in harness.claim_new())
    (theirs,) = harness.claim_new("other")
    harness.must_take(theirs.id)
    with write(harness.engine) as connection:
        leases.end_all(connection, QUEUE)
    assert [harness.state(lease.chunk_id) for lease in (one, two)] == [NEW, NEW]
    assert harness.states(other) == {TAKEN: 1}


# --- chunks that are split ---


@pytest.mark.attack
@pytest.mark.parametrize(
    ("puzzles", "sizes", "attempt"), [(2, [1, 1], 3), (16, [1] * 16, 3), (40, [3] * 13 + [1], 1)]
)
def test_the_puzzles_that_a_chunk_has_left_are_put_into_smaller_ones(
    harness: Harness, puzzles: int, sizes: list[int], attempt: int
) -> None:
    batch = harness.submit(puzzles + 1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    leases_last(harness.engine, 0.0)
    slow = harness.must_take(sent.id)
    leases_last(harness.engine, leases.DEFAULT_SECONDS)
    answers = answers_to(sent)
    assert harness.store_answers(slow, answers[:1], done=False)
    assert not harness.split(lease, puzzles_of(sent)[1:])
    assert harness.split(slow, puzzles_of(sent)[1:])
    assert not harness.split(slow, puzzles_of(sent)[1:])
    assert not harness.store_answers(slow, answers)
    assert harness.take(sent.id) is None
    made = harness.claim_new()
    assert [len(puzzles_of(one)) for one in made] == sizes
    taken = [harness.must_take(one.id) for one in made]
    assert {one.attempt for one in taken} == {attempt}
    with read(harness.engine) as connection:
        assert read_progress(connection, batch.id).answered == 1
    for one, its_lease in zip(made, taken, strict=True):
        assert harness.store_answers(its_lease, answers_to(one))
    assert harness.answered() == [puzzle.id for puzzle in puzzles_of(sent)]


def test_how_long_a_lease_lasts_is_stored_with_its_queue(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    assert harness.must_take(sent.id).seconds == leases.DEFAULT_SECONDS
    harness.backdate(30, sent.id)
    with write(harness.engine) as connection:
        leases.store_seconds(connection, "another queue", 1.0)
    assert harness.take(sent.id, "bob") is None
    assert harness.claim_lost() == []
    for seconds in (40.0, 20.0):  # of a worker, and of one that is started later
        leases_last(harness.engine, seconds)
    with read(harness.engine) as connection:
        assert leases.seconds(connection, QUEUE) == 20.0
    assert harness.must_take(sent.id, "bob").seconds == 20.0
    harness.backdate(30, sent.id)
    assert harness.claim_lost() == [sent.id]
