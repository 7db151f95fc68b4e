"""A grid as an SVG picture that needs no other file and is readable on light and dark pages."""

from collections.abc import Iterator, Sequence
from math import isqrt
from xml.sax.saxutils import escape

from rich.console import Console
from rich.text import Text

from storage.view import AnswerRow
from worker.sudoku.symbols import BOXES, ring_weights

#: weight of each cell of a 9x9 grid, row by row
RING_WEIGHTS = ring_weights(9)
#: background of a ring by its weight, as in the picture of Luogu P1074, where the rings come from
RING_COLOURS = {10: "#ffe45c", 9: "#fc9272", 8: "#9ecae1", 7: "#e7d3b8", 6: "#ffffff"}
#: lengths in SVG user units: side of a cell, margin around the grid, height of a caption's line
CELL, MARGIN, LINE_HEIGHT = 36, 12, 18
#: width of a caption's letter, in user units; a Chinese character has twice that
LETTER_WIDTH = 8
#: widths of the lines between cells and around boxes, in user units
THIN, THICK = 1, 2.5
CLUE_COLOUR, FOUND_COLOUR, PAPER_COLOUR, SHADE_COLOUR = "#111111", "#0f3468", "#ffffff", "#eeeeee"


def draw_svg(answer: AnswerRow, caption: str, *, rings: bool, show_caption: bool = True) -> str:
    """Return the grid of an answer as SVG, with clues and found cells in different colours.

    With `rings` each cell has the colour of its weight; without, clues have a grey background.
    The caption is the picture's title, and is drawn below the grid if `show_caption`.
    """
    grid = answer.solution or answer.puzzle
    size = isqrt(len(grid))
    side = size * CELL + 2 * MARGIN
    width = (side - 2 * MARGIN) // LETTER_WIDTH  # of the caption, in columns of a terminal
    wrapped = Text(caption).wrap(Console(width=width), width)
    lines = [line.plain.rstrip() for line in wrapped] if show_caption else []
    height = side + (LINE_HEIGHT * len(lines) + MARGIN if lines else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {height}" '
        f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(caption)}</title>",
        f'<rect width="{side}" height="{height}" rx="6" fill="{PAPER_COLOUR}"/>',
        *_cells(grid, answer.puzzle, size, rings=rings),
        *_lines(size),
        *_caption(lines, side),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def caption(answer: AnswerRow) -> str:
    """Return puzzle number, score or status, and label, as the caption of a picture."""
    parts = [f"puzzle {answer.id}", outcome(answer), answer.label]
    return " · ".join(part for part in parts if part)


def outcome(answer: AnswerRow, remark: str = "") -> str:
    """Return the score, a remark on it and what is proven of it; the status if there is none."""
    if answer.score is None:
        return answer.status
    cost = f" (cost {-answer.score:,})" if answer.kind == "cover" else ""
    text = f"score {answer.score}{cost}{remark}"
    if answer.complete:
        return f"{text} · optimal"
    bound = "" if answer.bound is None else f", at most {answer.bound}"
    return f"{text} · best so far{bound}"


def _caption(lines: Sequence[str], side: int) -> Iterator[str]:
    for index, line in enumerate(lines):
        at = f'x="{side / 2:g}" y="{side + LINE_HEIGHT * (index + 0.5):g}"'
        yield f'<text {at} font-size="13">{escape(line)}</text>'


def _cells(grid: str, clues: str, size: int, *, rings: bool) -> Iterator[str]:
    for cell, symbol in enumerate(grid):
        row, column = divmod(cell, size)
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        is_clue = clues[cell] != "."
        plain = SHADE_COLOUR if is_clue else PAPER_COLOUR
        colour = RING_COLOURS[RING_WEIGHTS[cell]] if rings else plain
        yield f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/>'
        if symbol != ".":
            style = f'fill="{CLUE_COLOUR}" font-weight="bold"'
            style = style if is_clue else f'fill="{FOUND_COLOUR}"'
            at = f'x="{x + CELL / 2:g}" y="{y + CELL * 0.68:g}" font-size="20"'
            yield f"<text {at} {style}>{symbol}</text>"


def _lines(size: int) -> Iterator[str]:
    """Yield the lines between cells, then those around boxes."""
    end = MARGIN + size * CELL
    places = [(index, MARGIN + index * CELL) for index in range(size + 1)]
    height, width = BOXES[size]
    for stroke in (THIN, THICK):
        is_thick = stroke == THICK
        rows = [f"M{MARGIN} {at}H{end}" for row, at in places if (row % height == 0) == is_thick]
        columns = [f"M{at} {MARGIN}V{end}" for col, at in places if (col % width == 0) == is_thick]
        yield (
            f'<path d="{"".join(rows + columns)}" stroke="{CLUE_COLOUR}" stroke-width="{stroke}" '
            'stroke-linecap="square"/>'
        )
