"""Which item to branch on."""

from typing import Any

from worker.compiling.jit import bit_count, compiled, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.compiling.vectors import OPEN, WIDTH, pair_lanes
from worker.sudoku.lanes.board import CELL_LANES, CELL_VECTORS, LANES, SIDE, Grid

_SIDE, _WIDTH, _THREE = Unsigned(SIDE), Unsigned(WIDTH), Unsigned(CELL_VECTORS)
_FIRST_CELL, _NO_ITEM = Unsigned(CELL_LANES), Unsigned(LANES)
_OPEN: Any = Unsigned(OPEN)


@compiled
def smallest(grid: Grid) -> Int:
    """Return an open item with the fewest options left, at least two (MRV).

    Of the cells with two options it is one that has most such cells among its peers; without such
    a cell, the symbol that has two places left in most units is taken, and its first such unit.
    """
    for k in range(Unsigned(grid.pairs.size)):
        grid.pairs[k] = pair_lanes(grid.mask, k * _WIDTH)
    best = pair_of_cells(grid)
    if best == _NO_ITEM:
        best = pair_of_units(grid)
    if best != _NO_ITEM:
        return best
    fewest = _OPEN
    for item in range(_NO_ITEM):
        left = Unsigned(grid.mask[item])
        if left > _OPEN and bit_count(left) < fewest:
            best, fewest = item + ZERO, bit_count(left)
    return best


@compiled
def pair_of_cells(grid: Grid) -> Int:
    """Return the cell with two options that has most such peers, as an item."""
    pairs, peers = grid.pairs, grid.rows.peers
    best, most = _NO_ITEM, ZERO
    for k in range(_SIDE, _SIDE + _THREE):
        left = Unsigned(pairs[k])
        while left != ZERO:
            item = k * _WIDTH + lowest_bit(left)
            left &= left - ONE
            at, alike = (item - _FIRST_CELL) * _THREE, ONE
            for j in range(_THREE):
                alike += bit_count(Unsigned(pairs[_SIDE + j] & peers[at + j]))
            if alike > most:
                best, most = item, alike
    return best


@compiled
def pair_of_units(grid: Grid) -> Int:
    """Return the first unit with two places for the symbol that has most such units."""
    best, most = _NO_ITEM, ZERO
    for symbol in range(_SIDE):
        left = Unsigned(grid.pairs[symbol])
        if bit_count(left) > most:
            best, most = symbol * _WIDTH + lowest_bit(left), bit_count(left)
    return best
