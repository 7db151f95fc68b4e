"""Turns the sheets of an Excel or OpenDocument workbook into lines of CSV."""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from worker.formats.errors import FormatError, excerpt

#: greatest size of all files in the archive, which are unpacked in memory
MAX_BYTES = 256 << 20
#: rows that become text at a time
ROWS_AT_A_TIME = 1000


def lines(archive: zipfile.ZipFile, content: BinaryIO) -> Iterator[bytes]:
    """Yield the rows of the only sheet that is not empty.

    Raises FormatError if there is another one, or the workbook is damaged or too large.
    """
    size = sum(info.file_size for info in archive.infolist())
    if size > MAX_BYTES:
        raise FormatError(f"is a workbook of {size:,} bytes", remedy="save the sheet as CSV")
    content.seek(0)
    try:
        book = CalamineWorkbook.from_filelike(content)
        sheets = [book.get_sheet_by_name(name) for name in book.sheet_names]
        filled = [sheet for sheet in sheets if sheet.height]
    except CalamineError as error:
        what = f"is a workbook that cannot be read ({excerpt(str(error))})"
        raise FormatError(what, remedy="save it again, or save the sheet as CSV") from error
    if len(filled) > 1:
        names = ", ".join(excerpt(sheet.name, 40) for sheet in filled[:3])
        what = f"is a workbook with {len(filled)} sheets ({names})"
        raise FormatError(what, remedy="save one of them as a file of its own")
    for sheet in filled:
        yield from _rows(sheet)


def _rows(sheet: CalamineSheet) -> Iterator[bytes]:
    each = sheet.iter_rows()
    while rows := list(islice(each, ROWS_AT_A_TIME)):
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(map(_cells, rows))
        yield out.getvalue().encode()


def _cells(row: Sequence[Any]) -> list[str]:
    """Return the cells of a row as text.

    >>> _cells([5.0, "", 8.5, "a\\nb", True])
    ['5', '', '8.5', 'a b', 'True']
    """
    return [
        str(int(cell))
        if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15
        else " ".join(str(cell).splitlines())
        for cell in row
    ]
