"""The errors for inputs whose format is ambiguous or unknown, with the --from that reads them."""

import re

from worker.formats.detection.sample import Sample
from worker.formats.errors import FormatError, quantity, quoted
from worker.formats.files.text import Line
from worker.formats.layout import EMPTY_SYMBOLS, EXPECTED_CELLS, FORMATS
from worker.formats.readers.matrix import matrix_row, matrix_size
from worker.formats.readers.rows import is_separator, spaced_cells
from worker.sudoku.symbols import BOXES, SIDES, VALUES

#: the values of grids beyond 9x9, by the alphabet that --from names; others are digits
VALUE_RANGES = {"letters": "values A to Y", "hex": "values 0-9A-O, . is empty"}
DIGIT_VALUES = "values 1-9A-P, 0 is empty"
#: a line of a grid with blanks for empty cells
BLANK_GRID = re.compile(r"[1-9 |]+")
#: characters of a row in which lines separate the boxes
FRAMED = frozenset(f"0{VALUES}{EMPTY_SYMBOLS} |")


def ambiguous(sample: Sample, first: str, second: str) -> FormatError:
    """Return the error for an input that two formats match."""
    flags = " or ".join(f"--from {name} ({FORMATS[name]})" for name in (first, second))
    line = sample.body[0]
    return FormatError(
        sample.name, f"{quoted(line.text)} is ambiguous", line=line.number, remedy=f"choose {flags}"
    )


def ambiguous_alphabet(sample: Sample, side: int, first: str, second: str) -> FormatError:
    """Return the error for grids beyond 9x9 whose symbols belong to two alphabets."""
    flags = " or ".join(
        f"--from {name} ({VALUE_RANGES.get(name, DIGIT_VALUES)})" for name in (first, second)
    )
    return FormatError(
        sample.name,
        f"the symbols of these {side}x{side} grids are ambiguous",
        line=sample.body[0].number,
        remedy=f"choose {flags}",
    )


def zero_or_empty(sample: Sample) -> FormatError:
    """Return the error for numbers among which 0 occurs beside another symbol of empty cells."""
    return FormatError(
        sample.name,
        "0 can be an empty cell or a value, since other cells are empty by another symbol",
        line=sample.body[0].number,
        remedy="write the values from 1, or choose --from spaced if 0 is an empty cell",
    )


def values_from_zero(sample: Sample, side: int) -> FormatError:
    """Return the error for grids with 0 and another symbol of empty cells, but not every value."""
    return FormatError(
        sample.name,
        f"the values can be 0 to {side - 1}, since other cells are empty by another symbol",
        line=sample.body[0].number,
        remedy=f"write the values from 1 to {side}, or . for every empty cell",
    )


def rule_or_row(sample: Sample, line: int, side: int) -> FormatError:
    """Return the error for a line of dashes as wide as the grid."""
    return FormatError(
        sample.name,
        f"a line of {side} dashes can be an empty row or a rule between two grids",
        line=line,
        remedy="write . for empty cells or ==== for rules, and choose --from rows",
    )


def reject_pencil_marks(sample: Sample) -> None:
    """Raise FormatError if cells contain candidates, as Simple Sudoku and SadMan write them."""
    lines = [line for line in sample.content if not is_separator(line.text, 9, ruled=False)]
    cells = [cell for line in lines for cell in spaced_cells(line.text)]
    if not cells or len(cells) % 81 or max(map(len, cells)) == 1:
        return
    if all(map(_are_candidates, cells)):
        raise FormatError(
            sample.name,
            "81 groups of digits are pencil marks, not a puzzle",
            line=lines[0].number,
            remedy="save the puzzle itself, with one digit or empty cell in each place",
        )


def _are_candidates(cell: str) -> bool:
    """Return whether the cell is a group of different digits in ascending order."""
    return set(cell) <= set("123456789") and list(cell) == sorted(set(cell))


def unknown(sample: Sample, *, numeric_cover: bool) -> FormatError:
    """Return the error for an input that no format matches.

    `numeric_cover`: it is an exact cover whose items are numbers.
    """
    line = sample.content[0]
    if numeric_cover:
        return FormatError(
            sample.name,
            "these numbers can be items or cells",
            line=line.number,
            remedy="choose --from dlx if this is an exact cover",
        )
    error = _tall_boxes(sample) or _matrix_of_another_size(sample)
    return error or _unknown_line(sample)


def _unknown_line(sample: Sample) -> FormatError:
    line = next((one for one in sample.content if not _has_length(one)), sample.content[0])
    cells = "".join(spaced_cells(line.text))
    what = f"no known format starts with {quoted(line.text)}"
    if set(cells) <= set("0123456789" + EMPTY_SYMBOLS):
        count = quantity(len(cells), "cell")
        what = f"{count}; a grid line has {EXPECTED_CELLS} cells, a row 4 to 25"
    remedy = f"choose a format with --from: {', '.join(FORMATS)}"
    texts = [line.text for line in sample.content]
    if all(map(BLANK_GRID.fullmatch, texts)) and " " in "".join(texts):
        remedy = "write . for each empty cell"
    return FormatError(sample.name, what, line=line.number, remedy=remedy)


def _tall_boxes(sample: Sample) -> FormatError | None:
    """Return an error if the rows are drawn with boxes that are higher than wide."""
    for line in sample.body:
        if is_separator(line.text, 9, ruled=True) or not set(line.text) <= FRAMED:
            continue
        boxes = line.text.strip("| ").split("|" if "|" in line.text else None)
        cells = {len("".join(box.split())) for box in boxes}
        shape = BOXES.get(len(boxes) * max(cells))
        if shape is not None and shape.height < shape.width == len(boxes) and len(cells) == 1:
            height, width = shape
            return FormatError(
                sample.name,
                f"this row has boxes of {height} cells, but boxes are {height} rows high and "
                f"{width} cells wide",
                line=line.number,
                remedy="transpose the grids, so that their columns become rows",
            )
    return None


def _has_length(line: Line) -> bool:
    return len("".join(spaced_cells(line.text))) in SIDES


def _matrix_of_another_size(sample: Sample) -> FormatError | None:
    first, *rest = sample.content
    header = matrix_size(first.text)
    row = matrix_row(rest[0].text) if rest else []
    if header is None or not row or not {"0", "1"}.issuperset(row):
        return None
    entries = quantity(len(row), "entry", "entries")
    what = f"this row has {entries}, but line {first.number} announces {header[1]}"
    return FormatError(sample.name, what, line=rest[0].number, remedy="correct one of them")
