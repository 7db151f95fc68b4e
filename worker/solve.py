"""Solves puzzles of any kind: texts become outcomes, in slices of time."""

import gc
from collections.abc import Generator, Sequence
from itertools import groupby

from storage.values import Kind
from worker.covers import solve as cover
from worker.options import Options
from worker.outcome import Outcomes
from worker.sudoku import solve as sudoku


def search(
    kind: Kind, texts: Sequence[str], options: Options, slice_seconds: float = 0.25
) -> Generator[Outcomes]:
    """Yield the outcomes of puzzles of one kind in the order of `texts`, many at a time.

    Yields at least about every `slice_seconds`, without outcomes if there are none yet, so that the
    caller can check the clock and cancellation.  Closing the generator abandons the rest.
    """
    if kind is Kind.COVER:
        yield from cover.solve(texts, options, slice_seconds)
        return
    for _, same_size in groupby(texts, len):
        yield from sudoku.solve(list(same_size), options, slice_seconds)


def warm_up() -> None:
    """Compile the kernel, or load it from the cache of an earlier compilation.

    Garbage collection is off meanwhile: traversing the compiler's data structures again and again
    would take a tenth of the time.
    """
    cover_problem = '{"items": 1, "secondary": 0, "options": [[1]], "costs": [1]}'
    grids = [
        ("." * 16, False),
        ("." * 81, True),
    ]  # the second needs every entry of the kernel
    puzzles = [(Kind.SUDOKU, *grid) for grid in grids]
    puzzles += [(Kind.COVER, cover_problem, target) for target in (False, True)]
    collecting = gc.isenabled()
    gc.disable()
    try:
        for kind, text, target in puzzles:
            for _ in search(kind, [text], Options(target=target)):
                pass
    finally:
        if collecting:
            gc.enable()
