"""Users choose the columns of a table that Bullseye would not, or wrongly, recognise."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Bullseye

GRID, SOLUTION = "12...4.....3..2.", "1234341221434321"
OTHER = "1..............."
TABLE = f"clue string;puzzle;key;result;id\n{GRID};{OTHER};first;{SOLUTION};7\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    return file


def test_chosen_columns_take_the_place_of_those_with_usual_names(
    bullseye: Bullseye, file: Path
) -> None:
    chosen = ["--puzzle-column", "Clue String", "--solution-column", "result"]
    chosen += ["--label-column", "key"]
    assert bullseye("solve", file, *chosen, "--verify").code == 0
    (line,) = bullseye("results", "--columns", "puzzle,label,extra").out.splitlines()
    extra = {"puzzle": OTHER, "id": 7}
    assert json.loads(line) == {"puzzle": GRID, "label": "first", "extra": extra}
    shown = bullseye("solve", "-n", file, *chosen).out
    assert "puzzle `clue string`, solution `result`, label `key`, extra `puzzle` and `id`" in shown


def test_without_a_choice_the_usual_names_count(bullseye: Bullseye, file: Path) -> None:
    shown = bullseye("solve", "-n", file).out
    assert "puzzle `puzzle`, label `id`, extra `clue string` and `key` and `result`" in shown


def test_a_column_that_is_not_there_is_rejected_with_those_that_are(
    bullseye: Bullseye, file: Path
) -> None:
    result = bullseye("solve", file, "--puzzle-column", "grids")
    assert result.code == 65
    assert f"{file}: has no column `grids`; its columns are `clue string`, `puzzle`," in result.err


@pytest.mark.parametrize("text", [GRID, json.dumps({"puzzle": GRID})])
def test_columns_of_a_file_without_columns_cannot_be_chosen(
    bullseye: Bullseye, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(f"{text}\n{text}\n")
    result = bullseye("solve", file, "--label-column", "key")
    assert result.code == 65
    assert "has no line that names its columns; choose columns of CSV, Parquet" in result.err
