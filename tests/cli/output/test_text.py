"""Answers as csv, jsonl, lines and grids."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from cli.output.row import COLUMNS, AnswerRow
from cli.output.text import write_csv, write_grid, write_jsonl, write_lines
from storage import tables
from tests.cli.answers import ALL, BEST, INVALID, NONE, TARGET, TIMEOUT, UNPROVEN
from worker.formats.source import open_source

Write = Callable[[Iterable[AnswerRow], io.StringIO], None]


def written(write: Write, answers: Iterable[AnswerRow]) -> str:
    out = io.StringIO()
    write(answers, out)
    return out.getvalue()


def test_the_columns_are_those_of_the_view() -> None:
    assert COLUMNS == tables.COLUMNS


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
    assert AnswerRow(**first) == TARGET
    assert second["score"] is None
    assert second["solution"] is None


def test_jsonl_without_answers_is_empty() -> None:
    assert written(write_jsonl, []) == ""


def test_lines_are_the_solution_or_the_status() -> None:
    lines = written(write_lines, [TARGET, NONE, TIMEOUT, INVALID, UNPROVEN]).splitlines()
    assert lines == [BEST, "none", "timeout", "invalid", BEST]


def test_written_grids_can_be_read_as_rows(tmp_path: Path) -> None:
    path = tmp_path / "grids.txt"
    path.write_text(written(write_grid, [TARGET, UNPROVEN, TARGET._replace(label="# a")]))
    with open_source(str(path)) as source:
        assert source.layout.format == "rows"
        assert [entry.text for entry in source] == [BEST, BEST, BEST]


def test_without_a_solution_the_puzzle_is_written_with_its_status() -> None:
    text = written(write_grid, [NONE])
    assert text.splitlines()[0] == f"# {NONE.id} · none"
    assert "".join(text.splitlines()[1:]) == NONE.puzzle


@pytest.mark.parametrize("write", [write_csv, write_jsonl, write_lines])
def test_answers_are_written_one_by_one(write: Write) -> None:
    out = io.StringIO()

    def answers() -> Iterator[AnswerRow]:
        yield TARGET
        assert BEST in out.getvalue()
        yield NONE

    write(answers(), out)
