"""Grids for people: boxes set apart, clues bold, rings coloured where colours are to be had."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from math import isqrt
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

#: background of a ring by its weight: the colours of the problem that target sudoku comes from
RING_COLOURS = {10: "#ffe45c", 9: "#fc9272", 8: "#9ecae1", 7: "#e7d3b8", 6: "#ffffff"}
#: columns between two grids
GAP = 3
#: what a finished 9x9 grid scores on average: digits sum to 405, weights to 570, over 81 cells
AVERAGE = 2850

SYMBOLS = ".123456789ABCDEFGHIJKLMNOP"


class Ring(NamedTuple):
    """What the cells of one weight bring."""

    weight: int
    cells: int
    digits: int  #: the sum of the digits

    @property
    def points(self) -> int:
        """Their share of the score."""
        return self.weight * self.digits


def ring_weight(cell: int) -> int:
    """The weight of a cell of the 9x9 grid, counted row by row from 0.

    >>> ring_weight(0), ring_weight(40), ring_weight(39)
    (6, 10, 9)
    """
    line, column = divmod(cell, 9)
    return 6 + min(line, column, 8 - line, 8 - column)


def rings(solution: str) -> list[Ring]:
    """The rings of a finished 9x9 grid, from the centre to the border."""
    cells: dict[int, list[int]] = {}
    for cell, symbol in enumerate(solution):
        cells.setdefault(ring_weight(cell), []).append(SYMBOLS.index(symbol))
    return [Ring(weight, len(cells[weight]), sum(cells[weight])) for weight in range(10, 5, -1)]


def drawn(
    grid: str, clues: str | None = None, *, wide: bool = False, coloured_rings: bool = False
) -> list[Text]:
    """The lines of a grid; the cells that `clues` gives are bold."""
    size = isqrt(len(grid))
    box = isqrt(size)
    lines: list[Text] = []
    for line in range(size):
        if line and line % box == 0:
            lines.append(Text())
        lines.append(_line(grid, line, clues, wide, coloured_rings))
    return lines


def _line(grid: str, line: int, clues: str | None, wide: bool, coloured_rings: bool) -> Text:
    size = isqrt(len(grid))
    end = " " if wide else ""
    text = Text()
    for column in range(size):
        if column and column % isqrt(size) == 0:
            text.append("  ")
        cell = line * size + column
        text.append(f" {grid[cell]}{end}", _style(cell, clues, coloured_rings))
    return text


def _style(cell: int, clues: str | None, coloured_rings: bool) -> Style:
    given = clues is not None and clues[cell] != "."
    if coloured_rings:
        return Style(bold=given, color="#111111", bgcolor=RING_COLOURS[ring_weight(cell)])
    return Style(bold=given)


def side_by_side(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    """Blocks of lines beside each other."""
    widths = [max((line.cell_len for line in block), default=0) for block in blocks]
    lines: list[Text] = []
    for parts in zip_longest(*blocks, fillvalue=None):
        text = Text()
        for part, width in zip(parts, widths, strict=True):
            text.append(" " * GAP if text.cell_len else "")
            piece = part.copy() if part else Text()
            piece.pad_right(width - piece.cell_len)
            text.append_text(piece)
        text.rstrip()
        lines.append(text)
    return lines


def in_rows(blocks: Iterable[Sequence[Text]], width: int) -> list[list[Sequence[Text]]]:
    """As many blocks in a row as `width` columns hold, at least one."""
    rows: list[list[Sequence[Text]]] = [[]]
    used = 0
    for block in blocks:
        wide = max((line.cell_len for line in block), default=0)
        if rows[-1] and used + GAP + wide > width:
            rows.append([])
            used = 0
        used += wide + (GAP if rows[-1] else 0)
        rows[-1].append(block)
    return rows
