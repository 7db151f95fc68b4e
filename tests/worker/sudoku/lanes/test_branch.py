"""Which guess the search makes, compared with all configurations counted one by one."""

from itertools import permutations
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.sudoku import grids
from tests.worker.sudoku.lanes.test_propagate import propagate
from worker.compiling.entry import entry
from worker.compiling.numbers import ONE
from worker.sudoku.lanes import branch as choice
from worker.sudoku.lanes.board import BANDS, SIDE, Grid, new_grid, places, rows_of_configuration
from worker.sudoku.lanes.propagate import SEVERAL

ORDERS = list(permutations(range(3)))


@entry(choice.__file__)
def branch(grid: Any) -> None:
    choice.branch(grid, ONE)


def left_in(grid: Grid, band: int) -> list[list[tuple[int, ...]]]:
    """For each symbol the rows, box by box, of its configurations in a band, or columns."""
    cells = grid.mask[places()].reshape(SIDE, SIDE)
    lines = (cells if band < 3 else cells.T)[band % 3 * 3 :][:3]
    crossings = np.bitwise_or.reduce(lines.reshape(3, 3, 3), axis=2)
    return [
        [o for o in ORDERS if all(crossings[o[box], box] >> symbol & 1 for box in range(3))]
        for symbol in range(SIDE)
    ]


@given(st.integers(0, 10**6), st.integers(5, 24))
def test_a_symbol_with_few_configurations_in_the_narrowest_band_is_tried(
    seed: int, clues: int
) -> None:
    puzzle, grid = next(grids(seed, clues)), new_grid()
    values = [0 if symbol == "." else int(symbol) for symbol in puzzle]
    grid.mask[places()] = grid.clue[values]
    assume(propagate(grid) == SEVERAL)
    branch(grid)
    band, symbol = int(grid.branch[1]), int(grid.symbol[1]).bit_length() - 1
    left = [left_in(grid, each) for each in range(BANDS)]
    counts = [sum(map(len, each)) for each in left]
    assert counts[band] == min(count for count in counts if count > SIDE)
    number = len(left[band][symbol])
    assert number == min(4, *(len(each) for each in left[band] if len(each) > 1)) or number > 4
    tried = [n for n in range(6) if grid.rest[1] >> n & 1]
    assert {tuple(rows_of_configuration(n)) for n in tried} == set(left[band][symbol])
