"""Solve grids of any size, many at a time: from their texts to outcomes."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from worker import lasting
from worker.counting.race import HEAD_START_NS
from worker.errors import PuzzleError
from worker.options import Options
from worker.outcome import Outcome, Outcomes, malformed
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, Stopwatch, nanoseconds
from worker.sudoku.outcomes import kind, outcomes
from worker.sudoku.puzzle import GridPuzzle
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SIDES, SYMBOLS, VALUES
from worker.sudoku.weights import refusal

#: why a text is no grid of some side
_WRONG_SYMBOL = "a {0}x{0} grid has only the symbols . and {1}"
NO_OUTCOMES = Outcomes.of([])
#: translates the bytes of a text to values; 255 is no value
_TO_VALUES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))


def solve(
    texts: Sequence[str], options: Options, slice_seconds: float, budget: float = inf
) -> Iterator[Outcomes]:
    """Yield the outcomes of grids of equal length, in their order, after each slice of time.

    After `budget` seconds the search of a grid stops, and its outcome has a rest.
    """
    cells = len(texts[0])
    why = _refusal(cells, options)
    if why is not None:
        yield _malformed(len(texts), options, why)
        return
    side = SIDES[cells]
    given = values_of(texts)
    is_grid = np.all(given <= side, axis=1)
    for start, stop in _runs(is_grid):
        if is_grid[start] and (options.sample or options.per_option):
            for values in given[start:stop]:
                watch = Stopwatch(options.timeout, slice_seconds=slice_seconds)
                puzzle = GridPuzzle(values, options).puzzle
                yield from _each(lasting.search(puzzle, options, watch, counts=True))
        elif is_grid[start]:
            yield from _solve(given[start:stop], options, slice_seconds, budget)
        else:
            yield _malformed(stop - start, options, _WRONG_SYMBOL.format(side, VALUES[:side]))


def solver_of(text: str, options: Options, slice_seconds: float) -> GridSolver:
    """Return a solver for one grid; raise PuzzleError if the text is no grid that it can solve."""
    given = _checked(text, options)[None]
    return GridSolver(given, options, LONGEST_TIMEOUT_SECONDS, slice_seconds)


@lru_cache(maxsize=1)  # each turn of a divided search reads it again
def read(text: str, options: Options) -> GridPuzzle:
    """Return a grid as a problem; raise PuzzleError if the text is no grid that can be solved."""
    return GridPuzzle(_checked(text, options), options)


def _checked(text: str, options: Options) -> NDArray[np.uint8]:
    """Return the values of one grid."""
    why = _refusal(len(text), options)
    if why is not None:
        raise PuzzleError(why)
    side, given = SIDES[len(text)], values_of([text])
    if np.any(given > side):
        raise PuzzleError(_WRONG_SYMBOL.format(side, VALUES[:side]))
    values: NDArray[np.uint8] = given[0]
    return values


def values_of(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return a row of values for each text; all have the same length."""
    letters = bytearray("".join(texts), "latin-1", "replace")  # an array of it can be written to
    return np.frombuffer(letters.translate(_TO_VALUES), np.uint8).reshape(len(texts), -1)


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of equal flags."""
    return pairwise([0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), flags.size])


def _malformed(count: int, options: Options, why: str) -> Outcomes:
    return Outcomes.of([malformed(kind(options), why)] * count)


def _refusal(cells: int, options: Options) -> str | None:
    """Return why a grid of this number of cells cannot be solved with these options, or None."""
    if cells not in SIDES:
        return f"no grid has {cells} cells"
    weights = options.weights if options.target else None
    if weights is not None and len(weights) != cells:
        return f"{len(weights)} weights for a grid of {cells} cells"
    return refusal(weights) if weights else None


def _solve(
    given: NDArray[np.uint8], options: Options, slice_seconds: float, budget: float
) -> Iterator[Outcomes]:
    """Yield the outcomes of the grids that each slice finished."""
    searched = min(budget, HEAD_START_NS / 1e9) if options.count else budget
    solver = GridSolver(given, options, options.timeout, min(slice_seconds, searched))
    done = 0
    while done < len(given):
        solver.advance()
        at = solver.at
        yield outcomes(solver.grids, done, at, options, solver.scale) if at > done else NO_OUTCOMES
        solver.free_rows()
        if solver.goes_on(nanoseconds(searched)):
            yield from _each(_go_on(solver, options, slice_seconds, budget))
            solver.skip()
        done = solver.at
    solver.finish()


def _go_on(
    solver: GridSolver, options: Options, slice_seconds: float, budget: float
) -> Iterator[Outcome | None]:
    """Search the grid that is next, whose short search has stopped, to its end."""
    solver.count_time()
    report = solver.report
    limits = options.timeout, budget, slice_seconds
    watch = Stopwatch.since(int(report.wall_ns), int(report.ns), *limits)
    grid = GridPuzzle(solver.grids.given[solver.at], options)
    begun = solver.begun(grid)
    return lasting.search(grid.puzzle, options, watch, begun=begun, counts=options.count)


def _each(rows: Iterator[Outcome | None]) -> Iterator[Outcomes]:
    for row in rows:
        yield NO_OUTCOMES if row is None else Outcomes.of([row])
