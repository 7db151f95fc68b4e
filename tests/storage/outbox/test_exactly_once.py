"""Duplicate messages, dead workers and lost leases: every puzzle gets one answer, stored once."""

import pytest
from sqlalchemy import func, select

from storage.database import read
from storage.queries.answers import find_answer, further_solutions
from storage.queries.progress import read_progress
from storage.tables import solution
from storage.values import Kept
from tests.storage.shop import Shop, answer_to, answers_to, puzzles_of

ADAS, BOBS = "1234341221434321", "4321123434122143"


def test_completing_a_chunk_twice_stores_its_answers_once(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    assert shop.finish(taken, answers_to(sent))
    assert not shop.finish(taken, answers_to(sent))
    assert len(shop.answered(batch)) == 3


def test_the_first_worker_to_complete_a_chunk_wins_whatever_its_attempt(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    (puzzle,) = puzzles_of(sent)
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    assert shop.finish(first, [answer_to(puzzle, solution=ADAS)], worker="ada")
    assert not shop.finish(second, [answer_to(puzzle, solution=BOBS)], worker="bob")
    with read(shop.engine) as connection:
        answer = find_answer(connection, puzzle.id)
    assert (answer.solution, answer.worker, answer.attempts) == (ADAS, "ada", 1)


def test_storing_some_answers_renews_the_lease(shop: Shop) -> None:
    shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(61, sent.id)
    assert shop.finish(taken, answers_to(sent)[:1], done=False)
    assert shop.take(sent.id, "bob") is None


def test_answers_of_an_earlier_attempt_are_not_replaced(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    puzzles = puzzles_of(sent)
    first = shop.taken(sent.id, "ada")
    two = [Kept(2, None, ADAS)]
    assert shop.finish(first, [answer_to(puzzles[0], further=two)], worker="ada", done=False)
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    three = [Kept(2, None, BOBS), Kept(3, None, BOBS)]
    all_three = [answer_to(puzzle, solution=BOBS, further=three) for puzzle in puzzles]
    assert shop.finish(second, all_three, worker="bob")
    assert len(shop.answered(batch)) == 3
    with read(shop.engine) as connection:
        assert find_answer(connection, puzzles[0].id).worker == "ada"
        assert further_solutions(connection, puzzles[0].id) == two
        assert further_solutions(connection, puzzles[1].id) == three


def test_a_worker_that_lost_its_lease_can_complete_the_chunk_with_the_missing_answers(
    shop: Shop,
) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    assert shop.finish(second, answers_to(sent)[:2], worker="bob", done=False)
    assert shop.finish(first, answers_to(sent), worker="ada")
    assert not shop.finish(second, answers_to(sent)[2:], worker="bob")
    with read(shop.engine) as connection:
        workers = [find_answer(connection, id_).worker for id_ in shop.answered(batch)]
    assert workers == ["bob", "bob", "ada"]


def test_the_same_answers_are_stored_once(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    for _ in range(2):
        assert shop.finish(taken, answers_to(sent)[:1], done=False)
    with read(shop.engine) as connection:
        assert read_progress(connection, batch.id).answered == 1
    assert shop.finish(taken, answers_to(sent))
    with read(shop.engine) as connection:
        assert read_progress(connection, batch.id).answered == 2


def test_a_worker_whose_chunk_was_dissolved_stores_nothing(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.cancel(batch)
    assert shop.retry(batch) == 2
    assert not shop.finish(taken, answers_to(sent))
    assert shop.answered() == []
    shop.solve(batch)
    assert len(shop.answered()) == 2


def test_after_an_error_no_answer_is_stored_and_the_chunk_is_not_done(shop: Shop) -> None:
    batch = shop.submit(2)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    good, other = answers_to(sent)
    bad = other._replace(puzzle=None)  # type: ignore[arg-type] # violates a constraint
    with pytest.raises(Exception, match=r"(?i)not.null"):
        shop.finish(taken, [good, bad])
    assert shop.answered(batch) == []
    assert shop.state(sent.id) == "taken"
    with read(shop.engine) as connection:
        assert connection.execute(select(func.count()).select_from(solution)).scalar() == 0
