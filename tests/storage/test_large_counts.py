"""Numbers of solutions beyond 64 bits stay exact."""

import pytest
from sqlalchemy import Engine

from storage.answers import LARGE_COUNT
from storage.database import read
from storage.queries.answers import find_answer
from storage.queries.progress import count_outcomes
from storage.reuse.copying import copy
from storage.reuse.finding import known_answers
from storage.values import MAX_INTEGER, Gain, Kind, Puzzles
from tests.storage.harness import GRID, answer_to, puzzles_of
from tests.storage.searching.harness import SearchHarness

COUNTS = (2, MAX_INTEGER, MAX_INTEGER + 1, 10**30, None)


@pytest.fixture
def harness(engine: Engine) -> SearchHarness:
    return SearchHarness(engine)


@pytest.fixture
def filled(harness: SearchHarness) -> SearchHarness:
    """Puzzles with these numbers of solutions."""
    harness.submit(len(COUNTS))
    (sent,) = harness.claim_new()
    each = zip(puzzles_of(sent), COUNTS, strict=True)
    found = [answer_to(puzzle, solutions=number) for puzzle, number in each]
    assert harness.store_answers(harness.must_take(sent.id), found)
    return harness


def test_only_a_number_beyond_64_bits_is_text(filled: SearchHarness) -> None:
    with read(filled.engine) as connection:
        rows = [find_answer(connection, id_) for id_ in filled.answered()]
    assert [row.solutions for row in rows] == [2, MAX_INTEGER, 2**63, 10**30, None]
    assert [row.solutions_text for row in rows] == [None, None, str(2**63), str(10**30), None]
    assert [row.detail for row in rows] == [None, None, LARGE_COUNT, LARGE_COUNT, None]


def test_a_large_number_counts_as_several_solutions(filled: SearchHarness) -> None:
    with read(filled.engine) as connection:
        groups = {one.solutions: one.puzzles for one in count_outcomes(connection, 1)}
    assert groups == {2: 4, None: 1}


def test_the_sum_over_parts_is_exact(harness: SearchHarness) -> None:
    batch = harness.begin([(f"[[1,9,{i}]]", 1 / 9, None, ()) for i in range(9)], Gain(1, 1, 1))
    for sent in harness.claim_parts():
        assert harness.end_turn(harness.must_take_part(sent), Gain(MAX_INTEGER, 1, 1))
    with read(harness.engine) as connection:
        answer = find_answer(connection, batch.first_id)
    total = 9 * MAX_INTEGER + 1
    assert (answer.solutions, answer.solutions_text) == (total, str(total))


def test_a_reused_answer_has_the_exact_number(harness: SearchHarness) -> None:
    batch = harness.begin([("[[1,1,1]]", 1.0, None, ())])
    (sent,) = harness.claim_parts()
    assert harness.end_turn(harness.must_take_part(sent), Gain(10**30, 1, 1))
    puzzles = Puzzles(Kind.SUDOKU, [1], None, [GRID])
    with known_answers(harness.engine, [puzzles], lambda _: True, source="") as known:
        new = harness.submit(1)
        copy(known, new, 1, 1, further=False)
    with read(harness.engine) as connection:
        copied = find_answer(connection, new.first_id)
    assert (copied.solutions, copied.solutions_text) == (10**30, str(10**30))
    assert copied.detail == f"as puzzle {batch.first_id}; {LARGE_COUNT}"
