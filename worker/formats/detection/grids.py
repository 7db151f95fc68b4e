"""Matches grids, one line each or with a line for each row, against the beginning of an input."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple

from worker.formats.detection import alphabets
from worker.formats.detection.alphabets import POSSIBLE, Alphabet
from worker.formats.detection.sample import Reading, Sample
from worker.formats.errors import FormatError
from worker.formats.files.text import Line
from worker.formats.layout import Layout, is_doubtful
from worker.formats.readers.columns import Columns
from worker.formats.readers.rows import cells_of, is_separator, one_by_one, read, spaced_cells
from worker.formats.readers.words import find_grids, is_prose
from worker.sudoku.symbols import BOXES, SIDES

#: sides of grids, the likeliest first
SIDES_BY_LIKELIHOOD = (9, 16, 6, 25, 12, 8, 10, 15, 20, 4)
#: the cells of a line that is a row of this side in these symbols; None if it is not
Split = Callable[[str, int, frozenset[str]], list[str] | None]


def match_lines(sample: Sample) -> Reading | None:
    """Match lines with a whole grid in each."""
    columns, of_lines = _grids(sample)
    found = sum(bool(grids) for _, grids in of_lines)
    others = sum(not (grids or is_prose(text, POSSIBLE[9], 9)) for text, grids in of_lines)
    grids = list(chain.from_iterable(grids for _, grids in of_lines))
    sides = Counter(SIDES[len(grid)] for grid in grids)
    # A line of 4x4 can also be a row of 16x16.
    is_likely = found >= 9 * others if set(sides) == {4} else found >= others
    if not grids or (sample.requested is None and not is_likely):
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
    )
    by_frequency = tuple(side for side, _ in sides.most_common())
    given = (found, by_frequency, sample.count)
    return Reading(layout, None, *given, columns=columns, doubt=alphabet.doubt)


def _grids(sample: Sample) -> tuple[Columns | None, list[tuple[str, list[str]]]]:
    """Return the columns that the first line names, and each line with its grids.

    With columns, the grids are the puzzles only.
    """
    symbols_of = {side: alphabets.possible(side, sample.requested) for side in SIDES.values()}

    def is_grid(text: str) -> bool:
        return len(text) in SIDES and symbols_of[SIDES[len(text)]].issuperset(text)

    numbers = {line.number for line in sample.content}
    first, *rest = (line.text for line in sample.lines if line.number in numbers)
    columns = None if find_grids(first, is_grid) else Columns.of(first, sample.roles)
    if columns is not None:
        puzzles = [(line, columns.puzzle_of(columns.fields(line))) for line in rest]
        of_lines = [(line, [puzzle] if is_grid(puzzle) else []) for line, puzzle in puzzles]
        if any(grids for _, grids in of_lines):
            return columns, of_lines
    found = ((line.text, find_grids(line.text, is_grid)) for line in sample.body)
    return None, [(text, [one.grid for one in grids]) for text, grids in found]


class GridRows(NamedTuple):
    """The lines of a sample, understood as rows of grids of one side."""

    sample: Sample
    side: int
    announced: int | None  #: the number of puzzles that the first line announces
    body: list[Line]  #: the lines that are neither that number nor separators
    found: int  #: how many of these are rows
    symbols: set[str]  #: the cells that occur; those of several characters are numbers


def match_rows(sample: Sample) -> Reading | None:
    """Match rows of n characters."""
    return _best_side(sample, "rows", _adjacent_cells)


def match_spaced(sample: Sample) -> Reading | None:
    """Match rows of n cells that are separated by spaces, commas, semicolons or frames."""
    return _best_side(sample, "spaced", _spaced_cells)


def match_beside(sample: Sample) -> Reading | None:
    """Match grids of several lines that stand beside each other, as on a page of two columns."""
    lines = list(one_by_one(sample.lines))
    if len(lines) == len(sample.lines):
        return None
    below = replace(sample, lines=lines)
    readings = filter(None, (match(below) for match in (match_rows, match_spaced)))
    reading = max(readings, key=lambda reading: reading.lines, default=None)
    if reading is None or reading.read is None:
        return None
    read_below = reading.read
    return reading._replace(read=lambda source: read_below(one_by_one(source)))


def _adjacent_cells(text: str, side: int, possible: frozenset[str]) -> list[str] | None:
    groups = text.replace("|", " ").split()
    cells = "".join(groups)
    if len(cells) != side or len(groups) not in {1, BOXES[side].height}:
        return None
    return list(cells) if possible.issuperset(cells) else None


def _spaced_cells(text: str, side: int, possible: frozenset[str]) -> list[str] | None:
    cells = cells_of(text, side)
    if not _has_boxes(text, side):
        return None
    if len(cells) != side or not all(c in possible or _is_value(c, side) for c in cells):
        return None
    return cells


def _has_boxes(text: str, side: int) -> bool:
    """Return whether bars separate nothing, the boxes of grids of this side, or all cells."""
    bars = text.count("|")
    parts = bars + 1 - text.startswith("|") - text.endswith("|")
    return parts in {1, BOXES[side].height, side} or bars + 1 == side


def _is_value(cell: str, side: int) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) <= 2 and int(cell) <= side


def _best_side(sample: Sample, shape: str, split: Split) -> Reading | None:
    possible = set().union(*(_lengths(line.text) for line in sample.content))
    sides = [side for side in SIDES_BY_LIKELIHOOD if side in possible]
    matches = (_match_side(sample, shape, split, side) for side in sides)
    return max(filter(None, matches), key=lambda reading: reading.lines, default=None)


def _lengths(text: str) -> set[int]:
    """Return the numbers of cells that a row may have: of its symbols, words or fields."""
    words = spaced_cells(text)
    counts = [text.count(sign) for sign in ",;|" if sign in text]
    fields = (count + more for count in counts for more in (-1, 1))
    return {len(words), sum(map(len, words)), *fields}


def _match_side(sample: Sample, shape: str, split: Split, side: int) -> Reading | None:
    rows = _rows(sample, split, side)
    if not rows.found or (sample.requested is None and not _are_likely_rows(rows)):
        return None
    single = {cell for cell in rows.symbols if len(cell) == 1}
    alphabet = alphabets.choose(sample, shape, side, single)
    ruled, doubt = _rules(rows)
    sizes = _block_sizes(rows)
    layout = Layout(
        alphabet.format,
        "sudoku",
        side,
        None if _is_numeric(alphabet, rows.symbols) else alphabet.symbols,
        shape=shape,
        counted=rows.announced is not None,
        apart=sum(size >= side for size in sizes) > 1,
        banded=set(sizes) in ({1}, {BOXES[side].height}),
        ruled=ruled,
    )
    doubt = doubt or (alphabet.doubt if single == rows.symbols else _zeros(rows))
    read_rows = partial(read, layout=layout)
    return Reading(layout, read_rows, rows.found, (side,), rows.announced, doubt=doubt)


def _rows(sample: Sample, split: Split, side: int) -> GridRows:
    possible = alphabets.possible(side, sample.requested)
    counted = sample.count is not None and not split(sample.content[0].text, side, possible)
    body, cells = [], []
    for line in sample.body if counted else sample.content:
        row = split(line.text, side, possible)
        if row is not None:
            cells.append(row)
            body.append(line)
        elif not (
            is_prose(line.text, possible, side) or is_separator(line.text, side, ruled=False)
        ):
            body.append(line)
    announced = sample.count if counted else None
    return GridRows(sample, side, announced, body, len(cells), set().union(*cells))


def _are_likely_rows(rows: GridRows) -> bool:
    """Return whether half of the lines are rows, and are not more likely to be whole 4x4 grids."""
    if 2 * rows.found < len(rows.body):
        return False
    could_be_4x4 = rows.side == 16 and POSSIBLE[4] >= rows.symbols
    return not could_be_4x4 or (rows.sample.complete and len(rows.body) % 16 == 0)


def _is_numeric(alphabet: Alphabet, symbols: set[str]) -> bool:
    """Return whether cells are whole numbers from 1: in spaced rows, unless letters occur."""
    if alphabet.format != "spaced":
        return False
    letters = any(map(str.isalpha, symbols - {"x", "X"}))
    return max(map(len, symbols)) > 1 or not (letters or "0" in alphabet.symbols[1:])


def _zeros(rows: GridRows) -> FormatError | None:
    """Return an error if numbers beyond 9x9 include 0, but other symbols are empty cells."""
    if not is_doubtful({"0" if cell == "00" else cell for cell in rows.symbols}):
        return None
    return FormatError(
        "0 can be an empty cell or a value, since other cells are empty by another symbol",
        line=rows.sample.body[0].number,
        remedy="write the values from 1, or choose --from spaced if 0 is an empty cell",
    )


def _rules(rows: GridRows) -> tuple[bool, FormatError | None]:
    """Return whether lines of n dashes are rules, and an error if they can also be empty rows.

    An interpretation is possible if all grids have n rows then, and there are as many grids as the
    first line announces.
    """
    side, announced = rows.side, rows.announced
    dashes = [line for line in rows.body if line.text == "-" * side]
    if not dashes:
        return False, None
    if not rows.sample.complete:
        return not any("-" in line.text for line in rows.body if line not in dashes), None
    wanted = None if announced is None else announced * side
    as_rows, as_rules = (
        number > 0 and number % side == 0 and wanted in {None, number}
        for number in (len(rows.body), len(rows.body) - len(dashes))
    )
    if as_rows and as_rules:
        return False, FormatError(
            f"a line of {side} dashes can be an empty row or a rule between two grids",
            line=dashes[0].number,
            remedy="write . for empty cells or ==== for rules, and choose --from rows",
        )
    return as_rules, None


def _block_sizes(rows: GridRows) -> list[int]:
    """Return the number of lines in each block between two separators."""
    numbers = {line.number for line in rows.body}
    lines = (line for line in rows.sample.lines if not line.text.lstrip().startswith("#"))
    blocks = groupby(lines, lambda line: line.number in numbers)
    return [len(list(block)) for is_of_rows, block in blocks if is_of_rows]
