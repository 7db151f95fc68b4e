"""A search for the best score goes on with another round when all its parts have ended."""

import pytest
from sqlalchemy import Engine

from storage.database import read
from storage.queries.answers import find_answer
from storage.searches.parts import PartLease
from storage.values import Candidate, Gain, PartRow, Searched
from tests.storage.searching.harness import SearchHarness

FIRST: list[PartRow] = [("[]", 1.0, 90, ())]
TARGET = Searched("target", 4, 0, "round 1")


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


def second_round(setup: str, best: int | None) -> tuple[str, PartRow] | None:
    """The round after the first, for solutions that score more than `best`."""
    if setup != "round 1" or best == 80:
        return None
    return f"round 2 above {best}", ("[]", 1.0, 80, ())


def end(harness: SearchHarness, taken: PartLease, found: Gain) -> bool:
    return harness.end_turn(taken, found, following=second_round)


def test_the_round_after_the_last_part_has_a_setup_and_a_lower_bound(
    harness: SearchHarness,
) -> None:
    batch = harness.begin(FIRST, searched=TARGET, target=True)
    (sent,) = harness.claim_parts()
    assert end(
        harness,
        harness.must_take_part(sent),
        Gain(1, 5, 7, [Candidate(70, (1, 2), "seventy")]),
    )
    row = harness.search(batch)
    assert (row["setup"], row["bound"], row["open"], row["share"]) == (
        "round 2 above 70",
        80,
        1,
        0.0,
    )
    (sent,) = harness.claim_parts()
    taken = harness.must_take_part(sent)
    assert (taken.setup, taken.best, taken.known) == ("round 2 above 70", 70, (70, (1, 2)))
    assert end(harness, taken, Gain(0, 5, 7))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    assert (answer.score, answer.bound, answer.complete, answer.nodes) == (70, 70, 1, 10)


def test_a_search_ends_without_a_further_round_if_nothing_better_can_be_found(
    harness: SearchHarness,
) -> None:
    batch = harness.begin(FIRST, searched=TARGET, target=True)
    (sent,) = harness.claim_parts()
    assert end(
        harness,
        harness.must_take_part(sent),
        Gain(1, 5, 7, [Candidate(80, (1, 2), "eighty")]),
    )
    assert harness.answered(batch) == [batch.first_id]


def test_a_part_that_failed_keeps_a_search_from_further_rounds(harness: SearchHarness) -> None:
    batch = harness.begin([*FIRST, *FIRST], searched=TARGET, target=True)
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert harness.fail(first)
    assert end(harness, second, Gain(0, 5, 7))
    with read(harness.engine) as connection:
        assert find_answer(connection, batch.first_id).status == "failed"


def test_a_solution_that_two_parts_find_is_kept_once(harness: SearchHarness) -> None:
    same = Candidate(70, (1, 2), "seventy")
    batch = harness.begin([*FIRST, *FIRST], searched=TARGET, target=True, keep=3)
    first, second = map(harness.must_take_part, harness.claim_parts())
    assert harness.end_turn(first, Gain(1, 5, 7, [same]))
    assert harness.end_turn(second, Gain(2, 5, 7, [same, Candidate(60, (3,), "sixty")]))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    assert (answer.score, answer.solutions) == (70, 2)
