"""Detects the format of an input from its first lines.

For each format the lines that it can read are counted.  Exactly one format must match: if two do,
the input is rejected with both names, since a wrong guess would go unnoticed.  The file's name
only breaks ties.
"""

import re
from collections.abc import Collection
from dataclasses import replace

from worker.formats.detection.grids import match_lines, match_rows, match_spaced
from worker.formats.detection.notations import (
    match_bare_matrix,
    match_dlx,
    match_json,
    match_jsonl,
    match_matrix,
    match_opensudoku,
    requested_matrix,
)
from worker.formats.detection.sample import Match, Reading, Sample
from worker.formats.errors import FormatError, quantity, quoted
from worker.formats.files.cleaning import Blanks
from worker.formats.files.text import Line
from worker.formats.layout import EMPTY_SYMBOLS, EXPECTED_CELLS, FORMATS, Layout
from worker.formats.readers.covers import matrix_row, matrix_size
from worker.formats.readers.judge import PROBLEMS
from worker.formats.readers.rows import is_separator, spaced_cells
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES

#: what finds out each format whose name --from takes; `dlx` and the judges' are not in the table
MATCHES: dict[str, Match] = {
    "opensudoku": match_opensudoku,
    "jsonl": match_jsonl,
    "json": match_json,
    "matrix": match_matrix,
    "lines": match_lines,
    "rows": match_rows,
    "spaced": match_spaced,
}
#: formats that the first line identifies
UNMISTAKABLE = ("opensudoku", "jsonl", "json", "matrix")
#: formats of grids that only their cells identify
GRIDS = ("lines", "rows", "spaced")
#: symbols of grids with blanks and frames
BLANK_SYMBOLS = frozenset((" ", "|", *VALUES))
#: a line of a grid with blanks for empty cells
BLANK_GRID = re.compile(r"[1-9 |]+")
#: characters of a row in which lines separate the boxes
FRAMED = frozenset(f"0{VALUES}{EMPTY_SYMBOLS} |")


def detect(sample: Sample) -> Reading:
    """Return how to read the input, or raise FormatError if no format matches, or several do."""
    if sample.requested in PROBLEMS:
        return Reading(Layout(sample.requested, "cover"))
    if not sample.content and sample.requested != "dlx":
        raise FormatError("no puzzle before `end`", remedy="give at least one puzzle")
    named_dlx = sample.name.endswith(".dlx")
    if not named_dlx and sample.requested not in {"dlx", "matrix"}:
        _reject_pencil_marks(sample)
    if sample.requested is not None:
        return _requested(sample, sample.requested)
    for name in UNMISTAKABLE:
        if (reading := MATCHES[name](sample)) is not None:
            return _undoubted(reading)
    cover = match_dlx(sample, numeric=named_dlx)
    if cover is not None and named_dlx:
        return cover
    if not sample.plain.content:
        raise FormatError("contains nothing but markup", remedy="give a puzzle")
    readings = [cover, *_grids(sample.plain, GRIDS)]
    return _only(sample.plain, [reading for reading in readings if reading is not None])


def _requested(sample: Sample, requested: str) -> Reading:
    """Return how to read the input with this --from, or raise FormatError."""
    if requested == "dlx":
        return Reading(Layout("dlx", "cover"))
    if requested == "matrix":
        return requested_matrix(sample)
    if requested in GRIDS:
        readings = _grids(sample.plain, (requested,))
    elif requested in UNMISTAKABLE:
        readings = [MATCHES[requested](sample)]
    else:  # an alphabet
        readings = [match_jsonl(sample), match_json(sample), *_grids(sample.plain, GRIDS)]
    matching = [reading for reading in readings if reading is not None]
    if not matching:
        raise FormatError(
            f"nothing here is in the format `{requested}` ({FORMATS[requested]})",
            line=sample.content[0].number,
            remedy="omit --from to detect the format",
        )
    return max(matching, key=lambda reading: reading.lines)


def _grids(plain: Sample, names: Collection[str]) -> list[Reading | None]:
    """Return the readings as grids; if none reads as many lines, that of grids with blanks."""
    matches = [MATCHES[name] for name in names]
    readings = [match(plain) for match in matches]
    most = max((reading.lines for reading in readings if reading is not None), default=0)
    blanks = _blanks(plain, matches) if most < len(plain.body) else None
    return readings if blanks is None or blanks.lines <= most else [blanks]


def _blanks(sample: Sample, matches: Collection[Match]) -> Reading | None:
    """Match grids whose only symbol of an empty cell is a blank, if they can be read in one way.

    `matches` are the shapes of grids that are wanted: `match_rows`, `match_lines` or both.

    All rows must fit, and at least half of them must have a blank before a value.
    """
    content = sample.content
    if 2 * sum(BLANK_SYMBOLS.issuperset(line.text) for line in content) < len(content):
        return None
    found: dict[tuple[str, ...], Reading] = {}
    for side in SIDES.values():
        for apart in (False, True):
            blanks = Blanks(side, apart)
            lines = [Line(number, blanks.filled_line(text)) for number, text in sample.lines]
            if side > 4 and (reading := _match_blanks(sample, lines, blanks, matches)) is not None:
                found.setdefault(tuple(line.text for line in lines), reading)
    return found.popitem()[1] if len(found) == 1 else None


def _match_blanks(
    sample: Sample, lines: list[Line], blanks: Blanks, matches: Collection[Match]
) -> Reading | None:
    filled = [
        now.text
        for now, before in zip(lines, sample.lines, strict=True)
        if now.text != before.text and EMPTY in now.text
    ]
    if not blanks.apart and all(set(text[1::2]) == {EMPTY} for text in filled):
        return None  # these are spaces between cells
    if not filled or 2 * sum(EMPTY in text.rstrip(EMPTY) for text in filled) < len(filled):
        return None
    for match in filter(matches.__contains__, (match_rows, match_lines)):
        found = match(replace(sample, lines=lines))
        if found is None or found.sides != (blanks.side,) or found.lines < len(filled):
            continue
        if match is match_lines or found.lines % blanks.side == 0 or not sample.complete:
            return found._replace(blanks=blanks)
    return None


def _can_be_grids(sample: Sample, reading: Reading) -> bool:
    """Return whether an input may have all rows of its grids."""
    is_row = reading.layout.shape != "lines"
    return not (is_row and sample.complete and reading.lines % reading.sides[0])


def _only(sample: Sample, readings: list[Reading]) -> Reading:
    """Return the reading with most lines, or raise FormatError.

    FormatError if there is no reading, or another one reads more than half as many lines.
    """
    matrix = match_bare_matrix(sample)
    if not readings:
        is_cover = match_dlx(sample, numeric=True) is not None
        if matrix is None or is_cover:
            raise _unknown(sample, numeric_cover=is_cover)
        return matrix
    best = max(readings, key=lambda reading: reading.lines)
    layout = best.layout
    for other in readings:
        if other is not best and 2 * other.lines > best.lines:
            raise _ambiguous(sample, layout.format, other.layout.format)
    symbols = set("".join(line.text for line in sample.body)) - set(" \t,;|")
    if layout.kind == "sudoku" and "1" in symbols and symbols <= {"0", "1"}:
        if matrix is not None and not _can_be_grids(sample, best):
            return matrix
        raise _ambiguous(sample, layout.format, "matrix")
    return _undoubted(best)


def _undoubted(reading: Reading) -> Reading:
    if reading.doubt is not None:
        raise reading.doubt
    return reading


def _ambiguous(sample: Sample, first: str, second: str) -> FormatError:
    """Return the error for an input that two formats match."""
    flags = " or ".join(f"--from {name} ({FORMATS[name]})" for name in (first, second))
    line = sample.body[0]
    what = f"{quoted(line.text)} is ambiguous"
    return FormatError(what, line=line.number, remedy=f"choose {flags}")


def _reject_pencil_marks(sample: Sample) -> None:
    """Raise FormatError if cells contain candidates, as Simple Sudoku and SadMan write them."""
    lines = [line for line in sample.content if not is_separator(line.text, 9, ruled=False)]
    cells = [cell for line in lines for cell in spaced_cells(line.text)]
    if not cells or len(cells) % 81 or max(map(len, cells)) == 1:
        return
    if all(map(_are_candidates, cells)):
        raise FormatError(
            "81 groups of digits are pencil marks, not a puzzle",
            line=lines[0].number,
            remedy="save the puzzle itself, with one digit or empty cell in each place",
        )


def _are_candidates(cell: str) -> bool:
    """Return whether the cell is a group of different digits in ascending order."""
    return set(cell) <= set("123456789") and list(cell) == sorted(set(cell))


def _unknown(sample: Sample, *, numeric_cover: bool) -> FormatError:
    """Return the error for an input that no format matches.

    `numeric_cover`: it is an exact cover whose items are numbers.
    """
    line = sample.content[0]
    if numeric_cover:
        return FormatError(
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
    return FormatError(what, line=line.number, remedy=remedy)


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
    return FormatError(what, line=rest[0].number, remedy="correct one of them")
