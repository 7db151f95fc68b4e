"""The candidates of a 9x9 grid in vectors, one lane for each box.

A vector holds the cells at one place of the nine boxes, so nine vectors hold the grid: vector
3r + c has the cells in row r and column c of their boxes, and lane 4R + C those of the box in band
R and stack C. A cell has a bit for each symbol that it may have. Lanes 3, 7, 11 and 12 to 15 hold
no cell; they have all bits and are never changed.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Table
from worker.compiling.vectors import WIDTH, Vector

BOX, SIDE, CELLS = 3, 9, 81
#: the bits of all symbols
FULL = (1 << SIDE) - 1
#: the lanes of a grid
LANES = SIDE * WIDTH
#: from one band to the next
BAND_LANES = 4
#: the bands and the stacks, and the configurations that a symbol may have in each of them
BANDS, CONFIGURATIONS = 6, 6
#: guesses that one solution may take: each settles the configuration of a symbol in a band
DEPTH = BANDS * SIDE


class Grid(NamedTuple):
    """What the search of a 9x9 grid reads and writes."""

    places: Table  #: per cell: its index in `mask`
    clue: Table  #: per value of a cell: its bits; all for 0, an open cell
    outside: Vector  #: per configuration the lanes of a grid: all bits where it has no cell
    mask: Vector  #: per lane: the symbols that its cell may have
    snapshots: Vector  #: per level: `mask` before its guess
    configurations: Vector  #: per configuration that begins in a box: its symbols; see `branch`
    words: NDArray[np.uint64]  #: the same memory, four lanes a word
    branch: Table  #: per level: the band or stack that is branched on
    symbol: Table  #: per level: the bit of the symbol
    rest: Table  #: per level: the bits of the configurations that are still to be tried


def new_grid() -> Grid:
    """Return the memory for 9x9 grids."""
    configurations = np.zeros(4 * WIDTH, np.uint16)
    bits = [FULL, *(1 << symbol for symbol in range(SIDE))]
    return Grid(
        places(),
        np.array(bits, np.uint32),
        _outside(),
        np.full(LANES, FULL, np.uint16),
        np.zeros((DEPTH + 1) * LANES, np.uint16),
        configurations,
        configurations.view(np.uint64),
        *(np.zeros(DEPTH + 1, np.uint32) for _ in range(3)),
    )


@lru_cache
def places() -> Table:
    """Return for each cell its index among the lanes of a grid."""
    row, column = np.divmod(np.arange(CELLS), SIDE)
    vector = row % BOX * BOX + column % BOX
    lane = row // BOX * BAND_LANES + column // BOX
    return np.asarray(vector * WIDTH + lane, np.uint32)


def rows_of_configuration(number: int) -> list[int]:
    """Return the row of a band that a symbol has in each box, from left to right.

    The first three configurations go down from box to box, starting again at the top; the others go
    up. For a stack the same is true of its columns, from box to box downwards.
    """
    first, step = number % BOX, 1 if number < BOX else -1
    return [(box - first) * step % BOX for box in range(BOX)]


@lru_cache
def _outside() -> Vector:
    """Return, for each configuration of each band and stack, the lanes where it has no cell."""
    lanes = np.zeros((BANDS, CONFIGURATIONS, LANES), np.uint16)
    row, column = np.divmod(np.arange(CELLS), SIDE)
    for band, (line, across) in enumerate([(row, column)] * BOX + [(column, row)] * BOX):
        for number in range(CONFIGURATIONS):
            chosen = np.array(rows_of_configuration(number))[across // BOX]
            is_outside = (line // BOX == band % BOX) & (line % BOX != chosen)
            lanes[band, number, places()[is_outside]] = FULL
    return lanes.ravel()
