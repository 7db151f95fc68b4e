"""Turns spreadsheets (`.xlsx`, `.ods`) into lines of CSV, which are then read like those of a file.

Rows are read one by one.  A line has the number of its row, and the columns of the sheet from the
first to the last that is not empty, but a text that stands alone in its row is a line of its own.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import IO, Any, NamedTuple
from xml.etree import ElementTree as ET

from worker.formats.errors import FormatError, quoted
from worker.formats.files.text import HEAD_BYTES, one_line
from worker.formats.names import EXCEL, OPEN_DOCUMENT, PUZZLES
from worker.sudoku.symbols import SIDES

#: bounds of what is read: bytes of each part, as the archive declares them, and the size of a sheet
MAX_PART_BYTES = 512 << 20
MAX_COLUMNS, MAX_ROWS = 1024, 1 << 20
#: whole numbers of more digits are rounded
MAX_EXACT = 10**15
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
#: what parsing a damaged spreadsheet raises
DAMAGED = (ET.ParseError, KeyError, ValueError, TypeError, AttributeError, IndexError)


class Sheet(NamedTuple):
    """A sheet of a spreadsheet; its rows can be read several times."""

    name: str
    rows: Callable[[], Iterator[Sequence[str]]]


class Area(NamedTuple):
    """The columns of a sheet that are not empty, apart from texts that stand alone."""

    left: int
    right: int
    is_grid: bool  #: they are as many as a grid has, and have its cells


def lines(archive: zipfile.ZipFile) -> Iterator[bytes]:
    """Yield the rows of the sheet with puzzles as lines of CSV, many at a time.

    Raises FormatError if several sheets may have puzzles, or the file is damaged.
    """
    if any(part.file_size > MAX_PART_BYTES for part in archive.infolist()):
        what = f"is a spreadsheet with more than {MAX_PART_BYTES:,} bytes in a part"
        raise FormatError(what, remedy="save it as CSV")
    try:
        sheets = _excel(archive) if EXCEL in archive.namelist() else _open_document(archive)
        sheet, area = _chosen(sheets)
        yield from _csv(
            _with_empty_rows(sheet.rows(), area) if area.is_grid else sheet.rows(), area
        )
    except DAMAGED as error:
        what = f"is a spreadsheet that cannot be read ({type(error).__name__})"
        raise FormatError(what, remedy="save it again, or as CSV") from error


def _csv(rows: Iterable[Sequence[str]], area: Area) -> Iterator[bytes]:
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    for row in rows:
        if _is_alone(row):
            out.write(f"{''.join(row)}\n")
        else:
            write([*row[area.left : area.right], *[""] * (area.right - max(area.left, len(row)))])
        if out.tell() > HEAD_BYTES:
            yield out.getvalue().encode()
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode()


def _is_alone(row: Sequence[str]) -> bool:
    """Return whether a row is empty, or has one text that cannot be a cell of a grid."""
    used = [text for text in row if text]
    return not row or (not used and len(row) < 2) or (len(used) == 1 and len(used[0]) > 2)


def _with_empty_rows(rows: Iterable[Sequence[str]], area: Area) -> Iterator[Sequence[str]]:
    """Yield the rows of grids; empty ones within a grid get cells, those between grids get none.

    Raises FormatError if an empty row can be the last one of a grid, or the first of the next.
    """
    side = area.right - area.left
    grid, first = list[Sequence[str]](), 0
    for number, row in enumerate(rows, 1):
        if not grid and (_is_alone(row) or not any(row)):
            yield row if any(row) else ()
            continue
        first = first if grid else number
        grid.append(row if any(row) else [""] * area.right)
        if len(grid) == side:
            if not any(row) and first > 1:
                raise FormatError(
                    "has grids with rows of empty cells",
                    line=first,
                    remedy="write 0 into empty cells, so that the first row of a grid is known",
                )
            yield from grid
            grid = []
    missing = side - len(grid) if grid and first == 1 else 0
    yield from [*grid, *[[""] * area.right] * missing]


def _chosen(sheets: Iterable[Sheet]) -> tuple[Sheet, Area]:
    """Return the sheet with puzzles, and its area."""
    found, named = list[tuple[Sheet, Area]](), list[tuple[Sheet, Area]]()
    for sheet in sheets:
        area, header = _area(sheet)
        if header:
            found.append((sheet, area))
        if any(name.lower() in PUZZLES for name in header):
            named.append((sheet, area))
    some = named if len(named) == 1 else found
    if len(some) == 1:
        return some[0]
    if not some:
        raise FormatError("is an empty spreadsheet", remedy="give at least one puzzle")
    names = " and ".join(quoted(sheet.name) for sheet, _ in some[:2])
    what = f"has several sheets, such as {names}"
    raise FormatError(what, remedy="save the one with the puzzles as a file of its own")


def _area(sheet: Sheet) -> tuple[Area, list[str]]:
    """Return the area of a sheet, and the texts in its first row that is not empty, if any."""
    left, right, longest, header = MAX_COLUMNS, 0, 0, list[str]()
    for row in sheet.rows():
        used = [at for at, text in enumerate(row) if text]
        header = header or [row[at] for at in used]
        if used and not _is_alone(row):
            left, right = min(left, used[0]), max(right, used[-1] + 1)
            longest = max(longest, *(len(row[at]) for at in used), 0)
    return Area(left, right, longest <= 2 and right - left in SIDES.values()), header


def _excel(archive: zipfile.ZipFile) -> Iterator[Sheet]:
    try:
        from openpyxl import load_workbook  # noqa: PLC0415 # optional
    except ImportError as error:
        what = "is an Excel file, which needs openpyxl"
        raise FormatError(what, remedy="pip install 'bullseye[excel]'") from error
    file: Any = archive.fp
    book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # some programs write wrong ones

        def rows(sheet: Any = sheet) -> Iterator[Sequence[str]]:
            # With `max_col`, each row would have so many cells.
            for row in sheet.iter_rows(values_only=True, max_row=MAX_ROWS):
                yield [_text(value) for value in row[:MAX_COLUMNS]]

        yield Sheet(sheet.title, rows)


def _text(value: object) -> str:
    """Return a value as one line of text; a spreadsheet has no other numbers than floats.

    >>> _text(3.0), _text(8.1e80), _text(None), _text("53..7\\n6..195")
    ('3', '8.1e+80', '', '53..7 6..195')
    """
    if value is None:
        return ""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return str(int(value)) if value == value // 1 and abs(value) < MAX_EXACT else repr(value)
    return one_line(str(value))


def _open_document(archive: zipfile.ZipFile) -> Iterator[Sheet]:
    with archive.open(OPEN_DOCUMENT) as content:
        names = dict.fromkeys(name for name, _ in _rows(content))
    for name in names:

        def rows(wanted: str = name) -> Iterator[Sequence[str]]:
            with archive.open(OPEN_DOCUMENT) as content:
                yield from (row for name, row in _rows(content) if name == wanted)

        yield Sheet(name, rows)


def _rows(content: IO[bytes]) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of all sheets, each with the name of its sheet."""
    name, table, cells, number, empty = "", None, list[str](), 0, 0
    # Expat limits what entities expand to.
    for event, element in ET.iterparse(content, ("start", "end")):  # noqa: S314
        tag = element.tag
        if event == "start":
            if tag == f"{_TABLE}table":
                name, table = element.get(f"{_TABLE}name", ""), element
                number = empty = 0
            continue
        if tag in {f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"}:
            repeated = int(element.get(f"{_TABLE}number-columns-repeated", "1"))
            cells += [_value(element)] * min(repeated, MAX_COLUMNS - len(cells))
        elif tag == f"{_TABLE}table-row":
            repeated = int(element.get(f"{_TABLE}number-rows-repeated", "1"))
            while cells and not cells[-1]:
                cells.pop()
            if cells:  # rows at the end are left out: a file has a million
                yield from repeat((name, []), empty)
                yield from repeat((name, cells), min(repeated, MAX_ROWS - number))
                empty = 0
            else:
                empty += min(repeated, MAX_ROWS - number)
            number += min(repeated, MAX_ROWS - number)
            cells = []
            if table is not None:
                table.clear()


def _value(cell: ET.Element) -> str:
    if cell.get(f"{_OFFICE}value-type") in {"float", "percentage", "currency"}:
        return _text(float(cell.get(f"{_OFFICE}value", "nan")))
    return one_line(" ".join("".join(text.itertext()) for text in cell.iter(f"{_TEXT}p")))
