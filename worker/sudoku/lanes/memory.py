"""The memory of a search in lanes."""

from typing import NamedTuple

import numpy as np

from worker.compiling.jit import Table
from worker.compiling.vectors import Vector
from worker.sudoku.lanes.board import CELLS, LANES, SIDE, VECTORS, Rows, rows


class Grid(NamedTuple):
    """What the search of a 9x9 grid reads and writes."""

    rows: Rows
    mask: Vector  #: per lane: whether its item is open, and the options that it has left
    single: Table  #: per vector: the open items that have one option left
    pairs: Table  #: per vector: those that have two
    symbols: Table  #: per covered cell: its symbol, from 0
    snapshots: Vector  #: per level: `mask` before its guess
    branch: Table  #: per level: the item that is branched on
    rest: Table  #: per level: the bits of its options that are still to be tried


def new_grid(side: int) -> Grid:
    """Return the memory for grids of this side; its arrays are empty unless the side is 9."""
    size = 1 if side == SIDE else 0
    levels = size * (CELLS + 1)
    return Grid(
        rows(),
        np.zeros(size * LANES, np.uint16),
        np.zeros(size * VECTORS, np.uint32),
        np.zeros(size * VECTORS, np.uint32),
        np.zeros(size * CELLS, np.uint32),
        np.zeros(levels * LANES, np.uint16),
        np.zeros(levels, np.uint32),
        np.zeros(levels, np.uint32),
    )
