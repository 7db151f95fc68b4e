"""Every output has the symbols of the file that a grid was read from."""

import csv
import json
import re
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow.parquet import read_table

from cli.output.answers import FileSymbols
from storage.database import read, write
from storage.queries.answers import select_answers
from storage.tables import solution
from storage.view import AnswerRow
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Database
from tests.sudoku import SYMBOLS, grids
from worker.formats.source import open_source

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
#: for each alphabet the side of its grids, the symbols, and a value of --from if it is needed
ALPHABETS: dict[str, tuple[int, str, str | None]] = {
    "digits": (16, SYMBOLS[:16], None),
    "small digits": (16, SYMBOLS[:16].lower(), None),
    "hex": (16, "0123456789ABCDEF", None),
    "small hex": (16, "0123456789abcdef", None),
    "letters": (16, LETTERS[:16], None),
    "25x25 letters": (25, LETTERS, None),
    "25x25 digits": (25, SYMBOLS, None),
    "9x9 letters": (9, LETTERS[:9], "letters"),
}


class File:
    """A file of solved and unsolved grids, and how it was read."""

    def __init__(self, alphabet: str, seed: int, path: Path) -> None:
        side, symbols, asked = ALPHABETS[alphabet]
        table = str.maketrans(SYMBOLS[: len(symbols)], symbols)
        full = list(islice(grids(seed, side**2, side), 3))
        clued = [
            "".join(s if (at + seed) % 4 else "." for at, s in enumerate(grid)) for grid in full
        ]
        self.solutions = [grid.translate(table) for grid in full]
        self.puzzles = [grid.translate(table) for grid in clued]
        path.write_text("".join(f"{grid}\n" for grid in self.puzzles))
        with open_source(str(path), asked) as source:
            self.layout, stored = source.layout, [entry.text for entry in source]
        self.answers = [
            UNIQUE._replace(puzzle=puzzle, solution=grid, size=side)
            for puzzle, grid in zip(stored, full, strict=True)
        ]


def store(database: Database, files: list[File]) -> int:
    """Store a batch of these files."""
    inputs: list[dict[str, Any]] = []
    answers: list[AnswerRow] = []
    for file in files:
        first, count = len(answers) + 1, len(file.answers)
        layout = asdict(file.layout)
        inputs.append({"name": "f", "first": first, "count": count, "layout": layout})
        answers += file.answers
    return database.store(answers, inputs=inputs)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(st.sampled_from(sorted(ALPHABETS)), min_size=1), max_size=3), st.data())
def test_each_grid_has_the_symbols_of_its_own_file(
    database: Database, tmp_path: Path, names: list[list[str]], data: st.DataObject
) -> None:
    expected: dict[tuple[int, int], tuple[str, str]] = {}
    for some in names:
        files = [File(one, data.draw(st.integers(0, 9)), tmp_path / "grids.txt") for one in some]
        batch = store(database, files)
        grids = [pair for file in files for pair in zip(file.puzzles, file.solutions, strict=True)]
        expected |= {(batch, at): pair for at, pair in enumerate(grids, start=1)}
    with read(database.engine) as connection:
        symbols = FileSymbols(connection, None)
        rows = symbols.rows(select_answers(connection, sort=["-id"]))
        found = {(row.batch, row.position): row for row in rows}
    for place, pair in expected.items():
        assert (found[place].puzzle, found[place].solution) == pair


@pytest.fixture
def hex_file(database: Database, tmp_path: Path) -> File:
    file = File("hex", 1, tmp_path / "hex.txt")
    assert store(database, [file]) == 1
    return file


def test_every_format_of_results_has_them(
    bullseye: Bullseye, hex_file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def results(chosen: str) -> str:
        return bullseye("results", 1, "-f", chosen).out

    lines = "".join(f"{grid}\n" for grid in hex_file.solutions)
    assert results("lines") == results("judge") == lines
    for rows in (
        list(csv.DictReader(results("csv").splitlines())),
        [json.loads(line) for line in results("jsonl").splitlines()],
    ):
        assert [row["puzzle"] for row in rows] == hex_file.puzzles
        assert [row["solution"] for row in rows] == hex_file.solutions
    assert "".join(re.findall("^[0-9A-F]{16}$", results("grid"), re.MULTILINE)) == "".join(
        hex_file.solutions
    )
    monkeypatch.setenv("COLUMNS", "400")
    assert [line.split()[-1] for line in results("table").splitlines()[1:]] == hex_file.solutions
    assert bullseye("results", 1, "--template", "{solution}").out == lines
    assert bullseye("results", "-f", "parquet", "-o", "some.parquet").code == 0
    table = read_table(tmp_path / "some.parquet").to_pydict()
    assert (table["puzzle"], table["solution"]) == (hex_file.puzzles, hex_file.solutions)


@pytest.mark.parametrize("chosen", ["csv", "jsonl", "json", "lines"])
def test_what_is_written_is_read_as_the_same_grids(
    bullseye: Bullseye, hex_file: File, tmp_path: Path, chosen: str
) -> None:
    file = tmp_path / f"again.{chosen}"
    file.write_text(bullseye("results", 1, "-f", chosen).out)
    with open_source(str(file), "hex" if chosen == "lines" else None) as source:
        entries = list(source)
    stored = [answer.solution for answer in hex_file.answers]
    if chosen == "lines":
        assert [entry.text for entry in entries] == stored
    else:
        assert [entry.text for entry in entries] == [one.puzzle for one in hex_file.answers]
        assert [entry.solution for entry in entries] == stored


def test_conditions_see_the_symbols_of_the_database(bullseye: Bullseye, hex_file: File) -> None:
    first = hex_file.answers[0].puzzle
    found = bullseye("results", "--where", f"puzzle = '{first}'", "-f", "lines")
    assert found.out == hex_file.solutions[0] + "\n"


def test_pictures_have_them(bullseye: Bullseye, database: Database, hex_file: File) -> None:
    further = {"answer_id": 1, "rank": 2, "text": hex_file.answers[1].solution}
    with write(database.engine) as connection:
        connection.execute(solution.insert().values(further))
    drawn = bullseye("show", 1).out.replace(" ", "").splitlines()
    puzzle, found, other = hex_file.puzzles[0], hex_file.solutions[0], hex_file.solutions[1]
    for at in range(0, 256, 16):
        assert puzzle[at : at + 16] + found[at : at + 16] in drawn
        assert other[at : at + 16] in drawn
    picture = bullseye("show", 1, "--svg", "-").out
    assert "".join(re.findall(">(.)</text>", picture)) == found


def test_solve_prints_and_verifies_them(bullseye: Bullseye, home: Path) -> None:
    file = File("hex", 1, home / "hex.txt")
    one, other = file.solutions[:2]
    swapped = one.translate(str.maketrans("EF", "FE"))
    pairs = ["puzzle,solution", f"{one[:250]}......,{swapped}", f"{other[:250]}......,{other}"]
    (home / "pairs.csv").write_text("\n".join(pairs))
    result = bullseye("solve", "pairs.csv", "--verify", "-f", "lines")
    assert result.out.splitlines() == [one, other]
    assert "is E, but the clue is F" in result.err or "is F, but the clue is E" in result.err
    assert "1 of 2 given solutions agree" in result.err
