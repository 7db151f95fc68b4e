"""Files whose first line names their columns."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.formats.reading import DATA, GRID, errors, read
from worker.formats.names import LABELS, PUZZLES, SOLUTIONS
from worker.formats.readers.columns import Columns
from worker.formats.source import open_source

SOLVED = "987632541362451987541897362813265479479183625625749813256914738198376254734528196"
BETWEEN = pytest.mark.parametrize("between", [",", "\t", ";", "|"])


@BETWEEN
def test_columns_are_recognised_by_their_names(between: str) -> None:
    lines = [["id", "clues", "solution", "puzzle", "rating"], ["a 1", "26", SOLVED, GRID, "7.2"]]
    (entry,) = read("\n".join(map(between.join, lines)))[1]
    assert (entry.text, entry.label, entry.solution) == (GRID, "a 1", SOLVED)


@BETWEEN
def test_without_a_label_column_the_other_columns_are_the_label(between: str) -> None:
    lines = [["source", "question", "answer", "rating"], ["forum", GRID, SOLVED, "7.2"]]
    (entry,) = read("\n".join(map(between.join, lines)))[1]
    assert (entry.text, entry.label, entry.solution) == (GRID, "forum,7.2", SOLVED)


def test_a_first_column_without_a_name_is_ignored() -> None:
    (entry,) = read(f"\tpuzzle\tsolution\n\t{GRID}\t{SOLVED}\n")[1]
    assert (entry.text, entry.label, entry.solution) == (GRID, None, SOLVED)


def test_a_known_solution_is_not_taken_for_an_invalid_puzzle() -> None:
    good = f"{GRID},{SOLVED}\n" * 2
    assert errors(f"puzzle,solution\n{good}{GRID[1:]},{SOLVED}\n,{SOLVED}\n") == [
        (4, "column `puzzle`: 80 cells, expected 81"),
        (5, "column `puzzle`: no grid of 81 cells; put # before a comment"),
    ]


def test_an_incomplete_solution_is_an_error() -> None:
    content = f"puzzle,solution\n{GRID},{GRID}\n{GRID},{SOLVED[1:]}\n"
    assert errors(content) == [
        (line, "the solution is not a full grid of the puzzle's size; correct or remove it")
        for line in (2, 3)
    ]


def test_a_solution_column_without_a_grid_gives_no_solution() -> None:
    content = f"puzzle,solution\n{GRID},\n{GRID},unique\n{GRID},1\n{GRID}\n"
    assert [(entry.error, entry.solution) for entry in read(content)[1]] == [(None, None)] * 4


def test_a_column_of_numbers_of_solutions_is_not_that_of_the_solution() -> None:
    (entry,) = read(f"puzzle,solutions,complete,solution\n{GRID},1,1,{SOLVED}\n")[1]
    assert entry.solution == SOLVED


@pytest.mark.parametrize("name", ["state", "label"])
def test_a_third_grid_in_another_column_is_an_error(name: str) -> None:
    for other in (SOLVED, GRID[1:], "A" * 40 + "B" * 41):
        ((line, error),) = errors(f"puzzle,solution,{name}\n{GRID},{SOLVED},{other}\n")
        assert line == 2
        assert "could be another grid; correct or remove it" in error


def test_a_quoted_field_can_contain_the_separator() -> None:
    (entry,) = read(f'title,puzzle\n"hard, very",{GRID}\n')[1]
    assert (entry.text, entry.label) == (GRID, "hard, very")


def test_spaces_after_commas_and_a_byte_order_mark_are_ignored() -> None:
    content = f'\ufeff"Puzzle", "Solution", "Name"\r\n "{GRID}" , "{SOLVED}",  "a, b"\r\n'
    (entry,) = read(content)[1]
    assert (entry.text, entry.label, entry.solution) == (GRID, "a, b", SOLVED)


def test_a_header_without_a_known_name_is_an_error_that_proposes_one() -> None:
    assert errors(f"id,start,goal\na,{GRID},{SOLVED}\n") == [
        (
            1,
            "no grid of 81 cells; put # before a comment, or call the column of the puzzles "
            "`puzzle`",
        ),
    ]


def test_the_solutions_of_public_collections_are_read() -> None:
    for name in ("lines-kaggle.csv", "lines-columns.csv", "lines-extreme.csv", "lines-qqwing.csv"):
        with open_source(str(DATA / "formats" / name)) as source:
            assert source.columns is not None
            assert all(len(entry.solution or "") == len(entry.text) for entry in source)


def test_a_second_grid_on_a_line_without_empty_cells_is_its_solution() -> None:
    for line in (f"{GRID}:1:{SOLVED}", f"{GRID} {SOLVED} 7.2", f"a {SOLVED},{GRID}"):
        (entry,) = read(line + "\n")[1]
        assert (entry.text, entry.solution) == (GRID, SOLVED)


def test_a_solution_is_read_from_json() -> None:
    (entry,) = read(f'{{"puzzle": "{GRID}", "solution": "{SOLVED}"}}\n')[1]
    assert entry.solution == SOLVED


def test_small_grids_are_read_from_columns() -> None:
    small = "12..34..2.4...21"
    assert [entry.text for entry in read(f"id,puzzle\n1,{small}\n2,{small}\n")[1]] == [small] * 2


@pytest.mark.parametrize(
    ("given", "solution"),
    [('"2 1"', "1 2"), ("[2, 10, 1]", "1 2 10"), ('"-1"', None), ("[[1]]", None), ("true", None)],
)
def test_a_solution_of_a_cover_problem_lists_options_in_any_order(
    given: str, solution: str | None
) -> None:
    content = f'{{"items": 1, "options": [[1]], "solution": {given}}}\n'
    assert read(content)[1][0].solution == solution


def test_a_single_column_is_not_a_table(tmp_path: Path) -> None:
    file = tmp_path / "one.csv"
    file.write_text(f"Puzzle\n{GRID}\n")
    with open_source(str(file)) as source:
        assert source.columns is None
        assert [entry.text for entry in source] == [GRID]


words = st.text("ab c,;|'\"1.", max_size=12)
names = st.permutations(["puzzle", "solution", "id", "x y", "difficulty"])


@given(names, st.lists(st.tuples(words, words, words), min_size=1, max_size=5))
def test_files_written_by_the_csv_module_are_read(
    order: list[str], lines: list[tuple[str, str, str]]
) -> None:
    out = io.StringIO()
    writer = csv.DictWriter(out, order)
    writer.writeheader()
    for one in lines:
        other = dict(zip(("id", "x y", "difficulty"), one, strict=True))
        writer.writerow({"puzzle": GRID, "solution": SOLVED, **other})
    entries = read(out.getvalue())[1]
    assert [entry.text for entry in entries] == [GRID] * len(lines)
    assert [entry.label for entry in entries] == [one[0].strip() or None for one in lines]
    assert [entry.solution for entry in entries] == [SOLVED] * len(lines)


def test_each_column_name_has_one_meaning() -> None:
    assert not (PUZZLES & {*SOLUTIONS, *LABELS} or {*SOLUTIONS} & {*LABELS})
    assert Columns.of("a,b,c") is None
