"""Solve grids of any size, many at a time: from their texts to outcomes."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from worker.counting.race import HEAD_START_NS
from worker.errors import PuzzleError
from worker.exact_cover.costs.cheapest import SLICE_SECONDS
from worker.exact_cover.costs.scores import Setup
from worker.exact_cover.parts.frontier import Levels
from worker.exact_cover.solve import may_be_divided
from worker.exact_cover.state import NODE_LIMITED, PAUSED, Terms, terms
from worker.options import Options
from worker.outcome import Known, Outcomes, Rest, malformed
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, nanoseconds
from worker.sudoku.counts import count, count_rests
from worker.sudoku.grids import PRESOLVING, SEARCHING
from worker.sudoku.outcomes import kind, outcomes
from worker.sudoku.parts import leave, leave_rounds, part_of, rounds_near, text_of
from worker.sudoku.rings import ring_weights
from worker.sudoku.rounds import GridRounds
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SIDES, SYMBOLS, VALUES
from worker.sudoku.weights import Scale, refusal, scale
from worker.turn import Work

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
    given = _values(texts)
    is_grid = np.all(given <= side, axis=1)
    for start, stop in _runs(is_grid):
        if is_grid[start] and (options.sample or options.per_option):
            yield from count(given[start:stop], options, slice_seconds)
        elif is_grid[start]:
            yield from _solve(given[start:stop], options, slice_seconds, budget)
        else:
            yield _malformed(stop - start, options, _WRONG_SYMBOL.format(side, VALUES[:side]))


def solver_of(text: str, options: Options, slice_seconds: float) -> GridSolver:
    """Return a solver for one grid; raise PuzzleError if the text is no grid that it can solve."""
    why = _refusal(len(text), options)
    if why is not None:
        raise PuzzleError(why)
    side, given = SIDES[len(text)], _values([text])
    if np.any(given > side):
        raise PuzzleError(_WRONG_SYMBOL.format(side, VALUES[:side]))
    return _solver(given, options, slice_seconds, LONGEST_TIMEOUT_SECONDS)


def work_on(text: str, options: Options, setup: Setup, levels: Levels, known: Known | None) -> Work:
    """Return how to search a part of a grid; `known` is the best solution so far."""
    solver = solver_of(text, options, SLICE_SECONDS)
    near = None
    if known and solver.terms.prune:
        near = partial(rounds_near, solver, setup, known.path, known.score, repr(levels))
    return Work(lambda path: text_of(solver, path), lambda: part_of(solver, setup, levels), near)


def _values(texts: Sequence[str]) -> NDArray[np.uint8]:
    """Return a row of values for each text; all have the same length."""
    letters = bytearray("".join(texts), "latin-1", "replace")  # an array of it can be written to
    return np.frombuffer(letters.translate(_TO_VALUES), np.uint8).reshape(len(texts), -1)


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
    return refusal(weights) if weights else None


def _solve(
    given: NDArray[np.uint8], options: Options, slice_seconds: float, budget: float
) -> Iterator[Outcomes]:
    """Yield the outcomes of the grids that each slice finished."""
    searched = min(budget, HEAD_START_NS / 1e9) if options.count else budget
    solver = _solver(given, options, min(slice_seconds, searched), options.timeout)
    done, rests = 0, dict[int, Rest]()
    for _ in _slices(solver, slice_seconds, nanoseconds(searched), rests):
        found = NO_OUTCOMES
        if solver.at > done:
            found = outcomes(solver.grids, done, solver.at, options, solver.scale, rests)
        if options.count and any(found.rest):
            yield from count_rests(given[done : solver.at], found, options, slice_seconds, budget)
        else:
            yield found
        done = solver.at
        solver.free_rows()
    solver.finish()


def _solver(
    given: NDArray[np.uint8], options: Options, slice_seconds: float, timeout: float
) -> GridSolver:
    scale = _scale(options, given.shape[1])
    terms = _terms(options, scale.unit)
    return GridSolver(
        SIDES[given.shape[1]],
        given,
        scale,
        terms,
        timeout=timeout,
        slice_seconds=slice_seconds,
    )


def _slices(
    solver: GridSolver, slice_seconds: float, budget_ns: int, rests: dict[int, Rest]
) -> Iterator[None]:
    """Solve the grids of a solver, and yield after each slice of time.

    What is left of grids that used up their budget is added to `rests`.
    """
    while solver.at < len(solver.grids.given):
        pause = time.monotonic() + slice_seconds
        solver.advance()
        while solver.stage == PRESOLVING:
            solver.advance()
        while solver.stage == SEARCHING and solver.status == NODE_LIMITED:
            rounds, is_over = GridRounds(solver), False
            for _ in rounds.run():
                is_over = solver.report.wall_ns >= budget_ns
                if is_over:
                    break
                yield
            rounds.finish()
            if is_over:
                rests[solver.at] = leave_rounds(solver, rounds)
            if time.monotonic() >= pause:
                break
            solver.advance()
        if _is_over(solver, budget_ns) and (rest := leave(solver)) is not None:
            rests[solver.at] = rest
        yield
        solver.make_room()


def _is_over(solver: GridSolver, budget_ns: int) -> bool:
    """Return whether the search of the grid that is next used up its budget.

    The first search for the best score is short, and ends before the rounds, which may be left.
    """
    is_long = solver.stage == SEARCHING and solver.report.wall_ns >= budget_ns
    is_paused = solver.status == PAUSED
    return is_long and is_paused and not solver.terms.prune and may_be_divided(solver.search)


def _terms(options: Options, step: int) -> Terms:
    return terms(
        limit=None if options.target else options.limit,
        keep=options.keep,
        prune=options.target and not options.every,
        step=step,
        costly=options.target,
    )


def _scale(options: Options, cells: int) -> Scale:
    """Return a weight per cell: 0 without a target, the rings by default."""
    if not options.target:
        return scale((0,) * cells)
    return scale(options.weights or ring_weights(SIDES[cells]))
