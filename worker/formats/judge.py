"""Writes answers as the online judge expects them for the problem whose input has this layout.

Target sudokus (P1074): the score, or -1.  Grids: in the layout of the input, with its symbols and
blank lines, or -1.  Matrices (P4929): row numbers in ascending order, or `No Solution!`.  Covers of
other judge problems: how many options the best has, or its radius, or its rows.
"""

from collections.abc import Callable, Iterable, Iterator
from math import isqrt, sqrt
from typing import NamedTuple

from worker.formats.layout import Layout
from worker.sudoku.symbols import EMPTY, SYMBOLS

#: the output for a puzzle without a solution
NO_SOLUTION = "-1"
#: the output for a matrix without an exact cover
NO_COVER = "No Solution!"


class JudgeAnswer(NamedTuple):
    """The part of an answer that a judge compares."""

    solution: str | None  #: in the symbols of the input; None if there is none, or none was found
    score: int | None


def judge(layout: Layout, answers: Iterable[JudgeAnswer], target: bool) -> Iterator[str]:
    """Yield the lines of the output for the puzzles of one input, without line ends.

    `target`: the answers are scores.
    """
    for index, answer in enumerate(answers):
        if layout.format in COVERS:
            yield COVERS[layout.format](index + 1, answer)
        elif target:
            yield NO_SOLUTION if answer.score is None else str(answer.score)
        elif layout.kind == "cover":
            yield _cover(layout, answer.solution)
        else:
            if index and layout.apart:
                yield ""
            grid = answer.solution
            yield from [NO_SOLUTION] if grid is None else written(layout, grid)


def _fewest(_case: int, answer: JudgeAnswer) -> str:
    """Return the number of options of the best cover (HDU 3498, FZU 1686, ZOJ 3209)."""
    return NO_SOLUTION if answer.score is None else str(-answer.score)


def _euclidean(_case: int, answer: JudgeAnswer) -> str:
    """Return the radius whose square is the score (HDU 2295)."""
    return NO_SOLUTION if answer.score is None else f"{sqrt(-answer.score):.6f}"


def _numbered(case: int, answer: JudgeAnswer) -> str:
    """Return the number of the case, and the radius (HDU 5046)."""
    return f"Case #{case}: {_fewest(case, answer)}"


def _counted_rows(_case: int, answer: JudgeAnswer) -> str:
    """Return the number of rows in a cover, and these (HUST 1017)."""
    rows = None if answer.solution is None else sorted(map(int, answer.solution.split()))
    return "NO" if rows is None else " ".join(map(str, [len(rows), *rows]))


#: how the answer to a case is written, by the format of the input
COVERS: dict[str, Callable[[int, JudgeAnswer], str]] = {
    "domination": _fewest,
    "windows": _fewest,
    "rectangles": _fewest,
    "radar": _euclidean,
    "airports": _numbered,
    "sparse": _counted_rows,
}


def written(layout: Layout, grid: str) -> list[str]:
    """Return a grid in the symbols of a layout as its lines; `.` is an empty cell.

    >>> written(Layout("spaced", "sudoku", 4, shape="spaced"), "12343412.1434321")
    ['1 2 3 4', '3 4 1 2', '0 1 4 3', '4 3 2 1']
    """
    if layout.shape == "spaced" and layout.alphabet is None:
        return [" ".join(row) for row in _rows([str(SYMBOLS.index(cell)) for cell in grid])]
    cells = grid.replace(EMPTY, layout.symbols(isqrt(len(grid)))[0])
    if layout.shape == "lines":
        return [cells]
    separator = " " if layout.shape == "spaced" else ""
    return [separator.join(row) for row in _rows(list(cells))]


def _rows(cells: list[str]) -> list[list[str]]:
    side = isqrt(len(cells))
    return [cells[start : start + side] for start in range(0, len(cells), side)]


def _cover(layout: Layout, solution: str | None) -> str:
    if solution is None:
        return NO_COVER if layout.format == "matrix" else NO_SOLUTION
    return " ".join(map(str, sorted(map(int, solution.split()))))
