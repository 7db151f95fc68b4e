"""Tells the solutions among the grids of a line from the puzzles."""

from collections.abc import Iterable
from typing import NamedTuple

from worker.sudoku.symbols import EMPTY


class WithSolution(NamedTuple):
    """A puzzle and the solution that stands beside it, if there is one."""

    grid: str
    solution: str | None = None


def with_solutions(grids: Iterable[str]) -> list[WithSolution]:
    """Return the puzzles among grids in the symbols of stored grids.

    A grid without empty cells is the solution of the one before it, or else of the one after it, if
    it has all clues of that grid; otherwise it is a puzzle.

    >>> with_solutions(["1..4", "1234", "4321", ".3.."])
    [WithSolution(grid='1..4', solution='1234'), WithSolution(grid='.3..', solution='4321')]
    """
    found: list[WithSolution] = []
    for grid in grids:
        before = found[-1] if found else None
        if before is None or before.solution is not None:
            found.append(WithSolution(grid))
        elif _solves(grid, before.grid):
            found[-1] = WithSolution(before.grid, grid)
        elif _solves(before.grid, grid):
            found[-1] = WithSolution(grid, before.grid)
        else:
            found.append(WithSolution(grid))
    return found


def _solves(solution: str, puzzle: str) -> bool:
    return EMPTY not in solution and all(
        clue in {EMPTY, cell} for clue, cell in zip(puzzle, solution, strict=True)
    )
