"""Matches grids of one line each against the beginning of an input."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from worker.formats.detection import alphabets
from worker.formats.detection.alphabets import POSSIBLE
from worker.formats.detection.sample import Reading, Sample
from worker.formats.layout import Layout
from worker.formats.readers.columns import Columns
from worker.formats.readers.words import find_grids, is_prose
from worker.sudoku.symbols import SIDES

#: whether a text can be a whole grid
IsGrid = Callable[[str], bool]


class _Found(NamedTuple):
    """What the lines of a sample contain."""

    columns: Columns | None  #: the columns that the first line names
    grids: list[list[str]]  #: of each line that has some; of columns the puzzles
    others: list[str]  #: the other lines


def match_lines(sample: Sample) -> Reading | None:
    """Match lines with a whole grid in each."""
    columns, found, others = _grids(sample)
    lines = len(found) + sum(not is_prose(text, POSSIBLE[9], 9) for text in others)
    grids = [grid for of_line in found for grid in of_line]
    sides = Counter(SIDES[len(grid)] for grid in grids)
    if not grids or (sample.requested is None and not _is_likely(set(sides), len(found), lines)):
        return None
    large = [grid for grid in grids if len(grid) > 81] or grids
    alphabet = alphabets.choose(sample, "lines", max(sides), set().union(*large))
    layout = Layout(
        alphabet.format,
        "sudoku",
        next(iter(sides)) if len(sides) == 1 else None,
        alphabet.symbols,
        shape="lines",
        counted=sample.count is not None,
        ended=sample.ended,
    )
    by_frequency = tuple(side for side, _ in sides.most_common())
    return Reading(
        layout, len(found), by_frequency, sample.count, columns=columns, doubt=alphabet.doubt
    )


def _is_likely(sides: set[int], found: int, lines: int) -> bool:
    """Return whether half of the lines have grids, or nine tenths if all are 4x4.

    A line of 4x4 can also be a row of 16x16.
    """
    return 10 * found >= 9 * lines if sides == {4} else 2 * found >= lines


def _grids(sample: Sample) -> _Found:
    symbols_of = {side: alphabets.possible(side, sample.requested) for side in SIDES.values()}

    def is_grid(text: str) -> bool:
        return len(text) in SIDES and symbols_of[SIDES[len(text)]].issuperset(text)

    in_column = _grids_in_column(sample, is_grid)
    if in_column is not None:
        return in_column
    lines = [(line.text, find_grids(line.text, is_grid)) for line in sample.body]
    grids = [[one.grid for one in found] for _, found in lines if found]
    return _Found(None, grids, [text for text, found in lines if not found])


def _grids_in_column(sample: Sample, is_grid: IsGrid) -> _Found | None:
    """Return the puzzles in the column that the first line names, or None."""
    numbers = {line.number for line in sample.content}
    first, *rest = (line.text for line in sample.lines if line.number in numbers)
    columns = None if find_grids(first, is_grid) else Columns.of(first)
    if columns is None:
        return None
    puzzles = [(line, columns.puzzle_of(columns.fields(line))) for line in rest]
    grids = [[puzzle] for _, puzzle in puzzles if is_grid(puzzle)]
    others = [line for line, puzzle in puzzles if not is_grid(puzzle)]
    return _Found(columns, grids, others) if grids else None
