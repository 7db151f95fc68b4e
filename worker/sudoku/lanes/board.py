"""The items of a 9x9 grid in lanes, and what choosing an option leaves of them.

A vector holds the 27 items of one symbol: for each unit, rows before columns before boxes, the
bits of the cells where the unit may have the symbol. Three more vectors hold the 81 cells, with
the bits of their symbols. So there are 12 vectors of 32 lanes, of which 324 are used.

An option has a *row*, as the items of a dense problem have: for each lane, the bits that stay when
it is chosen. In the vectors of symbols it depends only on the cell and on whether the symbol is
the option's own; the rows of all options are these, and those of the cells' vectors.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Table
from worker.compiling.vectors import ALL, OPEN, WIDTH, Vector
from worker.sudoku.board import board

SIDE, CELLS, UNITS, LINES = 9, 81, 27, 18
#: vectors of cells, and of all items
CELL_VECTORS, VECTORS = 3, SIDE + 3
#: where the lanes of cells begin, and the number of all lanes
CELL_LANES, LANES = SIDE * WIDTH, VECTORS * WIDTH
#: the lanes that a row has for the cells
CELL_ROW = CELL_VECTORS * WIDTH
#: the crossings of lines and boxes: those of rows, then as many of columns
CROSSINGS, ROW_CROSSINGS = 54, 27


class Rows(NamedTuple):
    """What stays; all arrays are flat."""

    empty: Vector  #: all lanes of an empty grid
    same: Vector  #: 32 lanes that keep everything
    cell_units: Vector  #: per cell 64 lanes: for another symbol, then for the option's own
    cells: Vector  #: per option 96 lanes
    crossing_units: Vector  #: per crossing 32 lanes, for its symbol; others stay as they are
    crossing_cells: Vector  #: per crossing and symbol 96 lanes
    unit_cells: Table  #: per unit: its cells
    peers: Table  #: per cell three words: its peers among the cells


@lru_cache
def rows() -> Rows:
    """Return the rows of all options and of all crossings."""
    grid = board(SIDE)
    unit_cells, units_of = grid.units.astype(np.int64), grid.cells[:, :3].astype(np.int64)
    is_peer = np.zeros((CELLS, CELLS), np.bool_)
    np.put_along_axis(is_peer, grid.cells[:, 3:].astype(np.int64), True, axis=1)
    own = np.eye(CELLS, dtype=np.bool_)
    hides = is_peer | own  # per cell: where its symbol can no longer be
    cell_units = np.full((CELLS, 2, WIDTH), ALL)
    cell_units[:, 0, :UNITS] ^= _unit_bits(own)
    cell_units[:, 1, :UNITS] ^= _unit_bits(hides)
    np.put_along_axis(cell_units[:, 1], units_of, 0, axis=1)
    option_cells = _cell_row(is_peer)
    option_cells[:, :, :CELLS][np.broadcast_to(own[:, None], (CELLS, SIDE, CELLS))] = 0
    excluded = _excluded(unit_cells)
    crossing_units = np.full((CROSSINGS, WIDTH), ALL)
    crossing_units[:, :UNITS] ^= _unit_bits(excluded)
    empty = np.zeros(LANES, np.uint16)
    lane = np.arange(LANES)
    empty[(lane % WIDTH < UNITS) & (lane < CELL_LANES)] = OPEN | ((1 << SIDE) - 1)
    empty[CELL_LANES : CELL_LANES + CELLS] = OPEN | ((1 << SIDE) - 1)
    padded = np.concatenate([is_peer, np.zeros((CELLS, CELL_ROW - CELLS), np.bool_)], axis=1)
    return Rows(
        empty,
        np.full(WIDTH, ALL, np.uint16),
        _flat(cell_units),
        _flat(option_cells),
        _flat(crossing_units),
        _flat(_cell_row(excluded)),
        grid.units,
        np.packbits(padded, axis=1, bitorder="little").view(np.uint32).ravel(),
    )


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


def new_grid() -> Grid:
    """Return the memory for 9x9 grids."""
    levels = CELLS + 1
    return Grid(
        rows(),
        np.zeros(LANES, np.uint16),
        np.zeros(VECTORS, np.uint32),
        np.zeros(VECTORS, np.uint32),
        np.zeros(CELLS, np.uint32),
        np.zeros(levels * LANES, np.uint16),
        np.zeros(levels, np.uint32),
        np.zeros(levels, np.uint32),
    )


def crossings() -> list[tuple[int, int]]:
    """Return the line and the box of each crossing."""
    cells = [set(unit.tolist()) for unit in board(SIDE).units]
    boxes = range(LINES, UNITS)
    return [(line, box) for line in range(LINES) for box in boxes if cells[line] & cells[box]]


def common(unit: int, other: int) -> int:
    """Return the bits of the cells of a unit that another unit has, too."""
    unit_cells = board(SIDE).units
    return int(np.isin(unit_cells[unit], unit_cells[other]) @ (1 << np.arange(SIDE)))


def _excluded(unit_cells: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return per crossing the cells that lie in its line or in its box, not in both."""
    is_in = np.zeros((UNITS, CELLS), np.bool_)
    np.put_along_axis(is_in, unit_cells, True, axis=1)
    line, box = np.array(crossings()).T
    excluded: NDArray[np.bool_] = is_in[line] ^ is_in[box]
    return excluded


def _unit_bits(is_in: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for sets of cells, the bits of these cells in each unit."""
    bits: NDArray[np.int64] = is_in[:, board(SIDE).units] @ (1 << np.arange(SIDE))
    return bits


def _cell_row(is_in: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for sets of cells and each symbol, the row that removes the symbol from them."""
    row = np.full((len(is_in), SIDE, CELL_ROW), ALL)
    bit = (1 << np.arange(SIDE))[:, None]
    row[:, :, :CELLS] ^= np.where(is_in[:, None], bit, 0)
    return row


def _flat(lanes: NDArray[np.int64]) -> Vector:
    return lanes.astype(np.uint16).ravel()
