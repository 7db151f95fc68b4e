"""Answers as the judge wants them whose problem has this layout, byte for byte.

P1074 and its like (target): the score or -1.  Grids: in the layout of the input, symbols and blank
lines included, -1 where there is none.  P4929 (matrix): ascending row numbers or `No Solution!`.
"""

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import NamedTuple

from worker.formats.layout import Layout
from worker.sudoku.symbols import VALUES

NONE = "-1"


class JudgeAnswer(NamedTuple):
    """The part of an answer a judge looks at."""

    solution: str | None  #: None: there is none, or it was not found
    score: int | None


def judge(layout: Layout, answers: Iterable[JudgeAnswer], target: bool) -> Iterator[str]:
    """The lines of the output, without their ends."""
    for index, answer in enumerate(answers):
        if target:
            yield NONE if answer.score is None else str(answer.score)
        elif layout.kind == "cover":
            yield _cover(layout, answer.solution)
        else:
            if index and layout.apart:
                yield ""
            yield from [NONE] if answer.solution is None else written(layout, answer.solution)


def written(layout: Layout, grid: str) -> list[str]:
    """A grid in our symbols as the lines of its layout.

    >>> written(Layout("spaced", "sudoku", 4, shape="spaced"), "12343412.1434321")
    ['1 2 3 4', '3 4 1 2', '0 1 4 3', '4 3 2 1']
    """
    symbols = layout.symbols(isqrt(len(grid)))
    if layout.shape == "spaced":
        cells = ["0" if c == "." else str(VALUES.index(c) + 1) for c in grid]
        if layout.alphabet is not None:
            cells = [symbols[int(cell)] for cell in cells]
        return [" ".join(row) for row in _rows(cells)]
    text = grid.translate(str.maketrans("." + VALUES[: len(symbols) - 1], symbols))
    if layout.shape == "lines":
        return [text]
    return ["".join(row) for row in _rows(list(text))]


def _rows(cells: list[str]) -> list[list[str]]:
    side = isqrt(len(cells))
    return [cells[start : start + side] for start in range(0, len(cells), side)]


def _cover(layout: Layout, solution: str | None) -> str:
    if solution is None:
        return "No Solution!" if layout.format == "matrix" else NONE
    return " ".join(map(str, sorted(map(int, solution.split()))))
