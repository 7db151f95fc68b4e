"""Grids of all sizes, checked by code that shares nothing with the solver."""

import resource
import time
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.values import Kind
from tests.sudoku import SYMBOLS, grids, is_solution
from tests.worker.solving import P1074, completions, every, is_consistent, one
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm")

# Each is a 17-clue sudoku without some of its clues; ten solvers agree on the number.
COUNTED = {
    "........1.....2.....3....4........5.....4....72......8...1.......143.....7....9.2": 12_906,
    "........1.......2......4........54...1........67...8......9......8...3.46..21....": 25_619,
}


def test_the_empty_4x4_grid_has_288_completions() -> None:
    outcome = one("." * 16, Options(limit=None, keep=1000))
    assert (outcome.solutions, outcome.complete) == (288, True)
    assert len({solution.text for solution in outcome.kept}) == 288
    assert all(is_solution("." * 16, solution.text) for solution in outcome.kept)


@given(st.text(".......1234", min_size=16, max_size=16))
def test_4x4_grids_have_the_completions_that_brute_force_finds(puzzle: str) -> None:
    outcome = one(puzzle, Options(limit=None, keep=300))
    expected = sorted(completions(puzzle)) if is_consistent(puzzle) else []
    assert sorted(solution.text for solution in outcome.kept) == expected
    assert (outcome.solutions, outcome.complete, outcome.timed_out) == (len(expected), True, False)
    assert (outcome.size, outcome.clues) == (4, 16 - puzzle.count("."))


@pytest.mark.parametrize("puzzle", COUNTED)
def test_the_number_of_solutions_is_the_one_that_other_solvers_count(puzzle: str) -> None:
    outcome = one(puzzle, Options(limit=None))
    assert (outcome.solutions, outcome.complete) == (COUNTED[puzzle], True)


@given(st.sampled_from([6, 8]), st.integers(0, 99), st.data())
def test_small_grids_with_wide_boxes_have_the_completions_that_brute_force_finds(
    side: int, seed: int, data: st.DataObject
) -> None:
    cells = list(next(grids(seed, side * side * 5 // 9, side)))
    for at in data.draw(st.lists(st.integers(0, len(cells) - 1), max_size=3)):
        cells[at] = data.draw(st.sampled_from("." + SYMBOLS[:side]))
    puzzle = "".join(cells)
    outcome = one(puzzle, Options(limit=None, keep=10_000))
    expected = sorted(completions(puzzle)) if is_consistent(puzzle) else []
    assert sorted(solution.text for solution in outcome.kept) == expected
    assert (outcome.solutions, outcome.complete) == (len(expected), True)


def test_a_6x6_grid_with_its_first_row_has_one_in_720_of_all_28_200_960_completions() -> None:
    outcome = one("123456" + "." * 30, Options(limit=None))
    assert (outcome.solutions, outcome.complete) == (28_200_960 // 720, True)


@pytest.mark.parametrize(
    ("side", "clues"),
    [
        (4, 4),
        (6, 12),
        (8, 24),
        (9, 24),
        (9, 81),
        (10, 44),
        (12, 70),
        (15, 120),
        (16, 140),
        (20, 240),
        (25, 400),
    ],
)
def test_solutions_of_grids_of_any_size_are_correct(side: int, clues: int) -> None:
    puzzles = list(islice(grids(1, clues, side), 20))
    outcomes = every(puzzles, Options(timeout=5))
    for puzzle, outcome in zip(puzzles, outcomes, strict=True):
        assert outcome.solutions
        assert is_solution(puzzle, outcome.kept[0].text)
        assert (outcome.kind, outcome.size, outcome.clues) == ("sudoku", side, clues)


@pytest.mark.parametrize("cells", [16, 36, 64, 81, 100, 144, 225, 256, 400, 625])
def test_an_empty_grid_has_more_than_one_solution(cells: int) -> None:
    outcome = one("." * cells, Options(keep=2, timeout=10))
    assert (outcome.solutions, outcome.complete, outcome.timed_out) == (2, False, False)
    first, second = (solution.text for solution in outcome.kept)
    assert first != second
    assert is_solution("." * cells, first)
    assert is_solution("." * cells, second)


def test_a_search_that_stops_at_its_limit_is_not_complete() -> None:
    for limit in (1, 2, 287, 288):
        outcome = one("." * 16, Options(limit=limit))
        assert (outcome.solutions, outcome.complete) == (limit, False)
    outcome = one("." * 16, Options(limit=289))
    assert (outcome.solutions, outcome.complete) == (288, True)


@pytest.mark.parametrize("limit", [None, 10**30])
def test_all_solutions_are_counted_and_kept_without_a_limit(limit: int | None) -> None:
    outcome = one("." * 16, Options(limit=limit, keep=10**30))
    assert (outcome.solutions, len(outcome.kept)) == (288, 288)


def test_at_most_keep_solutions_are_kept() -> None:
    few = one("." * 16, Options(limit=None, keep=5)).kept
    assert few == one("." * 16, Options(limit=None, keep=288)).kept[:5]


def test_a_target_leaves_no_costs_to_the_next_grid() -> None:
    one("12" + "." * 14, Options(target=True))
    few = one("." * 16, Options(limit=None, keep=5)).kept
    assert few == one("." * 16, Options(limit=None, keep=288)).kept[:5]


def test_kept_solutions_belong_to_their_own_grid() -> None:
    puzzles = ["." * 16, "1" + "." * 15, "12" + "." * 14, "11" + "." * 14] * 50
    for puzzle, outcome in zip(puzzles, every(puzzles, Options(None, keep=99)), strict=True):
        assert outcome.solutions == (
            0 if puzzle.startswith("11") else 288 // (1, 4, 12)[16 - puzzle.count(".")]
        )
        assert len(outcome.kept) == min(99, outcome.solutions)
        assert all(is_solution(puzzle, solution.text) for solution in outcome.kept)


@pytest.mark.parametrize("cells", [81, 625])
def test_memory_grows_with_the_solutions_found_and_not_with_keep(cells: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = one("." * cells, Options(limit=None, keep=10**7, timeout=0.05))
    assert outcome.timed_out
    assert len(outcome.kept) == outcome.solutions
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert grown < 300_000_000 + 40 * cells * (outcome.solutions or 0)


@pytest.mark.parametrize(
    "clues",
    [
        "11" + "." * 79,  # a row
        "1" + "." * 8 + "1" + "." * 71,  # a column
        "1" + "." * 9 + "1" + "." * 70,  # a box
        "12345678." + "." * 9 + "." * 8 + "9" + "." * 54,  # a cell with nothing left
    ],
)
def test_contradictory_clues_have_no_solution(clues: str) -> None:
    outcome = one(clues, Options())
    assert (outcome.solutions, outcome.complete, outcome.kept) == (0, True, ())
    assert outcome.detail is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "." * 80,
        "." * 82,
        "0" * 81,
        "5" + "." * 15,
        "G" * 81,
        "é" * 81,
        "\udc80" * 81,
        "数" * 16,
    ],
)
def test_a_text_that_is_not_a_grid_is_malformed(text: str) -> None:
    good = P1074[0]
    outcomes = every([good, text, good], Options())
    assert [outcome.detail is None for outcome in outcomes] == [True, False, True]
    assert (outcomes[1].kept, outcomes[1].solutions, outcomes[1].complete) == ((), None, False)
    assert outcomes[2]._replace(ns=0) == outcomes[0]._replace(ns=0)


def test_a_malformed_grid_takes_no_time() -> None:
    assert one("x" + "." * 80, Options(limit=None, timeout=60)).ns == 0


def test_memory_is_used_again_but_never_by_two_searches_at_once() -> None:
    puzzles, options = list(islice(grids(7, 24), 12)), Options(limit=None, keep=100, timeout=600)
    expected = [outcome._replace(ns=0) for outcome in every(puzzles, options)]
    begun = search(Kind.SUDOKU, puzzles[::-1], options, 1e-9)
    next(begun)  # and stays begun
    for _ in range(2):  # the second uses the memory of the first
        assert [outcome._replace(ns=0) for outcome in every(puzzles, options)] == expected
    rest = [one._replace(ns=0) for some in begun for one in some.rows()]
    assert rest == expected[::-1][-len(rest) :]


@pytest.mark.attack
@pytest.mark.parametrize("side", [9, 16, 25])
def test_the_time_limit_counts_what_python_and_the_caller_take(side: int) -> None:
    options = Options(limit=None, keep=100_000, timeout=1.0)
    began, rows = time.monotonic(), list[Outcome]()
    for found in search(Kind.SUDOKU, ["." * side**2], options, 0.01):
        rows += found.rows()
        time.sleep(0.2)  # as if solutions were stored
    (outcome,) = rows
    assert outcome.timed_out
    assert outcome.ns < 0.9e9, "the solver had the processor for a part of the time"
    assert time.monotonic() - began < 60
