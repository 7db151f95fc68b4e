"""Locked candidates: symbols that are confined to the crossing of a line and a box.

If all cells that a line has left for a symbol lie in one box, the box has it nowhere else; and if
all cells that a box has left for it lie in one line, the line has it nowhere else. One of the
cells that both have will be chosen, so what all of them rule out is excluded: the crossing has a
row, as an option has.
"""

from typing import Any

from worker.compiling.jit import ONE, ZERO, Int, Unsigned, compiled, inlined, lowest_bit
from worker.compiling.vectors import ALL, WIDTH, Selection, cover_lanes, one_is_empty
from worker.sudoku.lanes.board import (
    CELL_LANES,
    CELL_ROW,
    CELL_VECTORS,
    ROW_CROSSINGS,
    SIDE,
    common,
    crossings,
)
from worker.sudoku.lanes.cover import survey
from worker.sudoku.lanes.memory import Grid

_SIDE, _WIDTH, _CELL_ROW = Unsigned(SIDE), Unsigned(WIDTH), Unsigned(CELL_ROW)
_FIRST_CELL, _ROW_CROSSINGS = Unsigned(CELL_LANES), Unsigned(ROW_CROSSINGS)


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
