"""Finds the grids among the words of a line, and tells prose from damaged grids and rows."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from worker.formats.errors import MAX_LABEL, excerpt
from worker.formats.layout import EMPTY_SYMBOLS
from worker.sudoku.symbols import SIDES

#: letters, digits and the symbols of empty cells; everything else separates words
WORD = re.compile(rf"[\w+{re.escape(EMPTY_SYMBOLS)}]+")
#: characters that are stripped from the ends of a label
LABEL_EDGES = " \t,;:|\"'#"
#: what every line of prose has: two letters, of which none is an `x` for an empty cell
TWO_LETTERS = re.compile(r"[^\W\d_xX]{2}")
#: cells in a word, or words of one cell, from which on a line may be part of a grid
MIN_CELLS = 5
#: cells of the grids in which values may be marked; smaller grids with `+` between them are several
MARKED_CELLS = 81
#: side of the smallest grids: ordinary words can be as long as these
SMALLEST = min(SIDES.values())


class GridAt(NamedTuple):
    """A grid of a line, in the symbols of the line, and its place as indices of the line."""

    grid: str
    start: int
    end: int


def find_grids(line: str, is_grid: Callable[[str], bool]) -> list[GridAt]:
    """Return the largest grids of a line, in order; smaller ones are words of its label.

    >>> find_grids("easy-1, 1..4..2..3..4..1  7.2", lambda text: len(text) == 16)
    [GridAt(grid='1..4..2..3..4..1', start=8, end=24)]
    """
    found = [
        GridAt(text, word.start(), word.end())
        for word in WORD.finditer(line)
        if len(text := unmarked(word.group())) in SIDES and is_grid(text)
    ]
    if not found:
        text = _spaced_grid(line)
        return [GridAt(text, 0, len(line))] if text and is_grid(text) else []
    cells = max(len(one.grid) for one in found)
    return [one for one in found if len(one.grid) == cells]


def unmarked(word: str) -> str:
    """Return a 9x9 grid without the `+` by which HoDoKu marks values that the player entered.

    >>> unmarked("1+2" + "." * 79), unmarked("1+2")
    ('12...............................................................................', '1+2')
    """
    cells = word.replace("+", "")
    return cells if len(cells) == MARKED_CELLS else word


def without(line: str, found: Sequence[GridAt]) -> str:
    """Return the line with these grids blanked, so that every other character keeps its place."""
    for _, start, end in found:
        line = line[:start] + " " * (end - start) + line[end:]
    return line


def words_around(line: str, found: Sequence[GridAt]) -> str:
    """Return the words before the grids, or if there are none those between and after them."""
    ends = [one.end for one in found]
    starts = [*(one.start for one in found[1:]), len(line)]
    after = "".join(line[end:start] for end, start in zip(ends, starts, strict=True))
    words = line[: found[0].start].strip(LABEL_EDGES) or after.strip(LABEL_EDGES)
    return excerpt(words, MAX_LABEL)


def _spaced_grid(line: str) -> str:
    """Return the cells of a line that has spaces between all cells, or an empty string."""
    text = "".join(line.replace(",", " ").split())
    if len(text) not in SIDES or len(text) == 16 or len(line) < 2 * len(text) - 1:
        return ""  # sixteen cells with spaces between them are a row of a 16x16 grid
    return text


def has_words(text: str) -> bool:
    """Return whether a line has letters that are not empty cells."""
    if text.isascii() and text.upper() == text.lower():  # most lines; this is fast
        return False
    return TWO_LETTERS.search(text) is not None


def is_prose(text: str, symbols: Collection[str], side: int) -> bool:
    """Return whether a line has words and no more than a few symbols of cells.

    >>> [is_prose(text, "0123456789.", 9) for text in ("by Anna, 2024", "53.qq.7..", "a 5 3 . . 7")]
    [True, False, False]
    """
    if not has_words(text):
        return False
    if side > SMALLEST and any(len(word) == side * side for word in text.split()):
        return False  # as long as a grid, in symbols that are unknown here
    words = WORD.findall(text)
    least = min(MIN_CELLS, side)
    return sum(len(word) == 1 and word in symbols for word in words) < least and not any(
        _may_be_cells(word, symbols, side, least) for word in words
    )


def _may_be_cells(word: str, symbols: Collection[str], side: int, least: int) -> bool:
    cells = [symbol for symbol in word if symbol in symbols]
    return sum(not cell.isalpha() for cell in cells) >= least or (
        len(cells) == len(word) >= max(least, side // 2)
    )
