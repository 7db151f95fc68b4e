"""Solve grids of any size, many at a time: from their texts to outcomes."""

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover.state import NODE_LIMITED, Terms, terms
from worker.options import Options
from worker.outcome import Outcomes, malformed
from worker.sudoku.entries import SEARCHING
from worker.sudoku.lay_out import POINT
from worker.sudoku.outcomes import kind, outcomes
from worker.sudoku.rounds import GridRounds
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SIDES, SYMBOLS, VALUES
from worker.sudoku.weights import MAX_WEIGHT, ring_weights

NO_OUTCOMES = Outcomes.of([])
#: translates the bytes of a text to values; 255 is no value
_TO_VALUES = bytes(SYMBOLS.find(chr(code)) % 256 for code in range(256))


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Yield the outcomes of grids of equal length, in their order, after each slice of time."""
    cells = len(texts[0])
    why = _refusal(cells, options)
    if why is not None:
        yield _malformed(len(texts), options, why)
        return
    side = SIDES[cells]
    letters = bytearray("".join(texts), "latin-1", "replace")  # an array of it can be written to
    given = np.frombuffer(letters.translate(_TO_VALUES), np.uint8).reshape(len(texts), cells)
    is_grid = np.all(given <= side, axis=1)
    for start, stop in _runs(is_grid):
        if is_grid[start]:
            yield from _solve(given[start:stop], options, slice_seconds)
        else:
            why = f"a {side}x{side} grid has only the symbols . and {VALUES[:side]}"
            yield _malformed(stop - start, options, why)


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of equal flags."""
    return pairwise([0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), flags.size])


def _malformed(count: int, options: Options, why: str) -> Outcomes:
    return Outcomes.of([malformed(kind(options), why)] * count)


def _refusal(cells: int, options: Options) -> str | None:
    """Return why a grid of so many cells cannot be solved with these options, or None."""
    if cells not in SIDES:
        return f"no grid has {cells} cells"
    weights = options.weights if options.target else None
    if weights is not None and len(weights) != cells:
        return f"{len(weights)} weights for a grid of {cells} cells"
    if weights is not None and max(map(abs, weights)) > MAX_WEIGHT:
        return f"a weight is outside the range -{MAX_WEIGHT:,} to {MAX_WEIGHT:,}"
    return None


def _solve(given: NDArray[np.uint8], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Yield the outcomes of the grids that each slice finished."""
    cells = given.shape[1]
    solver = GridSolver(
        SIDES[cells],
        given,
        _weights(options, cells),
        _terms(options),
        timeout=options.timeout,
        slice_seconds=slice_seconds,
    )
    done = 0
    for _ in _slices(solver, slice_seconds):
        yield outcomes(solver.grids, done, solver.at, options) if solver.at > done else NO_OUTCOMES
        done = solver.at
        solver.free_rows()


def _slices(solver: GridSolver, slice_seconds: float) -> Iterator[None]:
    """Solve the grids of a solver, and yield after each slice of time."""
    while solver.at < len(solver.grids.given):
        pause = time.monotonic() + slice_seconds
        solver.advance()
        while solver.stage == SEARCHING and solver.status == NODE_LIMITED:
            rounds = GridRounds(solver)
            yield from rounds.run()
            rounds.finish()
            if time.monotonic() >= pause:
                break
            solver.advance()
        yield
        solver.make_room()


def _terms(options: Options) -> Terms:
    return terms(
        limit=None if options.target else options.limit,
        keep=options.keep,
        prune=options.target and not options.every,
        step=POINT,
        costly=options.target,
    )


def _weights(options: Options, cells: int) -> NDArray[np.int64]:
    """Return a weight per cell: 0 without a target, the rings by default."""
    if not options.target:
        return np.zeros(cells, np.int64)
    return np.array(options.weights or ring_weights(SIDES[cells]), np.int64)
