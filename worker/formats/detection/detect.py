"""Detects the format of an input from its first lines.

For each format the lines that it can read are counted.  Exactly one format must match: if two do,
the input is rejected with both names, since a wrong guess would go unnoticed.  The file's name
only breaks ties.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from itertools import product, starmap

from worker.formats.detection import notations
from worker.formats.detection.grids import match_beside, match_lines, match_rows, match_spaced
from worker.formats.detection.sample import Match, Reader, Reading, Sample
from worker.formats.errors import FormatError, quantity, quoted
from worker.formats.files.cleaning import Blanks
from worker.formats.files.text import Line
from worker.formats.layout import CELL_SYMBOLS, EMPTY_SYMBOLS, EXPECTED_CELLS, FORMATS, Layout
from worker.formats.readers import judge, published
from worker.formats.readers.columns import Columns
from worker.formats.readers.covers import matrix_row, matrix_size, read_dlx
from worker.formats.readers.lines import AS_TEXT, CUT, ROUNDED
from worker.formats.readers.rows import is_separator, spaced_cells
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES

#: formats that the first line identifies
UNMISTAKABLE: dict[str, Match] = {
    "opensudoku": notations.match_opensudoku,
    "pace": notations.match_published,
    "ec": notations.match_published,
    "mps": notations.match_mps,
    **dict.fromkeys(published.NUMBERS, notations.match_numbers),
    "jsonl": notations.match_jsonl,
    "json": notations.match_json,
    "matrix": notations.match_matrix,
}
#: formats of grids that only their cells identify
GRIDS: dict[str, Match] = {"lines": match_lines, "rows": match_rows, "spaced": match_spaced}
DIGITS = frozenset("123456789")
#: a number as NumPy writes it to a text file unless told otherwise
FLOAT = re.compile(r"\d\.\d+e[+-]\d+")
#: symbols of grids with blanks and frames
BLANK_SYMBOLS = frozenset((" ", "|", *VALUES))
#: characters of a row in which lines separate the boxes
FRAMED = frozenset(f"0{VALUES}{EMPTY_SYMBOLS} |")


def detect(sample: Sample) -> Reading:
    """Return how to read the input, or raise FormatError if no format matches, or several do."""
    requested, named_dlx = sample.requested, sample.name.endswith(".dlx")
    if requested == "dlx":
        return Reading(Layout(requested, "cover"), read_dlx)
    if requested in judge.PROBLEMS:
        return Reading(Layout(requested, "cover"), partial(judge.read, format=requested))
    if requested in published.NUMBERS:
        return Reading(
            Layout(requested, "cover"), partial(published.read_numbers, format=requested)
        )
    if not sample.content:
        raise FormatError("no puzzle before `end`", remedy="give at least one puzzle")
    if requested == "matrix":
        return notations.requested_matrix(sample)
    if not named_dlx:
        _reject_pencil_marks(sample)
    if requested is not None:
        return _requested(sample, requested)
    unmistakable = filter(None, (match(sample) for match in UNMISTAKABLE.values()))
    reading = next(unmistakable, None) or _of_cells(sample, named_dlx=named_dlx)
    if reading.doubt is not None:
        raise reading.doubt
    return reading


def _requested(sample: Sample, requested: str) -> Reading:
    """Return how to read the input with this --from, or raise FormatError."""
    if requested in GRIDS:
        readings = _grids(sample.plain, [GRIDS[requested]])
    elif requested in UNMISTAKABLE:
        readings = [UNMISTAKABLE[requested](sample)]
    else:  # an alphabet
        grids = _grids(sample.plain, GRIDS.values())
        readings = [notations.match_jsonl(sample), notations.match_json(sample), *grids]
    best = max(filter(None, readings), key=lambda reading: reading.lines, default=None)
    if best is None:
        raise FormatError(
            f"nothing here is in the format `{requested}` ({FORMATS[requested]})",
            line=sample.content[0].number,
            remedy="omit --from to detect the format",
        )
    return best


def _of_cells(sample: Sample, *, named_dlx: bool) -> Reading:
    """Return how to read an input of grids or of an exact cover, or raise FormatError."""
    cover = notations.match_dlx(sample, numeric=named_dlx)
    if cover is not None and named_dlx:
        return cover
    if not sample.plain.content:
        raise FormatError("contains nothing but markup", remedy="give a puzzle")
    readings = [cover, *_grids(sample.plain, GRIDS.values())]
    return _only(sample.plain, [reading for reading in readings if reading is not None])


def _grids(plain: Sample, matches: Collection[Match]) -> list[Reading | None]:
    """Return the readings as grids; if none reads as many lines, that of grids with blanks."""
    readings = [match(plain) for match in matches]
    most = max((reading.lines for reading in readings if reading is not None), default=0)
    blanks = _blanks(plain, matches) if most < len(plain.body) else None
    return readings if blanks is None or blanks.lines <= most else [blanks]


def _blanks(sample: Sample, matches: Collection[Match]) -> Reading | None:
    """Match grids whose only symbol of an empty cell is a blank, if they can be read in one way.

    All rows must fit, and at least half of them must have a blank before a value.
    """
    content = sample.content
    if 2 * sum(BLANK_SYMBOLS.issuperset(line.text) for line in content) < len(content):
        return None
    found: dict[tuple[str, ...], Reading] = {}
    for blanks in starmap(Blanks, product(SIDES.values(), (False, True))):
        lines = [Line(number, blanks.filled_line(text)) for number, text in sample.lines]
        reading = _match_blanks(sample, lines, blanks, matches) if blanks.side > 4 else None
        if reading is not None:
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
    for match in (one for one in (match_rows, match_lines) if one in matches):
        found = match(replace(sample, lines=lines))
        if found is None or found.sides != (blanks.side,) or found.lines < len(filled):
            continue
        if match is match_lines or found.lines % blanks.side == 0 or not sample.complete:
            return found._replace(blanks=blanks)
    return None


def _only(sample: Sample, readings: list[Reading]) -> Reading:
    """Return the reading with most lines, or raise FormatError.

    FormatError if there is no reading, or another one reads more than half as many lines.
    """
    matrix = notations.match_bare_matrix(sample)
    if not readings and (reading := match_beside(sample)) is not None:
        return reading
    if not readings:
        if notations.match_dlx(sample, numeric=True) is not None:
            raise FormatError(
                "these numbers can be items or cells",
                line=sample.content[0].number,
                remedy="choose --from dlx if this is an exact cover",
            )
        if matrix is None:
            raise (
                _tall_boxes(sample)
                or _matrix_of_another_size(sample)
                or notations.of_another_program(sample)
                or _rounded(sample)
                or _judge_problem(sample)
                or _unknown(sample)
            )
        return matrix
    best = max(readings, key=lambda reading: reading.lines)
    layout = best.layout
    for other in readings:
        if other is not best and 2 * other.lines > best.lines:
            raise _ambiguous(sample, layout.format, other.layout.format)
    symbols = set("".join(line.text for line in sample.body)) - set(" \t,;|")
    if layout.kind == "sudoku" and "1" in symbols and symbols <= {"0", "1"}:
        lacks_rows = layout.shape != "lines" and sample.complete and best.lines % best.sides[0]
        if matrix is not None and lacks_rows:
            return matrix
        raise _ambiguous(sample, layout.format, "matrix")
    return best


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
    if all(list(cell) == sorted(DIGITS.intersection(cell)) for cell in cells):
        raise FormatError(
            "81 groups of digits are pencil marks, not a puzzle",
            line=lines[0].number,
            remedy="save the puzzle itself, with one digit or empty cell in each place",
        )


def _unknown(sample: Sample) -> FormatError:
    """Return the error for an input that no format matches: the first line that is no grid."""
    joined = [(line, "".join(spaced_cells(line.text))) for line in sample.content]
    line, cells = next((one for one in joined if len(one[1]) not in SIDES), joined[0])
    what = f"no known format starts with {quoted(line.text)}"
    if all(map(FLOAT.fullmatch, line.text.split())):
        remedy = "write whole numbers, as numpy.savetxt(FILE, a, fmt='%d') does"
        return FormatError("these numbers have exponents", line=line.number, remedy=remedy)
    if len(cells) in SIDES:
        what = f"the {len(cells)} cells of this line are in {len(line.text.split())} words"
        return FormatError(what, line=line.number, remedy="write them without spaces")
    if CELL_SYMBOLS.issuperset(cells):
        count = quantity(len(cells), "cell")
        what = f"{count}; a grid line has {EXPECTED_CELLS} cells, a row 4 to 25"
    remedy = f"choose a format with --from: {', '.join(FORMATS)}"
    symbols = set().union(*(line.text for line in sample.content))
    if " " in symbols and symbols <= {" ", "|", *DIGITS}:
        remedy = "write . for each empty cell"
    return FormatError(what, line=line.number, remedy=remedy)


def _rounded(sample: Sample) -> FormatError | None:
    """Return an error if a spreadsheet took the first grid of a column for a number."""
    columns = Columns.of(sample.content[0].text, sample.roles)
    for line in sample.content[columns is not None :][:2]:
        grid = line.text if columns is None else columns.puzzle_of(columns.fields(line.text))
        if ROUNDED.fullmatch(grid):
            what = "a spreadsheet has rounded the numbers in the column of the puzzles"
            return FormatError(what, line=line.number, remedy=AS_TEXT)
        if CUT.fullmatch(grid):
            what = "a spreadsheet has dropped the zeros at the beginning of the puzzles"
            return FormatError(what, line=line.number, remedy=AS_TEXT)
    return None


def _judge_problem(sample: Sample) -> FormatError | None:
    """Return an error if the sample is the whole input of a judge problem, or of one of several."""
    if not sample.complete:
        return None
    readers = {name: partial(judge.read, format=name) for name in judge.PROBLEMS}
    readers |= {name: partial(published.read_numbers, format=name) for name in published.NUMBERS}
    found = [name for name, read in readers.items() if _is_input(sample, read)]
    if not found:
        return None
    flags = " or ".join(f"--from {name} ({FORMATS[name]})" for name in found)
    what = "these numbers can be the input of a judge problem or a published cover"
    return FormatError(what, line=sample.content[0].number, remedy=f"choose {flags}")


def _is_input(sample: Sample, read: Reader) -> bool:
    entries = list(read(iter(sample.lines)))
    return bool(entries) and not any(entry.error for entry in entries)


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


def _matrix_of_another_size(sample: Sample) -> FormatError | None:
    first, *rest = sample.content
    header = matrix_size(first.text)
    row = matrix_row(rest[0].text) if rest else []
    if header is None or not row or not {"0", "1"}.issuperset(row):
        return None
    entries = quantity(len(row), "entry", "entries")
    what = f"this row has {entries}, but line {first.number} announces {header[1]}"
    return FormatError(what, line=rest[0].number, remedy="correct one of them")
