"""Answers as a spreadsheet of Excel, read back with openpyxl and by Bullseye itself."""

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from cli.output import excel
from storage.errors import BadQuery
from tests.cli.conftest import Bullseye

PUZZLES = "puzzle,id,rating\n..123...........,=1+1,8.5\n1...............,007,\n"


def written(rows: list[list[object]], columns: list[str]) -> list[list[tuple[object, ...]]]:
    data = io.BytesIO()
    out = io.TextIOWrapper(data, encoding="utf-8", write_through=True)
    excel.write_excel(rows, out, columns)
    book = load_workbook(io.BytesIO(data.getvalue()))
    return [list(sheet.values) for sheet in book.worksheets]


def test_answers_can_be_read_again(bullseye: Bullseye, tmp_path: Path) -> None:
    file, book = tmp_path / "puzzles.csv", tmp_path / "answers.xlsx"
    file.write_text(PUZZLES)
    assert bullseye("solve", file).code == 0
    assert bullseye("results", "-o", book).code == 0
    header, one, two = load_workbook(book)["Sheet"].values
    at = {name: place for place, name in enumerate(header)}
    assert (one[at["puzzle"]], one[at["label"]]) == ("..123...........", "=1+1")
    assert (two[at["label"]], one[at["extra.rating"]], two[at["extra.rating"]]) == (
        "007",
        8.5,
        None,
    )
    columns = ("--columns", "id,label,puzzle")
    assert bullseye("results", *columns, "-o", book).code == 0
    assert bullseye("solve", book, "--label-column", "label").code == 0
    again = bullseye("results", "last", "--columns", "puzzle,label", "-f", "csv").out
    assert again.splitlines()[1:] == ["..123...........,=1+1", "1...............,007"]


def test_rows_beyond_the_limit_are_in_another_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "MAX_ROWS", 3)
    assert written([[1], [2], [3]], ["id"]) == [[("id",), (1,), (2,)], [("id",), (3,)]]


def test_long_numbers_are_texts_and_too_long_texts_are_errors() -> None:
    assert written([[10**15, -5, 0.5, "a\x00b"]], list("abcd")) == [
        [("a", "b", "c", "d"), (str(10**15), -5, 0.5, "a\ufffdb")]
    ]
    with pytest.raises(BadQuery, match="the column puzzle has a text of 32,768 characters"):
        written([["x" * 32_768]], ["puzzle"])
