"""Grids of several lines: an invalid one is an error and leaves the others valid."""

from pathlib import Path

import pytest

from tests.worker.formats.reading import errors, read, texts
from worker.formats.errors import FormatError
from worker.formats.source import open_source

ROWS = [
    "987..25..",
    "........7",
    ".....736.",
    "..32..4..",
    "4...8....",
    "625.....3",
    ".5..1..3.",
    "1.8376.5.",
    "...5..19.",
]
GRID = "".join(ROWS)


def _file(*grids: list[str]) -> str:
    return "\n".join("".join(row + "\n" for row in grid) for grid in grids)


def test_a_missing_row_invalidates_one_grid_only() -> None:
    content = _file(ROWS, ROWS[:4] + ROWS[5:], ROWS)
    assert errors(content) == [(11, "8 rows, expected 9")]
    assert [e.text for e in read(content)[1] if not e.error] == [GRID, GRID]


def test_an_extra_row_invalidates_one_grid_only() -> None:
    content = _file(ROWS, [*ROWS, ROWS[0]], ROWS)
    assert errors(content) == [(11, "10 rows, expected a multiple of 9")]
    assert [e.text for e in read(content)[1] if not e.error] == [GRID, GRID]


def test_a_short_row_is_reported_with_its_line() -> None:
    content = _file(ROWS, [*ROWS[:4], ROWS[4][:-1], *ROWS[5:]], ROWS)
    assert errors(content) == [(11, "row 5 (line 15): 8 cells, expected 9")]


def test_an_invalid_symbol_in_a_row_is_reported_with_its_place() -> None:
    content = _file(ROWS, [*ROWS[:2], "..q..736.", *ROWS[3:]])
    assert errors(content) == [(11, "row 3 (line 13): `q` at character 3 is not a cell")]


def test_a_number_that_is_too_large_is_reported_with_its_place() -> None:
    rows = [" ".join(row.replace(".", "0")) for row in ROWS]
    content = _file(rows, [*rows[:2], "0 0 0 0 0 7 3 6 10", *rows[3:]])
    assert errors(content) == [(11, "row 3 (line 13): `10` at cell 9 is not a cell")]


def test_an_incomplete_last_grid_is_an_error() -> None:
    assert errors(_file(ROWS, ROWS[:2])) == [(11, "2 rows, expected 9")]
    assert errors("".join(row + "\n" for row in ROWS + ROWS[:2])) == [
        (1, "11 rows, expected a multiple of 9")
    ]


def test_a_missing_row_among_many_unseparated_grids_rejects_the_input() -> None:
    """The incomplete grid is unknown, and every later one would be wrong."""
    rows = ROWS * 100
    with pytest.raises(FormatError, match="is not a multiple of 9"):
        read("".join(row + "\n" for row in rows[:500] + rows[501:]))


def test_headings_are_labels() -> None:
    content = "Grid 01\n" + _file(ROWS) + "Grid 02\n" + _file(ROWS)
    assert [e.label for e in read(content)[1]] == ["Grid 01", "Grid 02"]


def test_comments_between_rows_are_skipped() -> None:
    content = "# a\n" + "\n".join([*ROWS[:3], "# b", *ROWS[3:]]) + "\n# c\n"
    assert texts(content) == [GRID]


def test_a_spaced_grid_without_letters_has_numbers() -> None:
    rows = ["0 " * 15 + str(value) for value in range(1, 10)] + ["0 " * 15 + "0"] * 7
    layout, (entry,) = read("".join(row + "\n" for row in rows))
    assert (layout.alphabet, entry.error) == (None, None)


def test_every_nine_rows_are_a_grid_if_nothing_separates_them() -> None:
    content = "".join(row + "\n" for row in ROWS * 100)
    assert texts(content) == [GRID] * 100


def test_grids_are_read_before_a_separator_comes() -> None:
    content = _file(ROWS, ROWS) + "\n" + "".join(row + "\n" for row in ROWS * 1000)
    assert texts(content) == [GRID] * 1002


def test_rows_of_dashes_are_empty_rows_if_the_count_requires_it() -> None:
    dashed = [row.replace(".", "-") for row in ROWS]
    dashed[0] = "-" * 9
    layout, entries = read("1\n" + _file(dashed))
    assert layout.counted
    assert [e.text for e in entries] == ["." * 9 + GRID[9:]]


def test_each_grid_has_the_number_of_its_first_line() -> None:
    assert [e.line for e in read(_file(ROWS, ROWS))[1]] == [1, 11]


PENCIL = "1 2 3 4 5 6 7 8 9\n" * 8 + "12 2 3 4 5 6 7 89 9\n"


@pytest.mark.parametrize("name", [None, "spaced", "rows", "lines"])
def test_pencil_marks_are_recognised_and_rejected(name: str | None) -> None:
    for content in (PENCIL, PENCIL.replace("\n", " "), f"# by Anna\n{PENCIL * 2}"):
        with pytest.raises(FormatError, match="are pencil marks, not a puzzle"):
            read(content, name)


def test_a_cover_problem_that_looks_like_pencil_marks_is_read(tmp_path: Path) -> None:
    file = tmp_path / "cover.dlx"
    file.write_text("12 2 3 4 5 6 7 89 9\n" * 9)
    with open_source(str(file)) as source:
        assert source.layout.format == "dlx"


def test_finished_grids_are_not_pencil_marks() -> None:
    assert texts("1 2 3 4 5 6 7 8 9\n" * 9) == ["123456789" * 9]
    sixteen = " ".join(map(str, range(1, 17))) + "\n"
    assert texts(sixteen * 16) == ["123456789ABCDEFG" * 16]
