"""Finds the grids among the words of a line."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from worker.formats.excerpt import MAX_LABEL, excerpt
from worker.formats.symbols import EMPTY_SYMBOLS
from worker.sudoku.symbols import SIDES

#: letters, digits and the symbols of empty cells; everything else separates words
WORD = re.compile(rf"[\w+{re.escape(EMPTY_SYMBOLS)}]+")
#: characters that are stripped from the ends of a label
LABEL_EDGES = " \t,;:|\"'#"


class Found(NamedTuple):
    """A grid of a line, in the symbols of the line, and its place as indices of the line."""

    grid: str
    start: int
    end: int


def find_grids(line: str, is_grid: Callable[[str], bool]) -> list[Found]:
    """Return the largest grids of a line, in order; smaller ones are words of its label.

    >>> find_grids("easy-1, 1..4..2..3..4..1  7.2", lambda text: len(text) == 16)
    [Found(grid='1..4..2..3..4..1', start=8, end=24)]
    """
    found = [
        Found(text, word.start(), word.end())
        for word in WORD.finditer(line)
        # HoDoKu marks values that the player entered by `+`
        if len(text := word.group().replace("+", "")) in SIDES and is_grid(text)
    ]
    if not found:
        text = _spaced_grid(line)
        return [Found(text, 0, len(line))] if text and is_grid(text) else []
    cells = max(len(one.grid) for one in found)
    return [one for one in found if len(one.grid) == cells]


def without(line: str, found: Sequence[Found]) -> str:
    """Return the line with these grids blanked, so that every other character keeps its place."""
    for _, start, end in found:
        line = line[:start] + " " * (end - start) + line[end:]
    return line


def words_around(line: str, found: Sequence[Found]) -> str:
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
