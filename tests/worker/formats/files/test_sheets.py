"""Spreadsheets are read like the tables and grids that they show."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape

import pytest
from openpyxl import Workbook

from tests.worker.formats.reading import GRID
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.source import source_of

Cells = Sequence[Sequence[object]]
ROWS = [
    [int(cell) if cell != "." else None for cell in GRID[at : at + 9]] for at in range(0, 81, 9)
]
Write = Callable[..., bytes]
NOTHING: list[object] = []


def excel(**sheets: Cells) -> bytes:
    book, out = Workbook(write_only=True), io.BytesIO()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(out)
    return out.getvalue()


def open_document(**sheets: Cells) -> bytes:
    """Return a file as LibreOffice writes it: repeated cells and rows are counted."""
    names = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    names += 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    names += 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    tables = "".join(
        f'<table:table table:name="{name}">{"".join(map(_row, rows))}'
        '<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>'
        for name, rows in sheets.items()
    )
    content = f"<office:document-content {names}><office:body><office:spreadsheet>{tables}"
    content += "</office:spreadsheet></office:body></office:document-content>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return out.getvalue()


def _row(values: Iterable[object]) -> str:
    return f"<table:table-row>{''.join(map(_cell, values))}</table:table-row>"


def _cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    text = escape(str(value))
    return f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"


def read(data: bytes) -> list[Entry]:
    return list(source_of("file", io.BytesIO(data)))


both = pytest.mark.parametrize("write", [excel, open_document])


@both
def test_a_table_is_read_by_the_names_of_its_columns(write: Write) -> None:
    table = [["id", "puzzle", "rating", "by"], [7, GRID, 8.3, "Anna, B"], [8, GRID, None, None]]
    one, two = read(write(Sheet1=table))
    assert (one.line, one.text, one.label, two.line, two.label) == (2, GRID, "7", 3, "8")
    assert json.loads(one.extra or "") == {"rating": 8.3, "by": "Anna, B"}
    assert two.extra is None


@both
@pytest.mark.parametrize(
    ("rows", "places"),
    [
        (ROWS, [1]),
        ([*ROWS, NOTHING, *ROWS], [1, 11]),
        ([*ROWS, *ROWS], [1, 10]),
        ([["Hard one"], NOTHING, *([None, None, *row] for row in ROWS)], [3]),
        ([[GRID], [GRID]], [1, 2]),
        ([["puzzle"], [GRID]], [2]),
        ([[GRID[:9]], *([GRID[at : at + 9]] for at in range(9, 81, 9))], [1]),
    ],
    ids=["cells", "apart", "below", "title", "texts", "named", "rows"],
)
def test_grids_are_read_however_they_are_laid_out(
    write: Write, rows: Cells, places: list[int]
) -> None:
    assert [(one.line, one.text, one.error) for one in read(write(a=rows))] == [
        (line, GRID, None) for line in places
    ]


@both
@pytest.mark.parametrize("empty", [3, 8])
def test_an_empty_row_within_a_grid_is_one_of_its_rows(write: Write, empty: int) -> None:
    rows = [row if at != empty else NOTHING for at, row in enumerate(ROWS)]
    wanted = GRID[: 9 * empty] + "." * 9 + GRID[9 * empty + 9 :]
    assert [one.text for one in read(write(a=rows))] == [wanted]


@both
def test_a_grid_whose_first_row_may_be_empty_is_rejected(write: Write) -> None:
    rows = [NOTHING, *ROWS[1:], NOTHING, NOTHING, *ROWS[1:]]
    with pytest.raises(FormatError, match="line 2: has grids with rows of empty cells; write 0"):
        read(write(a=rows))


@both
def test_the_sheet_with_a_column_of_puzzles_is_read(write: Write) -> None:
    (one,) = read(write(notes=[["made by", "Anna"]], p=[["id", "grid"], ["a", GRID]], c=[["x"]]))
    assert (one.text, one.label) == (GRID, "a")


@both
@pytest.mark.parametrize(
    ("sheets", "what"),
    [
        ({"a": []}, "is an empty spreadsheet; give at least one puzzle"),
        ({"a": [[GRID]], "b": [[GRID]]}, "has several sheets, such as `a` and `b`; save the one"),
        ({"a": [["puzzle"], [float(GRID.replace(".", "0"))]]}, "line 2: a spreadsheet has rounded"),
        ({"a": [["puzzle"], [12300400001234]]}, "line 2: a spreadsheet has dropped the zeros"),
    ],
)
def test_other_spreadsheets_are_rejected(write: Write, sheets: dict[str, Cells], what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read(write(**sheets))


@both
def test_a_cell_far_away_takes_neither_time_nor_memory(write: Write) -> None:
    if write is excel:
        data = excel(a=[[GRID, *[None] * 2000, "far"]])
        source = io.BytesIO(data)
        with zipfile.ZipFile(source, "a") as archive:
            name = "xl/worksheets/sheet1.xml"
            text = archive.read(name).decode()
        with zipfile.ZipFile(io.BytesIO(data)) as old:
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as new:
                for part in old.namelist():
                    changed = text.replace('r="1"', 'r="1000000"').replace("BXZ1", "XFD1000000")
                    new.writestr(part, changed if part == name else old.read(part))
        data = out.getvalue()
    else:
        data = open_document(a=[[GRID]])
    assert [one.text for one in read(data)] == [GRID]


def test_a_damaged_spreadsheet_is_one_error() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("content.xml", "<a><b>")
    with pytest.raises(FormatError, match="is a spreadsheet that cannot be read"):
        read(out.getvalue())
