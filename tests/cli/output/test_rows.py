"""Rows of any columns as csv, tsv, json, jsonl and md."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.output.rows import write_csv, write_json, write_jsonl, write_markdown
from cli.output.text import write_lines
from cli.output.writers import COLUMN_WRITERS
from storage.view import COLUMNS, AnswerRow
from tests.cli.answers import ALL, BEST, NONE, TARGET

Write = Callable[..., None]

write_tsv: Write = COLUMN_WRITERS["tsv"]


def written(write: Write, rows: Iterable[Any], *columns: Iterable[str]) -> str:
    out = io.StringIO()
    write(rows, out, *columns)
    return out.getvalue()


def test_csv_has_a_header_and_all_columns() -> None:
    lines = list(csv.DictReader(io.StringIO(written(write_csv, ALL))))
    assert [int(line["id"]) for line in lines] == [answer.id for answer in ALL]
    assert tuple(lines[0]) == COLUMNS
    assert lines[0]["ms"] == "0.6123"


def test_csv_without_answers_is_a_header() -> None:
    assert written(write_csv, []) == ",".join(COLUMNS) + "\n"


def test_in_csv_null_is_empty() -> None:
    line = next(csv.DictReader(io.StringIO(written(write_csv, [NONE]))))
    assert (line["solution"], line["score"], line["label"]) == ("", "", "")


def test_a_label_with_commas_and_line_ends_survives_csv() -> None:
    label = 'a,"b"\nc'
    line = next(csv.DictReader(io.StringIO(written(write_csv, [TARGET._replace(label=label)]))))
    assert line["label"] == label


def test_in_jsonl_values_keep_their_types() -> None:
    first, second = map(json.loads, written(write_jsonl, [TARGET, NONE]).splitlines())
    assert tuple(first) == COLUMNS
    assert AnswerRow._make(first.values()) == TARGET
    assert second["score"] is None
    assert second["solution"] is None


def test_jsonl_without_answers_is_empty() -> None:
    assert written(write_jsonl, []) == ""


#: a value of each type that a query returns, and its JSON
VALUES = {
    None: "null",
    7: "7",
    2.5: "2.5",
    float("inf"): "null",
    Decimal("3.50"): "3.50",
    'näher "1"': '"näher \\"1\\""',
    b"\xff": '"ff"',
    True: "true",
    date(2026, 11, 22): '"2026-11-22"',
}


def test_json_has_a_form_for_each_type_of_value() -> None:
    row = list(VALUES)
    names = [str(number) for number in range(len(row))]
    expected = ", ".join(
        f'"{name}": {text}' for name, text in zip(names, VALUES.values(), strict=True)
    )
    assert written(write_jsonl, [row], names) == "{" + expected + "}\n"


def test_json_is_one_array_with_an_answer_on_each_line() -> None:
    text = written(write_json, ALL)
    assert [AnswerRow._make(answer.values()) for answer in json.loads(text)] == list(ALL)
    assert len(text.splitlines()) == len(ALL) + 2
    assert json.loads(written(write_json, [])) == []


#: text of labels and names of columns; before Python 3.13, `csv` does not quote a lone CR
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=9)


@given(
    st.lists(st.lists(TEXT, min_size=2, max_size=2)),
    st.lists(TEXT, min_size=2, max_size=2, unique=True),
)
def test_any_text_is_read_back_from_json_csv_and_tsv(
    rows: list[list[str]], names: list[str]
) -> None:
    assert [list(row.values()) for row in json.loads(written(write_json, rows, names))] == rows
    for write, separator in ((write_csv, ","), (write_tsv, "\t")):
        text = io.StringIO(written(write, rows, names), newline="")
        assert list(csv.reader(text, delimiter=separator)) == [names, *rows]


def test_a_markdown_table_escapes_what_would_end_a_cell() -> None:
    rows = [["a|b", 1], ["c\nd\\", None]]
    assert written(write_markdown, rows, ["label", "n"]) == (
        "| label | n |\n| --- | --- |\n| a\\|b | 1 |\n| c<br>d\\\\ |  |\n"
    )


@pytest.mark.parametrize(
    "write", [write_csv, write_tsv, write_json, write_jsonl, write_markdown, write_lines]
)
def test_answers_are_written_one_by_one(write: Write) -> None:
    out = io.StringIO()

    def answers() -> Iterator[AnswerRow]:
        yield TARGET
        assert BEST in out.getvalue()
        yield NONE

    write(answers(), out)
