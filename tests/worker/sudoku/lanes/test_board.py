"""The rows of options and crossings, compared with the exact cover problem of the empty grid."""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.vectors import OPEN, WIDTH
from worker.sudoku.board import board, problem
from worker.sudoku.lanes.board import CELL_LANES, CELL_ROW, CELLS, SIDE, UNITS, crossings, rows

Options = NDArray[np.bool_]


def members() -> NDArray[np.int64]:
    """Return the four items of each option, from 0."""
    return problem(SIDE).members.reshape(-1, 4).astype(np.int64) - 1


def lanes(left: Options) -> NDArray[np.uint16]:
    """Return the lanes of all items that have only these options left; all are open."""
    expected = np.zeros(CELL_LANES + CELL_ROW, np.uint16)
    for cell in range(CELLS):
        expected[CELL_LANES + cell] = OPEN | left[cell * SIDE :][:SIDE] @ (1 << np.arange(SIDE))
    for unit, cells in enumerate(board(SIDE).units.astype(np.int64)):
        for symbol in range(SIDE):
            bits = left[cells * SIDE + symbol] @ (1 << np.arange(SIDE))
            expected[symbol * WIDTH + unit] = OPEN | bits
    return expected


def after(option: int) -> NDArray[np.uint16]:
    """Return the lanes of the empty grid after an option is chosen, by its rows."""
    cell, symbol = divmod(option, SIDE)
    mask, table = rows().empty.copy(), rows()
    for k in range(SIDE):
        row = table.cell_units.reshape(CELLS, 2, WIDTH)[cell, int(k == symbol)]
        mask[k * WIDTH :][:WIDTH] &= row
    mask[CELL_LANES:] &= table.cells.reshape(-1, CELL_ROW)[option]
    return mask


def test_an_empty_grid_has_every_option() -> None:
    assert np.array_equal(rows().empty, lanes(np.ones(CELLS * SIDE, np.bool_)))


def test_the_row_of_an_option_keeps_the_options_that_share_no_item_with_it() -> None:
    items = members()
    for option in range(CELLS * SIDE):
        left: Options = np.all(~np.isin(items, items[option]), axis=1)
        mask, covered = after(option), lanes(left) == OPEN
        assert int(covered.sum()) == 4
        assert not mask[covered].any()
        assert np.array_equal(mask[~covered], lanes(left)[~covered])


def test_the_row_of_a_crossing_excludes_what_all_its_options_rule_out() -> None:
    items, table = members(), rows()
    unit_cells = board(SIDE).units.astype(np.int64)
    for crossing, (line, box) in enumerate(crossings()):
        for symbol in range(SIDE):
            chosen = np.intersect1d(unit_cells[line], unit_cells[box]) * SIDE + symbol
            ruled_out = np.ones(CELLS * SIDE, np.bool_)
            for option in chosen:
                ruled_out &= np.isin(items, items[option]).any(axis=1)
            ruled_out[chosen] = False
            mask = rows().empty.copy()
            mask[symbol * WIDTH :][:WIDTH] &= table.crossing_units.reshape(-1, WIDTH)[crossing]
            by_symbol = table.crossing_cells.reshape(-1, SIDE, CELL_ROW)
            mask[CELL_LANES:] &= by_symbol[crossing, symbol]
            assert np.array_equal(mask, lanes(np.logical_not(ruled_out))), (line, box, symbol)


def test_every_line_crosses_three_boxes() -> None:
    lines, boxes = np.array(crossings()).T
    assert np.bincount(lines)[:UNITS].tolist() == [3] * 18
    assert np.bincount(boxes)[18:].tolist() == [6] * 9
