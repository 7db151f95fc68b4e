"""From texts to outcomes: every kind of puzzle through the one engine, in slices of time."""

import gc
from collections.abc import Generator, Sequence
from itertools import groupby

from worker.covers import solve as cover
from worker.options import Options
from worker.outcome import Outcomes
from worker.sudoku import solve as sudoku

__all__ = ["Outcomes", "search", "warm_up"]


def search(
    texts: Sequence[str], options: Options, slice_seconds: float = 0.25
) -> Generator[Outcomes]:
    """Outcomes in the order of `texts`, many at a time.

    Control comes back at least every `slice_seconds` or so, perhaps with none, so that the
    caller can look at clock and cancellation; closing it abandons the rest.
    """
    for cells, group in groupby(texts, _cells):
        solve = sudoku.solve if cells else cover.solve
        yield from solve(list(group), options, slice_seconds)


def warm_up() -> None:
    """Compile everything, or load it where it was compiled before.

    The garbage collector rests meanwhile: it would look through all that a compiler builds,
    again and again, which takes a tenth of the time.
    """
    toy = '{"items": 1, "secondary": 0, "options": [[1]]}'
    collecting = gc.isenabled()
    gc.disable()
    try:
        for text in ("." * 16, toy):
            for _ in search([text], Options()):
                pass
    finally:
        if collecting:
            gc.enable()


def _cells(text: str) -> int:
    """How many cells a grid has; 0 for a cover.  Texts that agree in this go together."""
    return 0 if text[:1] == "{" else len(text)
