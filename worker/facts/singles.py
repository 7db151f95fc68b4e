"""Naked and hidden singles: what follows from a grid without any trial.

A *board* has the candidates of each cell, a bit for each symbol.  A naked single is the only
candidate of a cell, a hidden single the only place of a symbol in a unit.  As exact cover: an item
with one option left, so a board in which an item has none is a contradiction.  The order in which
singles are placed makes no difference to the board at which none is left, its *closure*.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import bit_count, compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.sudoku.weights import units

#: the candidates of each cell of a grid
Board = NDArray[np.uint16]
Words = NDArray[np.uint64]


class Lines(NamedTuple):
    """The rows, columns and boxes of grids of one size."""

    cells: Words  #: per unit: its cells
    units: Words  #: per cell: a bit for each of its units
    symbols: Unsigned  #: all candidates of a cell


@lru_cache
def lines(side: int) -> Lines:
    """Return the units of grids of this side, which is 9 at most."""
    cells = units(side).astype(np.uint64)
    bits = [
        sum(1 << unit for unit, some in enumerate(cells.tolist()) if cell in some)
        for cell in range(side * side)
    ]
    return Lines(cells, np.array(bits, np.uint64), Unsigned((1 << side) - 1))


@inlined
def is_single(candidates: Int) -> Any:
    """Return whether a cell has at most one candidate."""
    return candidates & (candidates - ONE) == ZERO


@compiled
def place_singles(lines: Lines, board: Board, dirty: Int) -> bool:
    """Place singles until none is left in the units that are `dirty`, and those that this changes.

    Return False for a contradiction.
    """
    side, is_empty = Unsigned(lines.cells.shape[1]), False
    while dirty != ZERO:
        unit = lowest_bit(dirty)
        dirty &= dirty - ONE
        once, twice, placed, several = ZERO, ZERO, ZERO, ZERO
        for place in range(side):
            here = Unsigned(board[lines.cells[unit, place]])
            twice |= once & here
            once |= here
            single = is_single(here)
            placed |= here if single else ZERO
            several |= ZERO if single else here
            is_empty |= here == ZERO
        if once != lines.symbols or is_empty:
            return False
        hidden = once & ~twice
        if (hidden | placed) & several == ZERO:
            if twice & placed != ZERO:
                return False
            continue
        for place in range(side):
            cell = lines.cells[unit, place]
            here = Unsigned(board[cell])
            only = here & hidden
            left = only if only != ZERO else here if is_single(here) else here & ~placed
            if left != here:
                if left == ZERO or (only != ZERO and not is_single(left)):
                    return False
                board[cell] = left
                dirty |= lines.units[cell]
    return True


@inlined
def load(lines: Lines, board: Board, given: NDArray[np.uint8]) -> None:
    """Write the candidates of a grid, all of them where there is no clue."""
    for cell in range(Unsigned(board.size)):
        value = Unsigned(given[cell])
        board[cell] = lines.symbols if value == ZERO else ONE << value - ONE


@inlined
def count_placed(board: Board) -> Int:
    """Return the number of cells with one candidate."""
    count = ZERO
    for cell in range(Unsigned(board.size)):
        count += ONE if is_single(Unsigned(board[cell])) else ZERO
    return count


@inlined
def count_candidates(board: Board) -> Int:
    """Return the number of candidates of the cells that have several."""
    count = ZERO
    for cell in range(Unsigned(board.size)):
        here = Unsigned(board[cell])
        count += ZERO if is_single(here) else bit_count(here)
    return count
