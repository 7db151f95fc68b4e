"""Which cells a search near the best solution sets free."""

import random

import numpy as np

from worker.compiling.jit import Table
from worker.sudoku.board import Board


def neighbourhood(
    board: Board, candidates: Table, solution: Table, freed: int, chance: random.Random
) -> Table:
    """Return the candidates of each cell: one that the solution has, or all of them where free.

    `solution` holds the option chosen for each open cell. Free are all cells of `freed` rows,
    columns or boxes, or of `freed` symbols, drawn at random.
    """
    side = board.units.shape[1]
    cell, symbol = np.divmod(solution.astype(np.int64), side)
    way = chance.randrange(4)
    place = symbol if way == 3 else board.cells[cell, way] - way * side
    is_free = np.zeros(side, np.bool_)
    is_free[chance.sample(range(side), freed)] = True
    is_fixed = ~is_free[place]
    near = candidates.copy()
    near[cell[is_fixed]] = 1 << symbol[is_fixed]
    return near
