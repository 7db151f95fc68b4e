"""A grid as a picture: one SVG file, readable on light and dark, that needs no font from afar."""

from collections.abc import Iterator
from math import isqrt
from xml.sax.saxutils import escape

from cli.drawing.grid import RING_COLOURS, ring_weight
from cli.formatting import shorten
from cli.output.row import AnswerRow

#: pixels of a cell, around the grid, and of the line of words below it
CELL, MARGIN, WORDS = 36, 12, 26
#: pixels of a letter of those words, about
LETTER = 8
#: lines between cells, and around boxes
THIN, THICK = 1, 2.5
CLUE, FOUND, PAPER, SHADE = "#111111", "#123f7a", "#ffffff", "#eeeeee"


def svg(answer: AnswerRow, words: str, *, rings: bool, written: bool = True) -> str:
    """The grid of an answer that has one, the solution's cells told from the clues by colour.

    With `rings` cells have the colours of their weights, else clues stand on grey.  The words
    are the picture's title, and written below the grid unless `written` is false.
    """
    grid = answer.solution or answer.puzzle
    size = isqrt(len(grid))
    side = size * CELL + 2 * MARGIN
    height = side + WORDS * written
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {height}" '
        f'font-family="DejaVu Sans, Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(words)}</title>",
        f'<rect width="{side}" height="{height}" rx="6" fill="{PAPER}"/>',
        *_cells(grid, answer.puzzle, size, rings=rings),
        *_lines(size),
        *([_below(words, side)] if written else []),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _below(words: str, side: int) -> str:
    at = f'x="{side / 2:g}" y="{side + WORDS / 2:g}"'
    return f'<text {at} font-size="13">{escape(shorten(words, side // LETTER))}</text>'


def _cells(grid: str, clues: str, size: int, *, rings: bool) -> Iterator[str]:
    for cell, symbol in enumerate(grid):
        line, column = divmod(cell, size)
        x, y = MARGIN + column * CELL, MARGIN + line * CELL
        given = clues[cell] != "."
        colour = RING_COLOURS[ring_weight(cell)] if rings else SHADE if given else PAPER
        yield f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/>'
        if symbol != ".":
            style = f'fill="{CLUE}" font-weight="bold"' if given else f'fill="{FOUND}"'
            at = f'x="{x + CELL / 2:g}" y="{y + CELL * 0.68:g}" font-size="20"'
            yield f"<text {at} {style}>{symbol}</text>"


def _lines(size: int) -> Iterator[str]:
    end = MARGIN + size * CELL
    for index in range(size + 1):
        at = MARGIN + index * CELL
        width = THIN if index % isqrt(size) else THICK
        path = f"M{MARGIN} {at}H{end}M{at} {MARGIN}V{end}"
        yield f'<path d="{path}" stroke="{CLUE}" stroke-width="{width}" stroke-linecap="square"/>'
