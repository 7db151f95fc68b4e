"""Finds the grid among the words of a line."""

import re
from collections.abc import Callable
from typing import NamedTuple

from worker.formats.excerpt import MAX_LABEL, excerpt
from worker.formats.symbols import EMPTY_SYMBOLS
from worker.sudoku.symbols import SIDES

#: characters between a grid and the words around it
WORD_SEPARATORS = " \t,;:|\"'"
FIELD = re.compile(rf"[^\s{WORD_SEPARATORS}]+")
#: characters that are stripped from the ends of a label
LABEL_EDGES = WORD_SEPARATORS + "#"

_EMPTY = frozenset(EMPTY_SYMBOLS)


class Found(NamedTuple):
    """A grid and the words around it, in the symbols of the line."""

    grid: str
    words: str | None  #: the words before the grid, or if there are none those after it
    solution: str | None  #: another grid of the same size, which may be its solution


def find_grid(line: str, is_grid: Callable[[str], bool]) -> Found | None:
    """Return the first grid with an empty cell, or else the first grid, or None.

    >>> find_grid("easy-1, 1..4..2..3..4..1  7.2", lambda text: len(text) == 16)
    Found(grid='1..4..2..3..4..1', words='easy-1', solution=None)
    """
    grids = []
    for field in FIELD.finditer(line):
        text = field.group().replace("+", "")  # HoDoKu marks values that the player entered
        if len(text) in SIDES and is_grid(text):
            grids.append((text, field.start(), field.end()))
    if not grids:
        return _spaced_grid(line, is_grid)
    taken = next((grid for grid in grids if not _EMPTY.isdisjoint(grid[0])), grids[0])
    text, start, end = taken
    words = _words(line[:start]) or _words(line[end:]) or None
    others = (grid[0] for grid in grids if grid is not taken and len(grid[0]) == len(text))
    return Found(text, words, next(others, None))


def _spaced_grid(line: str, is_grid: Callable[[str], bool]) -> Found | None:
    """Return the grid of a line that has spaces between all cells, or None."""
    text = "".join(line.replace(",", " ").split())
    if len(text) not in SIDES or len(text) == 16 or len(line) < 2 * len(text) - 1:
        return None  # sixteen cells with spaces between them are a row of a 16x16 grid
    return Found(text, None, None) if is_grid(text) else None


def _words(text: str) -> str:
    """Return the text without fields that are as long as a grid, such as a known solution."""
    kept = FIELD.sub(lambda field: "" if len(field.group()) in SIDES else field.group(), text)
    return excerpt(kept.strip(LABEL_EDGES), MAX_LABEL)
