"""Time and memory of counts: limits are those of the whole problem, whatever its pieces."""

import tracemalloc

import numpy as np
import pytest

from tests.worker.counting.tilings import TROMINOES, tilings
from worker.counting.count import in_slices
from worker.counting.from_diagram import FromDiagram
from worker.counting.order import pieces
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.stopwatch import Stopwatch

MB = 1 << 20
SECOND = 1_000_000_000
pytestmark = [pytest.mark.usefixtures("warm"), pytest.mark.attack]


def pairs(count: int) -> Problem:
    """A problem of so many pieces, each with two covers."""
    options = [[[2 * k + 1, 2 * k + 2], [2 * k + 1], [2 * k + 2]] for k in range(count)]
    return number(2 * count, 0, [option for some in options for option in some])


def boards(count: int, rows: int, columns: int) -> Problem:
    """Boards to be tiled by trominoes, which share no item."""
    board, cells = tilings(rows, columns, TROMINOES), rows * columns
    places = [some.tolist() for some in np.split(board.members, board.first[1:-1])]
    options = [[k * cells + cell for cell in place] for k in range(count) for place in places]
    return number(count * cells, 0, options)


def counted(problem: Problem, watch: Stopwatch, memory: int = 64 * MB, sample: int = 0) -> Found:
    results = in_slices(problem, memory=memory, watch=watch, sample=sample)
    return next(one for one in results if one)


@pytest.mark.parametrize("sample", [0, 2])
def test_a_problem_of_thousands_of_pieces_keeps_its_time_limit(sample: int) -> None:
    problem, watch = pairs(30_000), Stopwatch(0.2, slice_seconds=0.05)
    assert counted(problem, watch, sample=sample).found == 0
    assert watch.ns < 1.2 * SECOND  # CPU time: other programs may use the machine


def test_the_first_of_many_pieces_is_found_soon() -> None:
    problem, watch = pairs(60_000), Stopwatch()
    assert next(pieces(problem)).options.size == 3
    assert watch.ns < SECOND


def test_a_diagram_of_thousands_of_pieces_is_built_in_slices() -> None:
    problem = pairs(30_000)
    search, watch = FromDiagram(problem, 1, 64 * MB), Stopwatch()
    search.advance(SECOND // 20)
    assert watch.ns < SECOND


def test_tables_of_all_pieces_together_keep_to_the_memory_limit() -> None:
    one, five, memory = boards(1, 9, 9), boards(5, 9, 9), 2 * MB
    covers = counted(one, Stopwatch()).found  # what is loaded once is not measured
    tracemalloc.start()
    try:
        assert counted(five, Stopwatch(), memory).found == covers**5
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * memory  # with the problem and its layout
