"""Which clues of a puzzle are redundant: the others imply them.

A clue is necessary if the puzzle without it has a solution that differs in its cell, its *witness*.
So the law is the same for puzzles with one, several and no solution.  A puzzle without redundant
clues is minimal.
"""

from collections.abc import Generator
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.options import Options
from worker.stopwatch import nanoseconds
from worker.sudoku.solver import GridSolver

#: the number of solutions that a search did not find out in time
UNKNOWN = -1

Grids = NDArray[np.uint8]


class Solved(NamedTuple):
    """Grids that were searched for a limited number of solutions."""

    count: Integers  #: per grid: solutions found, or UNKNOWN
    solutions: Grids  #: per grid, number and cell


class Clues(NamedTuple):
    """The clues of many puzzles, all in a row."""

    puzzle: Integers  #: per clue: the number of its puzzle
    cell: Integers
    is_necessary: NDArray[np.bool_]
    is_known: NDArray[np.bool_]  #: whether it is known to be necessary or redundant
    witness: Grids  #: of necessary clues


def solve(
    given: Grids, limit: int, timeout: float, slice_seconds: float
) -> Generator[None, None, Solved]:
    """Search grids for at most `limit` solutions each; yield after each slice of time."""
    count = np.full(len(given), UNKNOWN)
    solutions = np.zeros((len(given), limit, given.shape[1]), np.uint8)
    solver, done = GridSolver(given, Options(limit=limit, keep=limit), timeout, slice_seconds), 0
    while done < len(given):
        solver.advance()
        report = solver.grids.report[done : solver.at]
        is_known = (report["status"] == stops.EXHAUSTED) | (report["status"] == stops.LIMITED)
        count[done : solver.at][is_known] = report["found"][is_known]
        kept = report["kept"]
        grid, first = np.repeat(np.arange(done, solver.at), kept), np.cumsum(kept) - kept
        number = np.arange(grid.size) - np.repeat(first, kept)
        solutions[grid, number] = solver.grids.kept[: grid.size]
        solver.free_rows()
        if solver.goes_on(nanoseconds(inf)):
            solver.skip()
        done = solver.at
        yield
    solver.finish()
    return Solved(count, solutions)


def clues_of(given: Grids, timeout: float, slice_seconds: float) -> Generator[None, None, Clues]:
    """Find out which clues of puzzles are necessary; yield after each slice of time."""
    puzzle, cell = np.nonzero(given)
    value, less = given[puzzle, cell], given[puzzle]
    if not puzzle.size:
        return Clues(puzzle, cell, np.zeros(0, np.bool_), np.zeros(0, np.bool_), less)
    each = np.arange(puzzle.size)
    less[each, cell] = 0
    found = yield from solve(less, 2, timeout, slice_seconds)
    there = found.solutions[each, :, cell]
    differs = (there != value[:, None]) & (there != 0)
    clues = Clues(
        puzzle,
        cell,
        differs.any(axis=1),
        differs.any(axis=1) | ((found.count >= 0) & (found.count < 2)),
        found.solutions[each, differs.argmax(axis=1)],
    )
    left = np.flatnonzero(~clues.is_known & (found.count == 2))
    if left.size:  # the puzzle has several solutions
        yield from _replace(clues, left, less, value, timeout, slice_seconds)
    return clues


def _replace(
    clues: Clues, left: Integers, less: Grids, value: Grids, timeout: float, slice_seconds: float
) -> Generator[None]:
    """Decide about the clues that are left by trying every other value in their place."""
    side = round(less.shape[1] ** 0.5)
    clue = np.repeat(left, side)
    other = np.tile(np.arange(1, side + 1, dtype=np.uint8), left.size)
    clue, other = clue[other != value[clue]], other[other != value[clue]]
    changed = less[clue]
    changed[np.arange(clue.size), clues.cell[clue]] = other
    found = yield from solve(changed, 1, timeout, slice_seconds)
    has_one = found.count == 1
    clues.witness[clue[has_one]] = found.solutions[has_one, 0]
    clues.is_necessary[clue[has_one]] = True
    is_known = np.ones(len(value), np.bool_)
    is_known[clue[found.count == UNKNOWN]] = False
    clues.is_known[left] = is_known[left] | clues.is_necessary[left]
