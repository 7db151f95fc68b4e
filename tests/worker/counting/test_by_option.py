"""In how many covers each option is: against brute force, and against covers that are visited."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.counting.tilings import DOMINO, tilings
from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import queens
from tests.worker.solving import completions, one
from tests.worker.test_dividing import text_of
from worker.counting.count import in_slices
from worker.counting.diagram import TooLarge
from worker.counting.from_diagram import covers_by_option
from worker.counting.order import pieces, whole
from worker.covers.text import Cover, encode
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.lasting import TOO_LARGE
from worker.options import Options
from worker.stopwatch import Stopwatch

Drawn = tuple[int, int, list[list[int]], list[int]]
MEMORY = 1 << 26
COUNT = Options(limit=None, count=True, per_option=True, memory=MEMORY)
pytestmark = pytest.mark.usefixtures("warm")


def counted(problem: Problem, memory: int = MEMORY, timeout: float = 60.0) -> Found:
    results = in_slices(
        problem, memory=memory, watch=Stopwatch(timeout, slice_seconds=0.01), per_option=True
    )
    return next(found for found in results if found)


@given(problems(), st.booleans(), st.sampled_from([20_000, MEMORY]), st.sampled_from([1, 10**9]))
def test_every_option_is_in_as_many_covers_as_brute_force_finds(
    drawn: Drawn, by_size: bool, memory: int, slice_ns: int
) -> None:
    primary, secondary, options, _ = drawn
    problem = number(primary, secondary, options)
    every = covers(primary, secondary, options)
    expected = Counter(option for chosen in every for option in chosen)
    steps = covers_by_option(whole(problem), len(every), memory, by_size=by_size, slice_ns=slice_ns)
    (found,) = (numbers for numbers in steps if numbers is not None)
    assert found == [expected[k] for k in range(len(options))]
    assert counted(problem).by_option == found


def test_each_cell_of_a_board_is_covered_in_every_tiling() -> None:
    # The numbers of several words: 2^81 tilings, of 32 bits a cell.
    board = tilings(16, 16, DOMINO)
    found = counted(board)
    assert found.by_option is not None
    for item in range(1, board.primary + 1):
        owners = [k for k in range(board.cost.size) if item in board.members[2 * k : 2 * k + 2]]
        assert sum(found.by_option[k] for k in owners) == found.found > 2**64


def test_pieces_are_multiplied() -> None:
    board = tilings(6, 6, DOMINO)
    options = [board.members[at : at + 2].tolist() for at in board.first[:-1]]
    problem = number(72, 0, options + [[36 + item for item in option] for option in options])
    assert len(list(pieces(problem))) == 2
    single, double = counted(board), counted(problem)
    assert single.by_option is not None
    assert double.by_option == [6728 * covers for covers in single.by_option] * 2


def test_too_little_memory_is_reported_beside_the_count() -> None:
    text = text_of(queens(8))
    outcome = one(text, replace(COUNT, memory=1 << 12))
    assert (outcome.solutions, outcome.complete, outcome.option_counts) == (92, True, None)
    assert outcome.detail == TOO_LARGE
    with pytest.raises(TooLarge):
        list(covers_by_option(whole(queens(8)), 92, 1 << 12, by_size=True, slice_ns=10**9))


def test_the_time_limit_keeps_the_count() -> None:
    found = counted(queens(8), timeout=1e-9)
    assert (found.status, found.by_option) == (stops.TIMED_OUT, None)
    assert counted(queens(8)).status == stops.EXHAUSTED


@given(problems(), st.data())
def test_options_with_colours_are_in_as_many_covers_as_are_visited(
    drawn: Drawn, data: st.DataObject
) -> None:
    primary, secondary, options, costs = drawn
    letter = st.sampled_from(["", "A", "B"])
    drawn_colours = [
        [(item, data.draw(letter)) for item in option if item > primary] for option in options
    ]
    colours = [[pair for pair in pairs if pair[1]] for pairs in drawn_colours]
    text = encode(Cover(primary, secondary, options, costs, colours))
    visited = one(text, Options(limit=None, keep=1000))
    times = Counter(int(k) for kept in visited.kept for k in kept.text.split())
    assert json.loads(one(text, COUNT).option_counts or "") == [
        times[k] for k in range(1, len(options) + 1)
    ]


@pytest.mark.parametrize("grid", ["12" + "." * 14, "." * 16, "11" + "." * 14, "1234341221434321"])
def test_each_cell_of_a_grid_has_the_completions_with_each_symbol(grid: str) -> None:
    every = list(completions(grid)) if not grid.startswith("11") else []
    expected = [
        [sum(one[cell] == symbol for one in every) for symbol in "1234"] for cell in range(16)
    ]
    outcome = one(grid, COUNT)
    assert json.loads(outcome.option_counts or "") == expected
    assert outcome.solutions == len(every)
