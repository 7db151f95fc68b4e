"""Choosing an option, and what that leaves of the items."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import ONE, ZERO, Int, Unsigned, compiled, copy, inlined, lowest_bit
from worker.compiling.vectors import OPEN, WIDTH, cover_lanes
from worker.sudoku.lanes.board import CELL_LANES, CELL_ROW, CELL_VECTORS, CELLS, LANES, SIDE
from worker.sudoku.lanes.memory import Grid

_SIDE, _WIDTH, _CELLS = Unsigned(SIDE), Unsigned(WIDTH), Unsigned(CELLS)
_FIRST_CELL, _CELL_ROW = Unsigned(CELL_LANES), Unsigned(CELL_ROW)
_BITS = Unsigned(WIDTH - 1)


@compiled
def enter(grid: Grid, given: NDArray[np.uint8]) -> None:
    """Start from the empty grid, and choose the option of each clue."""
    copy(grid.rows.empty, ZERO, grid.mask, ZERO, Unsigned(LANES))
    for cell in range(_CELLS):
        if given[cell] != 0:
            symbol = Unsigned(given[cell]) - ONE
            if grid.mask[_FIRST_CELL + cell] >> symbol & ONE == ZERO:
                grid.mask[_FIRST_CELL + cell] = OPEN  # the clue contradicts another one
                return
            choose(grid, cell, symbol)


@inlined
def choose(grid: Grid, cell: Int, symbol: Int) -> tuple[Int, Int]:
    """Cover the items of an option: remove from all items what cannot go with it.

    Return whether an open item has no option left, and whether one has several: not 0 if so.
    """
    mask, rows, single = grid.mask, grid.rows, grid.single
    dead = several = ZERO
    row = cell * (_WIDTH + _WIDTH)
    for k in range(_SIDE):
        own = _WIDTH * Unsigned(k == symbol)
        none, one, more = cover_lanes(mask, k * _WIDTH, rows.cell_units, row + own)
        dead, several, single[k] = dead | none, several | more, one
    row = (cell * _SIDE + symbol) * _CELL_ROW
    for k in range(Unsigned(CELL_VECTORS)):
        at = k * _WIDTH
        none, one, more = cover_lanes(mask, _FIRST_CELL + at, rows.cells, row + at)
        dead, several, single[_SIDE + k] = dead | none, several | more, one
    grid.symbols[cell] = symbol
    return dead, several


@inlined
def survey(grid: Grid) -> tuple[Int, Int]:
    """Return what `choose` returns, and write `single`, without any choice."""
    dead = several = ZERO
    for k in range(Unsigned(grid.single.size)):
        none, one, more = cover_lanes(grid.mask, k * _WIDTH, grid.rows.same, ZERO)
        dead, several, grid.single[k] = dead | none, several | more, one
    return dead, several


@inlined
def first_single(grid: Grid) -> Int:
    """Return the first open item that has one option left, the number of lanes if none has."""
    for k in range(Unsigned(grid.single.size)):
        if grid.single[k] != 0:
            return k * _WIDTH + lowest_bit(Unsigned(grid.single[k]))
    return Unsigned(LANES)


@inlined
def first_option(grid: Grid, item: Int, options: Any) -> tuple[Int, Int]:
    """Return the cell and the symbol of the lowest of an item's options."""
    bit = lowest_bit(Unsigned(options))
    if item < _FIRST_CELL:
        unit = item & _BITS
        return Unsigned(grid.rows.unit_cells[unit, bit]), item // _WIDTH
    return item - _FIRST_CELL, bit
