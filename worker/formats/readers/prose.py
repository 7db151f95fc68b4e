"""Tells lines of prose, such as those around a grid in a forum, from damaged rows and grids."""

import re
from collections.abc import Collection

from worker.formats.readers.find_grids import WORD
from worker.sudoku.symbols import SIDES

#: what every line of prose has: two letters, of which none is an `x` for an empty cell
LETTERS = re.compile(r"[^\W\d_xX]{2}")
#: cells in a word, or words of one cell, from which on a line may be part of a grid
MIN_CELLS = 5
#: side of the smallest grids: ordinary words can be as long as these
SMALLEST = min(SIDES.values())


def has_words(text: str) -> bool:
    """Return whether a line has letters that are not empty cells."""
    if text.isascii() and text.upper() == text.lower():  # most lines; this is fast
        return False
    return LETTERS.search(text) is not None


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
