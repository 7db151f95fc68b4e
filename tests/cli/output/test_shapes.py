"""Answers in the shapes of data sets, against brute force over the solutions of 4x4 grids."""

import json
from itertools import product
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.cli.conftest import Bullseye
from worker.sudoku.symbols import EMPTY

ONE, SEVERAL, NONE = "12...4.....3..2.", "1234341.........", "11.............."


def solutions(puzzle: str) -> set[str]:
    """Return all solutions of a 4x4 grid, found row by row."""
    found = [""]
    for row in range(4):
        rows = ["".join(cells) for cells in product("1234", repeat=4) if len({*cells}) == 4]
        given = puzzle[4 * row : 4 * row + 4]
        fits = [
            one for one in rows if all(a in (EMPTY, b) for a, b in zip(given, one, strict=True))
        ]
        found = [so_far + one for so_far in found for one in fits if is_right(so_far + one)]
    return set(found)


def is_right(grid: str) -> bool:
    units = [grid[column::4] for column in range(4)]
    for top, left in product((0, 2), repeat=2):
        cells = [4 * (top + a) + left + b for a, b in product((0, 1), repeat=2)]
        units.append("".join(grid[cell] for cell in cells if cell < len(grid)))
    return all(len({*unit}) == len(unit) for unit in units)


def listed(grid: str) -> list[int]:
    return [int(cell.replace(EMPTY, "0")) for cell in grid]


@pytest.fixture
def solved(bullseye: Bullseye, tmp_path: Path) -> Bullseye:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{ONE} one\n{SEVERAL} several\n{NONE} none\n")
    assert bullseye("solve", file, "--limit", "all", "--keep", 100).code == 0
    return bullseye


def test_grids_and_all_kept_solutions_are_lists(solved: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "answers.parquet"
    assert solved("results", "--lists", "-o", file).code == 0
    table = parquet.read_table(file)
    assert str(table.schema.field("solution").type) == "list<element: int8>"
    found = table.to_pylist()
    for row, puzzle in zip(found, (ONE, SEVERAL, NONE), strict=True):
        assert row["puzzle"] == listed(puzzle)
        wanted = sorted(map(listed, solutions(puzzle)))
        assert sorted(row["kept"] or []) == wanted
        assert row["solution"] == (row["kept"][0] if wanted else None)
    lines = solved(
        "results", "--lists", "--columns", "label,puzzle", "-f", "jsonl"
    ).out.splitlines()
    first = json.loads(lines[0])
    assert (first["label"], first["puzzle"]) == ("one", listed(ONE))
    assert list(first) == ["label", "puzzle", "kept"]


def test_cells_tell_what_all_solutions_share(solved: Bullseye) -> None:
    lines = solved("results", "--cells", "--columns", "id", "-f", "jsonl").out.splitlines()
    for line, puzzle in zip(lines, (ONE, SEVERAL, NONE), strict=True):
        shared = [len({*values}) == 1 for values in zip(*solutions(puzzle), strict=True)]
        wanted = "".join(
            "g" if clue != EMPTY else "d" if same else "a"
            for clue, same in zip(puzzle, shared, strict=False)
        )
        assert json.loads(line)["cells"] == (wanted or None)
    assert "a" in lines[1]


def test_cells_are_unknown_unless_all_solutions_are_kept(
    bullseye: Bullseye, tmp_path: Path
) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{ONE}\n{SEVERAL}\n")
    assert bullseye("solve", file).code == 0
    lines = bullseye("results", "--cells", "--columns", "id", "-f", "csv").out.splitlines()
    assert [line.split(",")[1] != "" for line in lines[1:]] == [True, False]


def test_shapes_go_with_conditions_and_archived_answers(solved: Bullseye, tmp_path: Path) -> None:
    ask = ("results", "--where", "label = 'several'", "--lists", "--columns", "id", "-f", "jsonl")
    before = solved(*ask).out
    assert len(json.loads(before)["kept"]) == len(solutions(SEVERAL))
    assert solved("archive", "last", "--parquet", tmp_path / "a").code == 0
    assert solved(*ask).out == before


def test_shapes_need_a_format_with_columns(solved: Bullseye) -> None:
    result = solved("results", "--cells", "-f", "lines")
    assert (result.code, result.out) == (2, "")
    assert "--lists and --cells do not go with -f lines." in result.err
