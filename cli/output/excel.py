"""Rows of any columns as a spreadsheet of Excel, written row by row."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TextIO

from cli.output.destination import binary
from cli.output.rows import Row
from storage.errors import BadQuery
from storage.values import printable
from storage.view import COLUMNS

#: limits of Excel: rows of a sheet, and characters of a cell; longer numbers are rounded
MAX_ROWS, MAX_CHARACTERS = 1 << 20, 32_767
MAX_EXACT = 10**15


def write_excel(rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS) -> None:
    """Write a header and the rows, in several sheets if there are more than MAX_ROWS.

    Texts stay texts, also those that begin with `=`.  Raises BadQuery if one is too long.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    try:
        for part in _parts(rows):
            sheet = book.create_sheet()
            sheet.append(list(columns))
            for row in part:
                cells = zip(columns, row, strict=True)
                sheet.append([_cell(sheet, name, value) for name, value in cells])
        with binary(out) as file:
            book.save(file)
    except BaseException:
        for sheet in book.worksheets:
            sheet.close()  # else Python reports an error when it is freed
        raise


def _parts(rows: Iterable[Row]) -> Iterator[Iterator[Row]]:
    """Yield the rows of each sheet, one at least; they are to be read before the next."""
    each = iter(rows)
    yield islice(each, MAX_ROWS - 1)
    for row in each:
        yield chain([row], islice(each, MAX_ROWS - 2))


def _cell(sheet: Any, name: str, value: Any) -> Any:
    from openpyxl.cell import WriteOnlyCell

    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and abs(value) < MAX_EXACT:
        return value
    text = printable(str(value), keep="\n\t")
    if len(text) > MAX_CHARACTERS:
        what = f"the column {name} has a text of {len(text):,} characters"
        remedy = f"Excel stores {MAX_CHARACTERS:,}; leave it out with --columns, or use -f csv"
        raise BadQuery(what, remedy)
    made = WriteOnlyCell(sheet, text)
    made.data_type = "s"  # else a text that begins with `=` is a formula
    return made
