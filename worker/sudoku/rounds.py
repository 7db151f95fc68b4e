"""The best score of a grid that a first short search did not prove."""

import math
import random
from collections.abc import Generator

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.exact_cover.costs.rounds import NEAR_NODE_LIMIT, Rounds
from worker.exact_cover.entries import tighten
from worker.exact_cover.exclude import list_by_cost
from worker.exact_cover.layout import general
from worker.exact_cover.state import FULL, PAUSED, UNBOUNDED
from worker.sudoku.board import Board
from worker.sudoku.grids import NEW_ROUND, WRITING, Round
from worker.sudoku.solver import GridSolver


class GridRounds(Rounds):
    """Rounds for the grid that a solver is at."""

    def __init__(self, solver: GridSolver, seed: str = "") -> None:
        report, scale = solver.report, solver.scale
        super().__init__(
            solver.terms,
            solver.search,
            int(report.dual),
            int(report.bound),
            factor=scale.factor,
            offset=scale.offset,
        )
        self._solver = solver
        self._candidates = solver.marks.candidates.copy()
        self._is_open = self._candidates & (self._candidates - 1) != 0
        self._chance = random.Random(seed)  # noqa: S311 # the same searches in every run

    def narrow(self, gap: int) -> None:
        """Leave out the options that cost more than `gap`, as `Rounds` defines it."""
        cost = self._solver.links.cost.reshape(self._candidates.size, -1)
        fits = (cost <= gap) @ (1 << np.arange(cost.shape[1], dtype=np.uint32))
        self._candidates[self._is_open] &= fits[self._is_open]
        for _ in self._search(self._candidates, UNBOUNDED, 0):  # a round of no nodes lays out
            pass

    def tighten(self, sweeps: int, temperature: float) -> tuple[int, int]:
        """Improve the multipliers, as `Rounds` defines it."""
        solver = self._solver
        solver.count_time()
        left = solver.timeout_ns - int(solver.report.wall_ns)
        rise, highest, ns, wall_ns = tighten(
            general(solver.links), solver.dual, sweeps, temperature, left
        )
        list_by_cost(solver.links, solver.search)
        solver.count_time(ns, wall_ns)
        return int(rise), int(highest)

    def multipliers(self) -> tuple[int, ...]:
        """Return the multipliers of the items, as `Rounds` defines it."""
        return tuple(self._solver.scoring.multiplier.tolist())

    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search within a reach, as `Rounds` defines it."""
        return self._search(self._candidates, reach, node_limit)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover, as `Rounds` defines it."""
        solver, kept = self._solver, self.search.kept
        side = solver.board.units.shape[1]
        self.freed = max(2, min(side, self.freed))
        best = int(np.argmin(kept.cost[: self.search.state.kept]))
        solution = kept.options[best, : kept.length[best]]
        candidates = self._candidates
        cost = solver.links.cost[solution]
        near = neighbourhood(solver.board, candidates, solution, cost, self.freed, self._chance)
        return self._search(near, UNBOUNDED, NEAR_NODE_LIMIT)

    def _search(self, candidates: Table, reach: int, node_limit: int) -> Generator[None, None, int]:
        solver = self._solver
        solver.round, solver.stage = Round(candidates, reach, node_limit), NEW_ROUND
        while True:
            solver.advance()
            if solver.status not in {PAUSED, FULL}:
                return solver.status
            yield
            solver.make_room()
            self.search = solver.search

    def finish(self) -> None:
        """Write the result into the solver, which goes on from there."""
        solver = self._solver
        solver.report.dual, solver.report.bound = self.base, self.bound
        solver.stage = WRITING


def neighbourhood(
    board: Board,
    candidates: Table,
    solution: Table,
    cost: Integers,
    freed: int,
    chance: random.Random,
) -> Table:
    """Return the candidates of each cell: one that the solution has, or all of them where free.

    `solution` holds the option chosen for each open cell, and `cost` its reduced cost. Free are all
    cells of `freed` rows, columns or boxes, or of `freed` symbols. They are drawn at random, those
    that cost much more often, with the keys of Efraimidis and Spirakis, *Weighted random sampling
    with a reservoir* (2006).
    """
    side = board.units.shape[1]
    cell, symbol = np.divmod(solution.astype(np.int64), side)
    way = chance.randrange(4)
    place = symbol if way == 3 else board.cells[cell, way].astype(np.int64) - way * side
    costs = np.bincount(place, cost, minlength=side)
    weights = costs + costs.mean() / 2 + 1
    keys = [math.log(1.0 - chance.random()) / weight for weight in weights.tolist()]
    is_free = np.zeros(side, np.bool_)
    is_free[np.argsort(keys)[-freed:]] = True
    is_fixed = ~is_free[place]
    near = candidates.copy()
    near[cell[is_fixed]] = 1 << symbol[is_fixed]
    return near
