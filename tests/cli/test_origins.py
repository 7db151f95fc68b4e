"""Answers name the input and the line from which their puzzles came."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Bullseye

GRID = "12...4.....3..2."
ROWS = "12..\n.4..\n...3\n..2.\n"
WANTED = [
    ("a.csv", 2, "a"),
    ("a.csv", 4, "b"),
    ("b.txt", 1, None),
    ("b.txt", 6, None),
    ("b.txt", 11, None),
]


@pytest.fixture
def solved(bullseye: Bullseye, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bullseye:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(f"puzzle,id\n{GRID},a\n\n{GRID},b\n")
    Path("b.txt").write_text("\n".join([ROWS] * 3))
    assert bullseye("solve", "a.csv", "b.txt").code == 0
    return bullseye


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_each_answer_of_several_inputs_has_its_source_and_line(solved: Bullseye, form: str) -> None:
    out = solved("results", "--columns", "source,line,label", "-f", form).out
    if form == "jsonl":
        found = [tuple(json.loads(line).values()) for line in out.splitlines()]
    else:
        each = [line.split(",") for line in out.splitlines()[1:]]
        found = [(source, int(line), label or None) for source, line, label in each]
    assert found == WANTED


def test_answers_are_selected_and_sorted_by_source_and_line(solved: Bullseye) -> None:
    chosen = solved("results", "--where", "source = 'b.txt' AND line > 1", "--columns", "line")
    assert chosen.out.splitlines() == ['{"line": 6}', '{"line": 11}']
    counted = solved("stats", "--by", "source", "--json").out
    assert [one["values"] for one in json.loads(counted)["groups"]] == [
        {"source": "a.csv"},
        {"source": "b.txt"},
    ]


def test_a_batch_of_one_input_has_one_row_for_all_its_lines(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "many, in one.txt"
    file.write_text(f"{GRID}\n" * 9000)
    assert bullseye("solve", file).code == 0
    assert bullseye("query", "SELECT line, step, source FROM origin", "-f", "csv").out == (
        "line,step,source\n1,1,\n"
    )
    for form, wanted in [("csv", f'"{file}",9000'), ("jsonl", f'"source": "{file}", "line": 9000')]:
        lines = bullseye("results", "--columns", "source,line", "-f", form).out.splitlines()
        assert wanted in lines[-1]
    bullseye("delete", "last", "--yes")
    assert bullseye("query", "SELECT count(*) AS n FROM origin", "-f", "csv").out == "n\n0\n"


def test_archived_answers_keep_their_source_and_line(solved: Bullseye, tmp_path: Path) -> None:
    assert solved("archive", "last", "--parquet", tmp_path / "archive").code == 0
    assert solved("query", "SELECT count(*) AS n FROM origin", "-f", "csv").out == "n\n0\n"
    found = solved("results", "--columns", "source,line,label").out.splitlines()
    assert [tuple(json.loads(line).values()) for line in found] == WANTED
