"""Where the cells of a grid are in its vectors, and what its configurations exclude."""

from itertools import permutations

import numpy as np

from worker.compiling.vectors import WIDTH
from worker.sudoku.board import board
from worker.sudoku.lanes.board import (
    BANDS,
    CELLS,
    CONFIGURATIONS,
    FULL,
    LANES,
    SIDE,
    new_grid,
    places,
)

UNITS = [set(unit.tolist()) for unit in board(SIDE).units]
BOXES = UNITS[18:]


def test_each_cell_has_a_place_of_its_own_and_a_vector_has_one_cell_of_each_box() -> None:
    assert len(set(places().tolist())) == CELLS
    for vector in range(SIDE):
        cells = np.flatnonzero(places() // WIDTH == vector).tolist()
        assert [len(box & set(cells)) for box in BOXES] == [1] * 9


def test_lanes_without_a_cell_have_all_bits() -> None:
    unused = np.setdiff1d(np.arange(LANES), places())
    assert np.all(new_grid().mask[unused] == FULL)
    assert not new_grid().outside.reshape(-1, LANES)[:, unused].any()


def test_the_configurations_of_a_band_are_the_ways_to_take_its_lines_box_by_box() -> None:
    outside = new_grid().outside.reshape(BANDS, CONFIGURATIONS, LANES)[:, :, places()]
    for band in range(BANDS):
        lines = UNITS[3 * band : 3 * band + 3]
        boxes = [box for box in BOXES if box & lines[0]]
        expected = {
            frozenset().union(*(lines[line] & box for line, box in zip(order, boxes, strict=True)))
            for order in permutations(range(3))
        }
        whole = set().union(*lines)
        found = {frozenset(whole - set(np.flatnonzero(row).tolist())) for row in outside[band]}
        assert found == expected
        assert set(np.unique(outside[band]).tolist()) == {0, FULL}
