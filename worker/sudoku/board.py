"""A grid as an exact cover problem, and the tables that all grids of one size share.

A grid of side n has n² cells, and 3n units: its rows, columns and boxes. Boxes need not be square:
those of a 6x6 grid have two rows of three cells. As an exact cover problem
it has 4n² items: each cell must be filled, and each unit must have each symbol. It has n³ options:
option `cell * n + symbol` places a symbol in a cell and has four items. Cells, units and symbols
count from 0, items from 1: first the cells, then for each unit its symbols.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers, Table, Unsigned
from worker.exact_cover.nodes import Nodes, nodes_of
from worker.exact_cover.problem import Problem
from worker.sudoku.symbols import BOXES, SIDES
from worker.sudoku.weights import units


class Board(NamedTuple):
    """What all grids of one size have in common."""

    cells: Table  #: per cell: its row, column and box among the units, then its peers
    units: Table  #: per unit, rows before columns before boxes: its cells
    box_height: Unsigned  #: in cells, as the width
    box_width: Unsigned


class Marks(NamedTuple):
    """What the presolve knows of one grid; symbols are the bits of a word."""

    candidates: Table  #: per cell: the symbols that it may have
    placed: Table  #: per unit: the symbols that are placed in it
    stack: Table  #: cells that have one candidate left, or none, and are not placed yet
    crossings: Table  #: per line and box of a band: the candidates of the cells that both have


def new_marks(side: int) -> Marks:
    """Return memory for the marks of one grid."""
    cells, units = side**2, 3 * side
    sizes = (cells, units, 2 * cells, max(BOXES[side]) ** 2)
    return Marks(*(np.zeros(size, np.uint32) for size in sizes))


@lru_cache
def board(side: int) -> Board:
    """Return the tables of grids of this side."""
    cells = units(side)
    unit_of = np.argsort(cells.reshape(3, side**2), axis=1).T // side + [0, side, 2 * side]
    peers = [sorted({*cells[of].flat} - {c}) for c, of in enumerate(unit_of)]
    return Board(
        np.concatenate([unit_of, peers], axis=1).astype(np.uint32),
        cells.astype(np.uint32),
        *map(Unsigned, BOXES[side]),
    )


@lru_cache
def nodes(side: int) -> Nodes:
    """Return the node tables of the empty grid, which serve every grid of this side."""
    return nodes_of(problem(side))[0]


@lru_cache
def problem(side: int) -> Problem:
    """Return the empty grid of this side as an exact cover problem."""
    cells = side * side
    unit = np.argsort(units(side).reshape(3, cells), axis=1) // side
    symbol = np.arange(side)
    items = [np.repeat(np.arange(cells), side)] + [
        (cells + (way * side + unit[way])[:, None] * side + symbol).ravel() for way in range(3)
    ]
    return _problem(4 * cells, np.stack(items) + 1)


def _problem(items: int, members: Integers) -> Problem:
    """Return a problem whose options have four items each, given as four rows."""
    options = members.shape[1]
    first = np.arange(0, 4 * options + 1, 4, dtype=np.uint32)
    cost = np.zeros(options, np.int64)
    return Problem(items, items, members.T.ravel().astype(np.uint32), first, cost)


@lru_cache
def _members(side: int) -> Integers:
    """Return the items of each option of the empty grid: those of each kind in a row."""
    return np.ascontiguousarray(problem(side).members.reshape(-1, 4).T, np.int64)


class OpenCells(NamedTuple):
    """What the clues of a grid leave open, and its numbers in `problem`."""

    problem: Problem
    options: Integers  #: per option: its number in the empty grid
    items: Integers  #: per item of the empty grid: its number here, 0 if a clue covers it


def open_cells(values: NDArray[np.uint8], candidates: Table | None = None) -> OpenCells:
    """Return what the clues of a grid leave open, with these candidates of each cell, or all.

    >>> found = open_cells(np.array([1, 2, 3, 4, *[0] * 12], np.uint8))
    >>> found.problem.primary, found.options[:3].tolist()
    (48, [18, 19, 22])
    """
    side = SIDES[values.size]
    members = _members(side)
    cells = np.flatnonzero(values)
    covered = members[:, cells * side + values[cells] - 1].ravel()
    times = np.bincount(covered, minlength=4 * values.size + 1)
    is_left = ~times[members].any(axis=0)
    if candidates is not None:
        is_left &= (candidates[:, None] >> np.arange(side, dtype=np.uint32) & 1 != 0).ravel()
    options = np.flatnonzero(is_left)
    left = np.flatnonzero(times[1:] == 0) + 1
    number = np.zeros(times.size, np.int64)
    number[left] = np.arange(1, left.size + 1)
    clash = bool((times > 1).any())  # an item without options has no cover
    return OpenCells(_problem(left.size + clash, number[members[:, options]]), options, number)
