"""Puzzles whose solutions are counted: the same numbers as when each is visited."""

import time
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.values import Kind
from tests.sudoku import is_solution
from tests.worker.counting.tilings import DOMINO, tilings
from tests.worker.exact_cover.oracle import problems
from tests.worker.exact_cover.problems import queens
from tests.worker.solving import P1074, completions, every, longer, one
from tests.worker.test_dividing import solved_in_parts, text_of
from worker.covers.text import Cover, encode
from worker.exact_cover.problem import number
from worker.options import Options
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm")
COUNT = Options(limit=None, count=True, memory=1 << 26)
#: a grid with 299,959 completions
MANY = "...7....8.......47.3.6........5931.......7............25..6...........7......46.."
ALL = Options(limit=None, keep=1000)


@given(problems(), st.data())
def test_a_cover_problem_has_as_many_covers_as_are_visited(
    drawn: tuple[int, int, list[list[int]], list[int]], data: st.DataObject
) -> None:
    primary, secondary, options, costs = drawn
    letter = st.sampled_from(["", "A", "B"])
    colours = [
        [(item, data.draw(letter)) for item in option if item > primary] for option in options
    ]
    colours = [[pair for pair in pairs if pair[1]] for pairs in colours]
    text = encode(Cover(primary, secondary, options, costs, colours))
    counted, visited = one(text, COUNT), one(text, ALL)
    assert (counted.solutions, counted.complete) == (visited.solutions, visited.complete)
    assert counted.kept == visited.kept[:1]


def test_grids_are_counted_as_if_each_solution_were_visited() -> None:
    grid = "12" + "." * 14
    assert one(grid, COUNT).solutions == len(list(completions(grid))) == 24
    assert one("." * 16, COUNT).solutions == 288


def test_few_states_of_a_grid_are_counted_from_a_table() -> None:
    # The number of 6x6 grids with boxes of 2x3 is published.
    outcome = one("." * 36, COUNT)
    assert (outcome.solutions, outcome.complete, outcome.timed_out) == (28_200_960, True, False)
    assert outcome.nodes < 10**7
    (kept,) = outcome.kept
    assert one(kept.text, COUNT).solutions == 1


def test_a_count_of_a_grid_that_is_left_to_parts_is_exact() -> None:
    visited = one(MANY, replace(COUNT, count=False, limit=10**9))
    counted, _ = solved_in_parts(MANY, COUNT, budget=0.06, seed=1)
    assert counted.solutions == visited.solutions
    assert is_solution(MANY, counted.kept[0].text)
    among = every([P1074[0], MANY, P1074[1]], COUNT)
    assert [outcome.solutions for outcome in among] == [3, 299_959, 85]
    assert among[1].kept == visited.kept


def test_a_large_count_has_one_solution() -> None:
    outcome = one(text_of(tilings(16, 16, DOMINO)), COUNT)
    assert outcome.solutions == 2_444_888_770_250_892_795_802_079_170_816
    assert (outcome.complete, outcome.timed_out, len(outcome.kept)) == (True, False, 1)
    assert len(outcome.kept[0].text.split()) == 128


def test_all_covers_are_counted_in_the_same_way_if_one_is_kept() -> None:
    outcome = one(text_of(tilings(12, 12, DOMINO)), Options(limit=None))
    assert (outcome.solutions, outcome.complete) == (53_060_477_521_960_000, True)


def test_counting_ends_at_the_time_limit_with_what_was_counted() -> None:
    board = text_of(tilings(30, 30, DOMINO))
    tried = (every([board], replace(COUNT, timeout=limit), 0.05)[0] for limit in longer(0.5))
    outcome = next(one for one in tried if (one.solutions or 0) > 10**6)
    assert (outcome.complete, outcome.timed_out) == (False, True)


def test_a_count_returns_to_its_caller_several_times_a_second() -> None:
    # The caller renews the lease of the puzzle then, and looks for cancellation.
    counting = search(Kind.COVER, [text_of(tilings(30, 30, DOMINO))], COUNT, budget=0.1)
    next(counting)  # lays out the problem
    longest, began, before = 0.0, time.monotonic(), time.thread_time()
    while time.monotonic() < began + 1.5:
        assert not next(counting).ns, "the table leads, so no part is left"
        longest, before = max(longest, time.thread_time() - before), time.thread_time()
    counting.close()
    assert longest < 1


def test_a_count_that_is_left_to_parts_is_exact() -> None:
    outcome, parts = solved_in_parts(text_of(queens(12)), COUNT, budget=0.004, seed=1)
    assert (outcome.solutions, outcome.complete) == (14_200, True)
    assert parts > 5


def test_sampled_solutions_are_drawn_from_all_of_them() -> None:
    drawn = one("12" + "." * 14, replace(COUNT, sample=1200, seed=7))
    every_one = set(completions("12" + "." * 14))
    times = Counter(solution.text for solution in drawn.kept)
    assert (drawn.solutions, drawn.complete, set(times)) == (24, True, every_one)
    # 50 each on average, with a standard deviation of 7
    assert 20 < min(times.values()) < max(times.values()) < 80


def test_a_seed_determines_a_sample() -> None:
    board = text_of(tilings(12, 12, DOMINO))
    first, again, other = (one(board, replace(COUNT, sample=3, seed=seed)) for seed in (1, 1, 2))
    assert first.kept == again.kept != other.kept
    assert len(set(first.kept)) == 3


def test_where_no_solution_is_none_is_drawn() -> None:
    for text in ("11" + "." * 14, '{"items": 1, "options": []}'):
        drawn = one(text, replace(COUNT, sample=3))
        assert (drawn.solutions, drawn.complete, drawn.kept) == (0, True, ())


def test_a_text_that_is_no_problem_is_invalid() -> None:
    assert one("{}", COUNT).detail is not None
    assert one(text_of(number(0, 0, [])), COUNT).solutions == 1
