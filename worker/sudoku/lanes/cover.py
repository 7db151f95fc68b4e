"""Choosing an option, what that leaves of the items, and what locked candidates exclude.

*Locked candidates* are confined to the crossing of a line and a box: if all cells that a line has
left for a symbol lie in one box, the box has it nowhere else; and if all cells that a box has left
for it lie in one line, the line has it nowhere else. One of the cells that both have will be
chosen, so what all of them rule out is excluded: the crossing has a row, as an option has.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, copy, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.compiling.vectors import ALL, OPEN, WIDTH, Selection, cover_lanes, one_is_empty
from worker.sudoku.lanes.board import (
    CELL_LANES,
    CELL_ROW,
    CELL_VECTORS,
    CELLS,
    LANES,
    ROW_CROSSINGS,
    SIDE,
    Grid,
    common,
    crossings,
)

_SIDE, _WIDTH, _CELLS = Unsigned(SIDE), Unsigned(WIDTH), Unsigned(CELLS)
_FIRST_CELL, _CELL_ROW = Unsigned(CELL_LANES), Unsigned(CELL_ROW)
_BITS, _ROW_CROSSINGS = Unsigned(WIDTH - 1), Unsigned(ROW_CROSSINGS)


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


def _outside(pairs: list[tuple[int, int]]) -> Selection:
    """Return the items of the first unit of each pair, without the cells that both units have."""
    closed = [(WIDTH - 1, 0)] * (WIDTH - len(pairs))  # the last lane holds no item
    lanes = [(unit, ALL ^ common(unit, other)) for unit, other in pairs] + closed
    return Selection(*zip(*lanes, strict=True))


def _newly_confined(pairs: list[tuple[int, int]]) -> Any:
    """Return a function that returns the crossings, given as a line and a box, that exclude."""
    return one_is_empty(_outside(pairs), _outside([pair[::-1] for pair in pairs]))


#: The crossings of a row, or of a column, and a box that a symbol is confined to in one of the two,
#: but not in the other.
_in_rows = _newly_confined(crossings()[:ROW_CROSSINGS])
_in_columns = _newly_confined(crossings()[ROW_CROSSINGS:])


@compiled
def exclude(grid: Grid) -> tuple[bool, Int, Int]:
    """Exclude what locked candidates rule out; return whether there were any, and a survey."""
    found = False
    for symbol in range(_SIDE):
        lanes = symbol * _WIDTH
        left = _in_rows(grid.mask, lanes) | _in_columns(grid.mask, lanes) << _ROW_CROSSINGS
        found |= left != ZERO
        while left != ZERO:
            confine(grid, lowest_bit(left), symbol)
            left &= left - ONE
    if not found:
        return False, ZERO, ONE
    dead, several = survey(grid)
    return True, dead, several


@inlined
def confine(grid: Grid, crossing: Int, symbol: Int) -> None:
    """Remove the options of a symbol that lie in the line or box of a crossing, but not in both."""
    mask, rows = grid.mask, grid.rows
    cover_lanes(mask, symbol * _WIDTH, rows.crossing_units, crossing * _WIDTH)
    row = (crossing * _SIDE + symbol) * _CELL_ROW
    for k in range(Unsigned(CELL_VECTORS)):
        at = k * _WIDTH
        cover_lanes(mask, _FIRST_CELL + at, rows.crossing_cells, row + at)
