"""Matches grids of one line each against the beginning of an input."""

from collections import Counter
from collections.abc import Callable

from worker.formats.detection import alphabets
from worker.formats.detection.candidate import Candidate
from worker.formats.detection.sample import Sample
from worker.formats.layout import Layout
from worker.formats.readers.columns import Columns
from worker.formats.readers.find_grids import find_grids
from worker.formats.readers.reading import Reading
from worker.sudoku.symbols import SIDES

#: whether a text can be a whole grid
IsGrid = Callable[[str], bool]


def match_lines(sample: Sample) -> Candidate | None:
    """Match lines with a whole grid in each."""
    columns, found = _grids(sample)
    lines = len(sample.body) - (columns is not None)
    grids = [grid for of_line in found for grid in of_line]
    sides = Counter(SIDES[len(grid)] for grid in grids)
    if not grids or (sample.asked is None and not _is_likely(set(sides), len(found), lines)):
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
    reading = Reading(layout, by_frequency, sample.count, columns=columns)
    return Candidate(reading, len(found), alphabet.doubt)


def _is_likely(sides: set[int], found: int, lines: int) -> bool:
    """Return whether half of the lines have grids, or nine tenths if all are 4x4.

    A line of 4x4 can also be a row of 16x16.
    """
    return 10 * found >= 9 * lines if sides == {4} else 2 * found >= lines


def _grids(sample: Sample) -> tuple[Columns | None, list[list[str]]]:
    """Return the columns that the first line names, or None, and the grids of each line with some.

    Of columns these are the puzzles.
    """
    symbols_of = {side: alphabets.possible(side, sample.asked) for side in SIDES.values()}

    def is_grid(text: str) -> bool:
        return len(text) in SIDES and symbols_of[SIDES[len(text)]].issuperset(text)

    columns, grids = _grids_in_column(sample, is_grid)
    if columns is None:
        found = (find_grids(line.text, is_grid) for line in sample.body)
        grids = [[one.grid for one in of_line] for of_line in found if of_line]
    return columns, grids


def _grids_in_column(sample: Sample, is_grid: IsGrid) -> tuple[Columns | None, list[list[str]]]:
    numbers = {line.number for line in sample.content}
    first, *rest = (line.text for line in sample.lines if line.number in numbers)
    columns = None if find_grids(first, is_grid) else Columns.of(first)
    if columns is None:
        return None, []
    grids = [[grid] for line in rest if is_grid(grid := columns.puzzle_of(columns.fields(line)))]
    return (columns, grids) if grids else (None, [])
