"""From texts to outcomes: every kind of puzzle through the one engine, in slices of time."""

from collections.abc import Generator, Sequence
from itertools import groupby
from typing import NamedTuple

from worker.puzzles import cover, sudoku
from worker.puzzles.options import Options
from worker.puzzles.outcome import Outcome, Solution

__all__ = ["Outcome", "Solution", "search", "warm_up"]


class Kind(NamedTuple):
    """What texts must have in common to be solved together."""

    is_cover: bool
    length: int


def search(
    texts: Sequence[str], options: Options, slice_seconds: float = 0.25
) -> Generator[list[Outcome]]:
    """Outcomes in the order of `texts`, a few at a time.

    Control comes back at least every `slice_seconds` or so, perhaps with an empty list, so
    that the caller can look at clock and cancellation; closing it abandons the rest.
    """
    for kind, group in groupby(texts, _kind):
        solve = cover.solve if kind.is_cover else sudoku.solve
        yield from solve(list(group), options, slice_seconds)


def warm_up() -> None:
    """Compile everything, or load it where it was compiled before."""
    toy = '{"items": 1, "secondary": 0, "options": [[1]]}'
    for text in ("." * 16, toy):
        for _ in search([text], Options()):
            pass


def _kind(text: str) -> Kind:
    is_cover = text.startswith("{")
    return Kind(is_cover, 0 if is_cover else len(text))
