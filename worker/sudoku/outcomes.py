"""The results of grids as outcomes."""

from collections.abc import Sequence
from itertools import pairwise, repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.options import Options
from worker.outcome import Outcomes, count_unless_pruned, proven_bound
from worker.sudoku.entries import Grids
from worker.sudoku.symbols import SIDES, SYMBOLS, ring_weights
from worker.sudoku.weights import Scale, scale

T = TypeVar("T")

#: translates values to the bytes of a text
_TO_SYMBOLS = SYMBOLS.encode().ljust(256)


def kind(options: Options) -> str:
    """Return the kind of outcome that a grid has with these options."""
    return "target" if options.target else "sudoku"


def scale_of(options: Options, cells: int) -> Scale:
    """Return the weights of grids: 0 without a target, the rings by default."""
    if not options.target:
        return scale((0,) * cells)
    return scale(options.weights or ring_weights(SIDES[cells]))


def outcomes(grids: Grids, start: int, stop: int, options: Options, weights: Scale) -> Outcomes:
    """Return the outcomes of the grids from `start` to `stop`, which one call finished."""
    report, count = grids.report[start:stop], stop - start
    kept = report["kept"]
    is_proven = report["status"] == stops.EXHAUSTED
    if options.target:  # it limits solutions only where all score the same: then these are the best
        is_proven |= report["status"] == stops.LIMITED
    complete = is_proven.tolist()
    solutions = grids.kept[: kept.sum()]
    found = Outcomes(
        kind=(kind(options),) * count,
        size=(SIDES[grids.given.shape[1]],) * count,
        clues=np.count_nonzero(grids.given[start:stop], axis=1).tolist(),
        solutions=report["found"].tolist(),
        complete=complete,
        timed_out=(report["status"] == stops.TIMED_OUT).tolist(),
        texts=_by_grid(texts(solutions), kept),
        scores=((),) * count,
        bound=(None,) * count,
        nodes=report["nodes"].tolist(),
        ns=report["ns"].tolist(),
        detail=(None,) * count,
        rest=(None,) * count,
        option_counts=(None,) * count,
    )
    if not options.target:
        return found
    scores = _by_grid(weights.scores(solutions), kept)
    limits = repeat(0) if all(complete) else weights.limits(grids.given[start:stop])
    counts = map(count_unless_pruned, kept.tolist(), repeat(options.keep))
    return found._replace(
        scores=scores,
        bound=list(map(proven_bound, limits, complete, scores)),
        solutions=found.solutions if options.every else list(counts),
    )


def texts(solutions: NDArray[np.uint8]) -> list[str]:
    """Return solutions as texts; they are given as values, a row each."""
    cells = solutions.shape[1]
    symbols = solutions.tobytes().translate(_TO_SYMBOLS).decode()
    return [symbols[k : k + cells] for k in range(0, len(symbols), cells)]


def _by_grid(rows: Sequence[T], kept: Integers) -> list[tuple[T, ...]]:
    """Return the rows of each grid, `kept` of them; one each is the usual case, and faster."""
    if np.all(kept == 1):
        return list(zip(rows, strict=True))
    ends = np.cumsum(kept).tolist()
    return [tuple(rows[start:end]) for start, end in pairwise([0, *ends])]
