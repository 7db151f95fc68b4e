"""Workbooks of Excel and OpenDocument."""

import io
import sys
import zipfile
from collections.abc import Sequence

import pandas as pd
import pytest
from openpyxl import Workbook  # type: ignore[import-untyped] # its stubs are another package

from tests.worker.formats.reading import GRID, errors, read
from worker.formats.errors import FormatError
from worker.formats.files import workbook

ROWS = [GRID[at : at + 9] for at in range(0, 81, 9)]


def xlsx(*sheets: Sequence[Sequence[object]]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(list(row))
    book.save(out)
    return out.getvalue()


def test_a_table_of_puzzles_is_read() -> None:
    rows: list[list[object]] = [
        ["id", "puzzle", "rating", "source"],
        [7, GRID, 8.5, "a, b\nc"],
        ["b", GRID, 9, None],
    ]
    one, two = read(xlsx(rows))[1]
    assert (one.text, one.label, one.extra) == (GRID, "7", '{"rating":8.5,"source":"a, b c"}')
    assert (two.text, two.label, two.extra) == (GRID, "b", '{"rating":9}')


@pytest.mark.parametrize("empty", [None, 0, "."])
def test_a_grid_with_a_cell_for_each_cell_is_read(empty: object) -> None:
    rows = [[int(cell) if cell != "." else empty for cell in row] for row in ROWS]
    assert [entry.text for entry in read(xlsx(rows))[1]] == [GRID]


def test_empty_sheets_are_left_out() -> None:
    assert [entry.text for entry in read(xlsx([], [[GRID]], []))[1]] == [GRID]


def test_a_workbook_with_two_sheets_is_rejected() -> None:
    with pytest.raises(FormatError, match=r"is a workbook with 2 sheets \(Sheet, Sheet1\); save"):
        read(xlsx([[GRID]], [[GRID]]))


def test_a_number_that_excel_has_rounded_is_an_error_that_says_so() -> None:
    rows: list[list[object]] = [
        ["puzzle", "id"],
        [GRID, 1],
        [float(GRID.replace(".", "0")), 2],
        [GRID, 3],
    ]
    ((line, why),) = errors(xlsx(rows))
    assert (line, "a spreadsheet has rounded this number" in why) == (3, True)


def test_a_workbook_of_opendocument_is_read() -> None:
    content = (
        '<?xml version="1.0"?><office:document-content office:version="1.2"'
        ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
        '<office:spreadsheet><table:table table:name="a"><table:table-row>'
        f'<table:table-cell office:value-type="string"><text:p>{GRID}</text:p></table:table-cell>'
        "</table:table-row></table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    manifest = (
        '<?xml version="1.0"?><manifest:manifest'
        ' xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
    assert [entry.text for entry in read(out.getvalue())[1]] == [GRID]


def test_a_damaged_workbook_is_rejected() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    with pytest.raises(FormatError, match="is a workbook that cannot be read"):
        read(out.getvalue())


def test_a_workbook_that_unpacks_to_much_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MAX_BYTES", 1000)
    with pytest.raises(FormatError, match=r"is a workbook of [\d,]+ bytes; save the sheet as CSV"):
        read(xlsx([[GRID]]))


def test_without_the_package_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "worker.formats.files.workbook")
    monkeypatch.delattr("worker.formats.files.workbook")
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(FormatError, match=r"needs python_calamine; pip install 'bullseye\[xlsx\]'"):
        read(xlsx([[GRID]]))


def test_pandas_writes_what_is_read() -> None:
    out = io.BytesIO()
    pd.DataFrame({"puzzle": [GRID] * 3, "er": [8.5, 7.0, None]}).to_excel(out, index=False)
    assert [one.extra for one in read(out.getvalue())[1]] == ['{"er":8.5}', '{"er":7}', None]
