"""A grid as an SVG picture that needs no other file and is readable on light and dark pages."""

from collections.abc import Iterator
from math import isqrt
from xml.sax.saxutils import escape

from cli.drawing.grid import RING_COLOURS, RING_WEIGHTS
from cli.formatting import shorten
from cli.output.row import AnswerRow

#: lengths in SVG user units: side of a cell, margin around the grid, height of the caption
CELL, MARGIN, CAPTION_HEIGHT = 36, 12, 26
#: mean width of a letter of the caption, in user units
LETTER_WIDTH = 8
#: widths of the lines between cells and around boxes, in user units
THIN, THICK = 1, 2.5
CLUE_COLOUR, FOUND_COLOUR, PAPER_COLOUR, SHADE_COLOUR = "#111111", "#123f7a", "#ffffff", "#eeeeee"


def draw_svg(answer: AnswerRow, caption: str, *, rings: bool, show_caption: bool = True) -> str:
    """Return the grid of an answer as SVG, with clues and found cells in different colours.

    With `rings` each cell has the colour of its weight; without, clues have a grey background.
    The caption is the picture's title, and is drawn below the grid if `show_caption`.
    """
    grid = answer.solution or answer.puzzle
    size = isqrt(len(grid))
    side = size * CELL + 2 * MARGIN
    height = side + CAPTION_HEIGHT * show_caption
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {height}" '
        f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(caption)}</title>",
        f'<rect width="{side}" height="{height}" rx="6" fill="{PAPER_COLOUR}"/>',
        *_cells(grid, answer.puzzle, size, rings=rings),
        *_lines(size),
        *([_caption(caption, side)] if show_caption else []),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _caption(text: str, side: int) -> str:
    at = f'x="{side / 2:g}" y="{side + CAPTION_HEIGHT / 2:g}"'
    return f'<text {at} font-size="13">{escape(shorten(text, side // LETTER_WIDTH))}</text>'


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
    end = MARGIN + size * CELL
    for index in range(size + 1):
        at = MARGIN + index * CELL
        width = THIN if index % isqrt(size) else THICK
        path = f"M{MARGIN} {at}H{end}M{at} {MARGIN}V{end}"
        yield (
            f'<path d="{path}" stroke="{CLUE_COLOUR}" stroke-width="{width}" '
            'stroke-linecap="square"/>'
        )
