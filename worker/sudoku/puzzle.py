"""A grid as a problem for the search that lasts: its open cells, with costs where scores count."""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover.costs.neighbourhood import Flags, drawn
from worker.exact_cover.parts.frontier import Level, Levels
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Begun
from worker.exact_cover.state import Path
from worker.lasting import Puzzle
from worker.options import Options
from worker.set_cover.layout import once
from worker.set_cover.part import Parts
from worker.sudoku.board import Board, OpenCells, board, new_marks, open_cells
from worker.sudoku.entries import presolve_grid
from worker.sudoku.outcomes import kind, scale_of, texts
from worker.sudoku.presolve import CONTRADICTION
from worker.sudoku.symbols import SIDES
from worker.sudoku.weights import Scale


class GridPuzzle:
    """What the clues of a grid leave open, and the numbers of its options there."""

    def __init__(self, values: NDArray[np.uint8], options: Options) -> None:
        self.values, self.side = values, SIDES[values.size]
        self.cells = _presolved(values)
        self._cell, self._symbol = np.divmod(self.cells.options, self.side)
        problem = self.cells.problem
        if options.target:
            problem = self._with_costs(scale_of(options, values.size))
        self.puzzle = Puzzle(
            kind=kind(options),
            size=self.side,
            clues=int(np.count_nonzero(values)),
            problem=problem,
            scored=options.target,
            texts=self._texts,
            option_counts=self._option_counts,
            near=self._near,
            part=Parts(problem, once(problem)),
        )

    def begun(
        self, found: int, nodes: int, kept: NDArray[np.uint8], levels: Levels | None
    ) -> Begun:
        """Return what another search of the grid has brought, with these solutions and levels."""
        number = np.full(self.side * self.values.size, self.cells.options.size)
        number[self.cells.options] = np.arange(self.cells.options.size)
        is_open = np.flatnonzero(self.values == 0)
        rows = number[is_open * self.side + kept[:, is_open] - 1]
        if levels is not None:
            levels = tuple(
                Level(int(self.cells.items[item]), 1, tuple(number[list(some)].tolist()))
                for item, _, some, _ in levels
            )
        return Begun(found, nodes, rows, self.puzzle.problem.cost[rows].sum(axis=1), levels)

    def _with_costs(self, scale: Scale) -> Problem:
        """Return the problem in which an option costs what it scores less than the cell's best."""
        problem, weight = self.cells.problem, scale.weight
        scores = weight[self._cell] * (self._symbol + 1)
        most = np.zeros(self.values.size, np.int64)
        np.maximum.at(most, self._cell, scores)
        offset = scale.offset + scale.factor * int(
            most.sum() + self.values.astype(np.int64) @ weight
        )
        return problem._replace(cost=most[self._cell] - scores, factor=scale.factor, offset=offset)

    def _texts(self, paths: Sequence[Path]) -> list[str]:
        """Return the symbols of solutions, cell by cell."""
        if not paths:
            return []
        solutions = np.repeat(self.values[None], len(paths), axis=0)
        chosen = np.array(paths, np.int64).reshape(len(paths), -1)
        solutions[np.arange(len(paths))[:, None], self._cell[chosen]] = self._symbol[chosen] + 1
        return texts(solutions)

    def _option_counts(self, counts: Sequence[int], solutions: int) -> list[list[int]]:
        """Return the solutions with each symbol in each cell."""
        by_cell = [[0] * self.side for _ in range(self.values.size)]
        for cell in np.flatnonzero(self.values).tolist():
            by_cell[cell][int(self.values[cell]) - 1] = solutions
        for number, count in zip(self.cells.options.tolist(), counts, strict=True):
            by_cell[number // self.side][number % self.side] = count
        return by_cell

    def _near(self, chosen: Integers, cost: Integers, freed: int, chance: random.Random) -> Flags:
        """Return the options of a solution, and all those of cells where it is free.

        Free are the cells of `freed` rows, columns or boxes, or of `freed` symbols. They are drawn
        at random, those that cost much more often.
        """
        side, way = self.side, chance.randrange(4)
        cell, units = self._cell[chosen], board(side).cells
        place = self._symbol[chosen] if way == 3 else units[cell, way].astype(np.int64) - way * side
        costs = np.bincount(place, cost, minlength=side)
        is_free = np.zeros(side, np.bool_)
        is_free[drawn(costs + costs.mean() / 2 + 1, freed, chance)] = True
        is_fixed = ~is_free[place]
        has_fixed = np.zeros(self.values.size, np.bool_)
        has_fixed[cell[is_fixed]] = True
        fits = ~has_fixed[self._cell]
        fits[chosen] = True
        return fits


def _presolved(values: NDArray[np.uint8]) -> OpenCells:
    """Return the open cells with the candidates that the presolve leaves; none if there is none."""
    marks = new_marks(SIDES[values.size])
    tables: Board = board(SIDES[values.size])
    if presolve_grid(tables, marks, values) == CONTRADICTION:
        marks.candidates[:] = 0
    return open_cells(values, marks.candidates)
