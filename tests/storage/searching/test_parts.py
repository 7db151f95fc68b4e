"""A search that is cut into parts: each turn is stored once, and the last writes the answer."""

import pytest
from sqlalchemy import Engine

from storage.database import read
from storage.queries.answers import find_answer
from storage.queries.progress import read_progress
from storage.values import Candidate, ChunkState, Gain
from tests.storage.harness import answer_to, puzzles_of
from tests.storage.searching.harness import SearchHarness

HALVES = [("[[1,2,3]]", 0.5, None, ()), ("[[1,2,4]]", 0.5, None, ())]
SOLUTION = "1234341221434321"


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


def test_the_answer_is_written_when_the_last_part_ends(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES, Gain(1, 10, 100, [Candidate(None, (1,), SOLUTION)]))
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert (first.levels, first.puzzle.text, first.found) == ("[[1,2,3]]", "." * 16, 1)
    assert harness.end_turn(first, Gain(2, 20, 200))
    assert harness.answered(batch) == []
    assert harness.end_turn(second, Gain(3, 30, 300))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    assert (answer.status, answer.complete, answer.solutions, answer.nodes) == ("solved", 1, 6, 60)
    assert (answer.solution, answer.ms) == (SOLUTION, 600 / 1e6)
    found = harness.search(batch)
    assert (found["share"], found["parts"], found["open"], found["puzzle"]) == (1.0, 2, 0, "")


def test_a_puzzle_with_a_search_is_unanswered_until_its_parts_have_ended(
    harness: SearchHarness,
) -> None:
    batch = harness.begin(HALVES)
    assert answered(harness, batch.id) == 0
    for taken in map(harness.must_take_part, harness.claim_parts()):
        harness.end_turn(taken)
    assert answered(harness, batch.id) == 1


def test_the_rest_of_a_part_and_its_pieces_are_sent_again(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES[:1])
    (sent,) = harness.claim_parts()
    taken = harness.must_take_part(sent)
    assert harness.end_turn(
        taken, rest=[("[[5,6,7]]", 0.25, None, ()), ("[[5,6,8]]", 0.125, None, ())]
    )
    found = harness.search(batch)
    assert (found["parts"], found["open"], found["share"]) == (2, 2, 0.625)
    again = harness.claim_parts()
    assert sent.id in {one.id for one in again}
    assert {harness.must_take_part(one).levels for one in again} == {"[[5,6,7]]", "[[5,6,8]]"}


def test_a_turn_that_is_stored_twice_counts_once(harness: SearchHarness) -> None:
    batch = harness.begin(HALVES[:1])
    (sent,) = harness.claim_parts()
    taken = harness.must_take_part(sent)
    assert harness.end_turn(taken, Gain(2, 20, 200), [("[[5,6,7]]", 0.1, None, ())])
    assert not harness.end_turn(taken, Gain(2, 20, 200), [("[[5,6,7]]", 0.1, None, ())])
    (sent,) = harness.claim_parts()
    again = harness.must_take_part(sent)
    assert again.lease.attempt == taken.lease.attempt
    assert not harness.end_turn(taken, Gain(2, 20, 200), [("[[5,6,7]]", 0.1, None, ())])
    assert harness.end_turn(again, Gain(3, 30, 300))
    with read(harness.engine) as connection:
        assert find_answer(connection, batch.first_id).solutions == 5


def test_the_lease_of_a_later_turn_with_the_same_attempt_number_belongs_to_its_taker(
    harness: SearchHarness,
) -> None:
    harness.begin(HALVES[:1])
    (sent,) = harness.claim_parts()
    slow = harness.must_take_part(sent, "ada")
    assert harness.renew_part(slow)
    assert harness.end_turn(slow, rest=HALVES[1:])
    (sent,) = harness.claim_parts()
    taken = harness.must_take_part(sent, "bob")
    assert taken.lease.attempt == slow.lease.attempt
    assert not harness.renew_part(slow)
    harness.release_part(slow)
    assert harness.renew_part(taken)
    harness.release_part(taken)
    assert harness.state(sent.id) == ChunkState.NEW


def test_an_answer_of_an_overtaken_worker_does_not_end_a_search(harness: SearchHarness) -> None:
    batch = harness.submit_with(puzzles=2)
    (sent,) = harness.claim_new()
    slow = harness.must_take(sent.id, "ada")
    harness.backdate(61, sent.id)
    fast = harness.must_take(sent.id, "bob")
    puzzles = puzzles_of(sent)
    assert harness.cut(fast, puzzles[0], Gain(0, 0, 0), HALVES, worker="bob")
    assert not harness.cut(slow, puzzles[1], Gain(0, 0, 0), HALVES)
    assert harness.store_answers(slow, [answer_to(puzzle) for puzzle in puzzles])
    assert harness.answered(batch) == [batch.first_id + 1]
    assert answered(harness, batch.id) == 1


def answered(harness: SearchHarness, batch_id: int) -> int:
    with read(harness.engine) as connection:
        return read_progress(connection, batch_id).answered
