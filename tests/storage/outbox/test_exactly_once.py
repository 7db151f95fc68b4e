"""Duplicate messages, dead workers and lost leases: every puzzle gets one answer, stored once."""

import pytest
from sqlalchemy import func, select

from storage.database import read
from storage.errors import StorageError
from storage.queries.answers import find_answer, further_solutions
from storage.queries.progress import read_progress
from storage.tables import solution
from storage.values import Kept
from tests.storage.harness import Harness, answer_to, answers_to, puzzles_of

ADAS, BOBS = "1234341221434321", "4321123434122143"


def test_completing_a_chunk_twice_stores_its_answers_once(harness: Harness) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    assert harness.store_answers(lease, answers_to(sent))
    assert not harness.store_answers(lease, answers_to(sent))
    assert len(harness.answered(batch)) == 3


def test_the_answers_of_the_first_worker_to_complete_a_chunk_are_stored(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    (puzzle,) = puzzles_of(sent)
    first = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    second = harness.must_take(sent.id, "bob")
    assert harness.store_answers(first, [answer_to(puzzle, solution=ADAS)], worker="ada")
    assert not harness.store_answers(second, [answer_to(puzzle, solution=BOBS)], worker="bob")
    with read(harness.engine) as connection:
        answer = find_answer(connection, puzzle.id)
    assert (answer.solution, answer.worker, answer.attempts) == (ADAS, "ada", 1)


def test_storing_some_answers_renews_the_lease(harness: Harness) -> None:
    harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.backdate(61, sent.id)
    assert harness.store_answers(lease, answers_to(sent)[:1], done=False)
    assert harness.take(sent.id, "bob") is None


def test_answers_of_an_earlier_attempt_are_not_replaced(harness: Harness) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    puzzles = puzzles_of(sent)
    first = harness.must_take(sent.id, "ada")
    two = [Kept(2, None, ADAS)]
    assert harness.store_answers(
        first, [answer_to(puzzles[0], further=two)], worker="ada", done=False
    )
    harness.backdate(61, sent.id)
    second = harness.must_take(sent.id, "bob")
    three = [Kept(2, None, BOBS), Kept(3, None, BOBS)]
    all_three = [answer_to(puzzle, solution=BOBS, further=three) for puzzle in puzzles]
    assert harness.store_answers(second, all_three, worker="bob")
    assert len(harness.answered(batch)) == 3
    with read(harness.engine) as connection:
        assert find_answer(connection, puzzles[0].id).worker == "ada"
        assert further_solutions(connection, puzzles[0].id) == two
        assert further_solutions(connection, puzzles[1].id) == three


def test_a_worker_that_lost_its_lease_can_complete_the_chunk_with_the_missing_answers(
    harness: Harness,
) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    first = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    second = harness.must_take(sent.id, "bob")
    assert harness.store_answers(second, answers_to(sent)[:2], worker="bob", done=False)
    assert harness.store_answers(first, answers_to(sent), worker="ada")
    assert not harness.store_answers(second, answers_to(sent)[2:], worker="bob")
    with read(harness.engine) as connection:
        workers = [find_answer(connection, id_).worker for id_ in harness.answered(batch)]
    assert workers == ["bob", "bob", "ada"]


def test_a_part_of_the_answers_stored_twice_is_counted_once(harness: Harness) -> None:
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    for _ in range(2):
        assert harness.store_answers(lease, answers_to(sent)[:1], done=False)
    with read(harness.engine) as connection:
        assert read_progress(connection, batch.id).answered == 1
    assert harness.store_answers(lease, answers_to(sent))
    with read(harness.engine) as connection:
        assert read_progress(connection, batch.id).answered == 2


def test_a_worker_whose_chunk_was_dissolved_stores_nothing(harness: Harness) -> None:
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.cancel(batch)
    assert harness.retry(batch) == 2
    assert not harness.store_answers(lease, answers_to(sent))
    assert harness.answered() == []
    harness.solve(batch)
    assert len(harness.answered()) == 2


def test_after_an_error_no_answer_is_stored_and_the_chunk_is_not_done(harness: Harness) -> None:
    batch = harness.submit(2)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    good, other = answers_to(sent)
    bad = other._replace(id=good.id)  # violates a constraint
    with pytest.raises(StorageError, match=r"(?i)unique"):
        harness.store_answers(lease, [good, bad])
    assert harness.answered(batch) == []
    assert harness.state(sent.id) == "taken"
    with read(harness.engine) as connection:
        assert connection.execute(select(func.count()).select_from(solution)).scalar() == 0
