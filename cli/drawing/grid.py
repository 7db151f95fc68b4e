"""Grids as text: boxes set apart, clues bold, found cells and rings in colours."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from math import isqrt
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from cli.streams import Colour
from worker.formats.svg import RING_COLOURS, RING_WEIGHTS
from worker.sudoku.symbols import BOXES

#: clues and found cells on the background of a ring, also with the 256 colours of xterm
RING_CLUE_COLOUR, RING_FOUND_COLOUR = "#121212", "#0000af"
#: columns between two blocks
GAP_COLUMNS = 3
#: mean score of a full 9x9 grid: digits sum to 405 and weights to 570, over 81 cells
AVERAGE_SCORE = 2850


class Ring(NamedTuple):
    """The cells of one weight in a full 9x9 grid."""

    weight: int
    cells: int
    digits: int  #: the sum of the digits

    @property
    def points(self) -> int:
        """The ring's part of the score."""
        return self.weight * self.digits


def rings(solution: str) -> list[Ring]:
    """Return the rings of a full 9x9 grid, from the centre to the border."""
    values = sorted(set(solution))  # the symbols of every alphabet ascend
    cells: dict[int, list[int]] = {}
    for cell, symbol in enumerate(solution):
        cells.setdefault(RING_WEIGHTS[cell], []).append(values.index(symbol) + 1)
    return [Ring(weight, len(cells[weight]), sum(cells[weight])) for weight in range(10, 5, -1)]


def draw_grid(
    grid: str, clues: str | None = None, *, wide: bool = False, coloured_rings: bool = False
) -> list[Text]:
    """Return the lines of a grid; cells that are clues are bold, the others coloured.

    Without `clues` no cell has a style.
    """
    size = isqrt(len(grid))
    lines: list[Text] = []
    for row in range(size):
        if row and row % BOXES[size].height == 0:
            lines.append(Text())
        lines.append(_draw_row(grid, row, clues, wide, coloured_rings))
    return lines


def _draw_row(grid: str, row: int, clues: str | None, wide: bool, coloured_rings: bool) -> Text:
    size = isqrt(len(grid))
    padding = " " if wide else ""
    text = Text()
    for column in range(size):
        if column and column % BOXES[size].width == 0:
            text.append("  ")
        cell = row * size + column
        text.append(f" {grid[cell]}{padding}", _style(cell, clues, coloured_rings))
    return text


def _style(cell: int, clues: str | None, coloured_rings: bool) -> Style:
    if clues is None:
        return Style()
    is_clue = clues[cell] != "."
    if coloured_rings:
        colour = RING_CLUE_COLOUR if is_clue else RING_FOUND_COLOUR
        return Style(bold=is_clue, color=colour, bgcolor=RING_COLOURS[RING_WEIGHTS[cell]])
    return Style(bold=True) if is_clue else Style(color=f"color({Colour.BLUE})")


def side_by_side(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    """Return lines that show the blocks next to each other."""
    widths = [max((line.cell_len for line in block), default=0) for block in blocks]
    lines: list[Text] = []
    for parts in zip_longest(*blocks, fillvalue=Text()):
        text = Text()
        start = 0
        for part, width in zip(parts, widths, strict=True):
            if part:
                text.pad_right(start - text.cell_len)
                text.append_text(part)
            start += width + GAP_COLUMNS
        lines.append(text)
    return lines


def wrap_blocks(blocks: Iterable[Sequence[Text]], columns: int) -> list[list[Sequence[Text]]]:
    """Group blocks into rows of at most `columns` terminal columns, at least one block a row."""
    rows: list[list[Sequence[Text]]] = [[]]
    used = 0
    for block in blocks:
        width = max((line.cell_len for line in block), default=0)
        if rows[-1] and used + GAP_COLUMNS + width > columns:
            rows.append([])
            used = 0
        used += width + (GAP_COLUMNS if rows[-1] else 0)
        rows[-1].append(block)
    return rows
