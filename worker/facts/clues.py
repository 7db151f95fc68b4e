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
from worker.facts.exchanges import find_exchanges, new_exchanges
from worker.options import Options
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, SLICE_SECONDS, nanoseconds
from worker.sudoku.solver import GridSolver

#: the number of solutions that a search did not find out in time
UNKNOWN = -1

Grids = NDArray[np.uint8]


class Limits(NamedTuple):
    """The seconds that the search of one grid, and that a slice may take."""

    timeout: float = LONGEST_TIMEOUT_SECONDS
    slice_seconds: float = SLICE_SECONDS


class Solved(NamedTuple):
    """Grids that were searched for a limited number of solutions."""

    found: Integers  #: per grid: the number of solutions, or UNKNOWN
    solutions: Grids  #: per grid, number and cell; 0 where there is none


class Clues(NamedTuple):
    """The clues of many puzzles, all in a row, and what is known of them."""

    puzzle: Integers  #: per clue: the number of its puzzle
    cell: Integers
    value: Grids
    is_redundant: NDArray[np.bool_]
    witness: Grids  #: per clue and cell; 0 where there is none

    @property
    def is_necessary(self) -> NDArray[np.bool_]:
        """Whether a clue has a witness; one that is neither necessary nor redundant is unknown."""
        return np.any(self.witness, axis=1)  # type: ignore[no-any-return]


def solve(given: Grids, limit: int, limits: Limits) -> Generator[None, None, Solved]:
    """Search grids for at most `limit` solutions each; yield after each slice of time."""
    found = np.full(len(given), UNKNOWN)
    solutions = np.zeros((len(given), limit, given.shape[1]), np.uint8)
    solver, done = GridSolver(given, Options(limit=limit, keep=limit), *limits), 0
    while done < len(given):
        solver.advance()
        report = solver.grids.report[done : solver.at]
        is_known = (report["status"] == stops.EXHAUSTED) | (report["status"] == stops.LIMITED)
        found[done : solver.at][is_known] = report["found"][is_known]
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
    return Solved(found, solutions)


def clues_of(given: Grids, solutions: Grids, limits: Limits) -> Generator[None, None, Clues]:
    """Find out which clues of puzzles are necessary; yield after each slice of time.

    `solutions` are one of each puzzle, or zeros.
    """
    puzzle, cell = np.nonzero(given)
    some = np.zeros(puzzle.size, np.bool_), np.zeros((puzzle.size, given.shape[1]), np.uint8)
    clues = Clues(puzzle, cell, given[puzzle, cell], *some)
    numbers = np.full(given.shape, -1)
    numbers[puzzle, cell] = np.arange(puzzle.size)
    memory = new_exchanges(round(given.shape[1] ** 0.5))
    find_exchanges(memory, given, solutions, numbers, clues.witness)
    yield from _remove(clues, given, numbers[puzzle, cell] >= 0, limits)
    return clues


def _remove(
    clues: Clues, given: Grids, is_left: NDArray[np.bool_], limits: Limits
) -> Generator[None]:
    """Search the puzzles without one of the clues that are left."""
    left = np.flatnonzero(is_left)
    without, each, cell = given[clues.puzzle[left]], np.arange(left.size), clues.cell[left]
    without[each, cell] = 0
    solved = yield from solve(without, 2, limits)
    there = solved.solutions[each, :, cell]
    differs = (there != clues.value[left, None]) & (there != 0)
    is_found = differs.any(axis=1)
    clues.witness[left[is_found]] = solved.solutions[each, differs.argmax(axis=1)][is_found]
    clues.is_redundant[left] = ~is_found & (solved.found >= 0) & (solved.found < 2)
    several = ~is_found & (solved.found == 2)
    if several.any():  # as has the puzzle itself
        yield from _replace(clues, left[several], without[several], limits)


def _replace(clues: Clues, left: Integers, without: Grids, limits: Limits) -> Generator[None]:
    """Search for solutions with every other value in the place of the clues that are left."""
    side = round(without.shape[1] ** 0.5)
    at, value = np.repeat(np.arange(left.size), side), np.tile(np.arange(1, side + 1), left.size)
    differs = value != clues.value[left[at]]
    at, value = at[differs], value[differs]
    changed = without[at]
    changed[np.arange(at.size), clues.cell[left[at]]] = value
    solved = yield from solve(changed, 1, limits)
    has_one, is_none = solved.found == 1, np.ones(left.size, np.bool_)
    clues.witness[left[at[has_one]]] = solved.solutions[has_one, 0]
    is_none[at[solved.found != 0]] = False
    clues.is_redundant[left] = is_none
