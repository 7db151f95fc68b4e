"""The results of grids as outcomes."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers
from worker.exact_cover.solve import Found
from worker.exact_cover.state import EXHAUSTED, TIMED_OUT, Path
from worker.options import Options
from worker.outcome import (
    Outcome,
    Outcomes,
    Rest,
    Solution,
    count_unless_pruned,
    missing,
    proven_bound,
)
from worker.sudoku.grids import Grids
from worker.sudoku.symbols import SIDES, SYMBOLS
from worker.sudoku.weights import Scale

T = TypeVar("T")

#: translates values to the bytes of a text
_TO_SYMBOLS = SYMBOLS.encode().ljust(256)


def kind(options: Options) -> str:
    """Return the kind of outcome that a grid has with these options."""
    return "target" if options.target else "sudoku"


def outcomes(
    grids: Grids, start: int, stop: int, options: Options, scale: Scale, rests: Mapping[int, Rest]
) -> Outcomes:
    """Return the outcomes of the grids from `start` to `stop`, which one call finished.

    `rests` holds what is left of the grids that used up their budget.
    """
    report, count = grids.report[start:stop], stop - start
    kept = report["kept"]
    complete = (report["status"] == EXHAUSTED).tolist()
    found = Outcomes(
        kind=(kind(options),) * count,
        size=(SIDES[grids.given.shape[1]],) * count,
        clues=np.count_nonzero(grids.given[start:stop], axis=1).tolist(),
        solutions=report["found"].tolist(),
        complete=complete,
        timed_out=(report["status"] == TIMED_OUT).tolist(),
        texts=_by_grid(_texts(grids, int(kept.sum())), kept),
        scores=((),) * count,
        bound=(None,) * count,
        nodes=report["nodes"].tolist(),
        ns=report["ns"].tolist(),
        detail=(None,) * count,
        rest=[rests.get(at) for at in range(start, stop)] if rests else (None,) * count,
        option_counts=(None,) * count,
    )
    return _with_scores(found, grids, start, options, scale) if options.target else found


def counted(
    values: NDArray[np.uint8], numbers: Integers, found: Found, options: Options
) -> Outcome:
    """Return the outcome of a grid of these values, whose covers `board.without_clues` numbers."""
    return Outcome(
        kind="sudoku",
        size=SIDES[values.size],
        clues=int(np.count_nonzero(values)),
        solutions=found.found,
        complete=found.status == EXHAUSTED,
        timed_out=found.status == TIMED_OUT,
        kept=tuple(Solution(_filled(values, numbers, path), None) for path, _ in found.paths),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
        detail=missing(found.by_option, options, complete=found.status == EXHAUSTED),
        option_counts=_option_counts(values, numbers, found),
    )


def _option_counts(values: NDArray[np.uint8], numbers: Integers, found: Found) -> str | None:
    """Return the solutions with each symbol in each cell: a list per cell, as JSON."""
    if found.by_option is None:
        return None
    side = SIDES[values.size]
    counts = [[0] * side for _ in range(values.size)]
    for cell in np.flatnonzero(values).tolist():
        counts[cell][int(values[cell]) - 1] = found.found
    for number, solutions in zip(numbers.tolist(), found.by_option, strict=True):
        counts[number // side][number % side] = solutions
    return json.dumps(counts)


def _filled(values: NDArray[np.uint8], numbers: Integers, path: Path) -> str:
    """Return the symbols of a solution, cell by cell."""
    side, solved = SIDES[values.size], values.copy()
    cells, symbols = np.divmod(numbers[list(path)], side)
    solved[cells] = symbols + 1
    return "".join(SYMBOLS[value] for value in solved.tolist())


def _texts(grids: Grids, rows: int) -> list[str]:
    """Return the first rows of the kept solutions as texts."""
    cells = grids.given.shape[1]
    symbols = grids.kept[:rows].tobytes().translate(_TO_SYMBOLS).decode()
    return [symbols[k : k + cells] for k in range(0, len(symbols), cells)]


def _with_scores(
    found: Outcomes, grids: Grids, start: int, options: Options, scale: Scale
) -> Outcomes:
    """Return the outcomes with scores, bounds, and the number of solutions if it is known."""
    report = grids.report[start : start + len(found.kind)]
    kept = report["kept"]
    cost = grids.cost[: kept.sum()]
    scores = _by_grid(_points(np.repeat(report["dual"], kept) - cost, scale), kept)
    bounds = map(proven_bound, _points(report["bound"], scale), found.complete, scores)
    solutions = found.solutions
    if not options.every:
        solutions = [count_unless_pruned(some, options) for some in scores]
    return found._replace(scores=scores, bound=list(bounds), solutions=solutions)


def _points(reduced: Integers, scale: Scale) -> list[int]:
    """Return scores as the weights that were given count them."""
    return [scale.offset + score * scale.factor for score in (reduced // scale.unit).tolist()]


def _by_grid(rows: Sequence[T], kept: Integers) -> list[tuple[T, ...]]:
    """Return the rows of each grid, `kept` of them; one each is the usual case, and faster."""
    if np.all(kept == 1):
        return list(zip(rows, strict=True))
    ends = np.cumsum(kept).tolist()
    return [tuple(rows[start:end]) for start, end in pairwise([0, *ends])]
