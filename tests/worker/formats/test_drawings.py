"""Grids as people draw, post and export them: boxes, blanks, tables, quotes and prose."""

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.worker.formats.reading import GRID, errors, read, texts
from tests.worker.formats.writing import rows
from worker.formats.errors import FormatError

OTHER = GRID[::-1]
#: a frame around boxes, and one around cells: top, between bands, between rows, bottom, bars
BOXES = ("┌───────┬───────┬───────┐", "├───────┼───────┼───────┤", "", "└───────┴───────┴───────┘")
CELLS = (
    "╔═══╤═══╤═══╦═══╤═══╤═══╦═══╤═══╤═══╗",
    "╠═══╪═══╪═══╬═══╪═══╪═══╬═══╪═══╪═══╣",
    "╟───┼───┼───╫───┼───┼───╫───┼───┼───╢",
    "╚═══╧═══╧═══╩═══╧═══╧═══╩═══╧═══╧═══╝",
)
PLAIN = str.maketrans("│─┌┬┐├┼┤└┴┘", "|-+++++++++")


def _framed(grid: str, frame: tuple[str, str, str, str], bars: str, between: str) -> str:
    """A grid in a frame, with its bars around boxes and between cells."""
    top, band, row, bottom = frame
    lines = [top]
    for number, cells in enumerate(rows(grid)):
        if number:
            lines.append(row if number % 3 else band)
        boxes = [between.join(cells[at : at + 3]) for at in (0, 3, 6)]
        lines.append(f"{bars} {f' {bars} '.join(boxes)} {bars}")
    return "\n".join(line for line in [*lines, bottom] if line) + "\n"


def _in_boxes(grid: str) -> str:
    return _framed(grid, BOXES, "│", " ")


def _in_cells(grid: str) -> str:
    return _framed(grid, CELLS, "║", " │ ")


def _table(separator: str) -> Callable[[str], str]:
    return lambda grid: "".join(separator.join(cells) + "\n" for cells in rows(grid))


#: ways to draw a grid with any symbol for empty cells
DRAWINGS: dict[str, Callable[[str], str]] = {
    "rows": lambda grid: "\n".join(rows(grid)) + "\n",
    "spaced": _table(" "),
    "boxes": _in_boxes,
    "ASCII boxes": lambda grid: _in_boxes(grid).translate(PLAIN),
    "cells": _in_cells,
    "commas": _table(","),
    "tabs": _table("\t"),
    "bars": _table(" | "),
}
#: drawings in which an empty cell can be empty
WITH_FIELDS: dict[str, Callable[[str], str]] = {
    "CSV": lambda grid: _table(",")(grid).replace(" ", ""),
    "TSV": lambda grid: _table("\t")(grid).replace(" ", ""),
    "semicolons": lambda grid: _table(";")(grid).replace(" ", ""),
    "quoted": lambda grid: _table(",")(grid).replace(" ", '""'),
    "Markdown": lambda grid: "".join(f"| {' | '.join(row)} |\n" for row in rows(grid)),
    "cells": _in_cells,
}
#: drawings in which an empty cell can be a blank
WITH_BLANKS: dict[str, Callable[[str], str]] = {
    "rows": lambda grid: "\n".join(rows(grid)) + "\n",
    "spaced": _table(" "),
    "boxes": _in_boxes,
    "ASCII boxes": lambda grid: _in_boxes(grid).translate(PLAIN),
    "narrow boxes": lambda g: "".join(f"|{'|'.join(rows(r, 3))}|\n" for r in rows(g)),
    "line": lambda grid: grid + "\n",
}
PROSE = ("by Anna, 2024", "Can anyone solve this one?", "Viel Spaß!", "谁能解开这个数独")
#: tags before and after a grid
TAGS = (("", ""), ("[code]\n", "[/code]\n"), ("[code]", "[/code]"), ("```\n", "```\n"))


@pytest.mark.parametrize("way", DRAWINGS)
@pytest.mark.parametrize("empty", [".", "0", "?", "·", "_"])
def test_drawn_grids_are_read(way: str, empty: str) -> None:
    drawn = [DRAWINGS[way](grid.replace(".", empty)) for grid in (GRID, OTHER)]
    assert texts("\n".join(drawn)) == [GRID, OTHER]


@pytest.mark.parametrize("way", WITH_FIELDS)
def test_an_empty_field_is_an_empty_cell(way: str) -> None:
    bare = "." * 9 + GRID[9:72] + "." * 9  # the first and the last row are empty
    drawn = [WITH_FIELDS[way](grid.replace(".", " ")) for grid in (GRID, OTHER, bare)]
    assert texts("\n".join(drawn)) == [GRID, OTHER, bare]


@pytest.mark.parametrize("way", WITH_BLANKS)
def test_a_blank_is_an_empty_cell(way: str) -> None:
    drawn = [WITH_BLANKS[way](grid.replace(".", " ")) for grid in (GRID, OTHER)]
    assert texts(drawn[0]) == [GRID]
    assert texts(("" if way == "line" else "\n").join(drawn)) == [GRID, OTHER]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(list(DRAWINGS)),
    st.sampled_from(["", "> ", ">> ", "> > "]),
    st.sampled_from(TAGS),
    st.randoms(use_true_random=True),
)
def test_posted_grids_are_read(
    way: str, quote: str, tags: tuple[str, str], dice: random.Random
) -> None:
    post = ""
    for grid in (GRID, OTHER):
        drawn = f"{tags[0]}{DRAWINGS[way](grid)}{tags[1]}"
        post += f"{dice.choice(PROSE)}\n{drawn}{dice.choice(PROSE)}\n"
    assert texts("".join(f"{quote}{line}\n" for line in post.splitlines())) == [GRID, OTHER]


#: drawings in which a lost character can be noticed
RIGID = [(way, ".") for way in DRAWINGS.values()]
RIGID += [(way, " ") for way in WITH_BLANKS.values()]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(RIGID), st.randoms(use_true_random=True))
def test_a_drawing_with_a_character_lost_or_added_is_never_another_puzzle(
    way: tuple[Callable[[str], str], str], dice: random.Random
) -> None:
    drawn = "\n".join(way[0](grid.replace(".", way[1])) for grid in (GRID, OTHER))
    at = dice.choice([i for i, symbol in enumerate(drawn) if symbol not in "\n"])
    damaged = drawn[:at] + dice.choice(["", drawn[at] + drawn[at], "q"]) + drawn[at + 1 :]
    try:
        entries = read(damaged)[1]
    except FormatError:
        return
    found = [entry.text for entry in entries if entry.error is None]
    assert any(entry.error for entry in entries) or found == [GRID, OTHER]


def test_a_row_that_lost_a_value_has_no_empty_cell_instead() -> None:
    content = DRAWINGS["commas"](GRID).replace("9,8,7", ",8,7")
    assert errors(content) == [(1, "row 1 (line 1): 8 cells, expected 9")]


def test_rows_that_are_only_short_are_not_filled() -> None:
    short = "".join(f"{row}\n" for row in rows("123456789" * 9)[:8]) + "12345678\n"
    assert errors(short) == [(1, "row 9 (line 9): 8 cells, expected 9")]


def test_blanks_that_can_be_read_in_two_ways_are_rejected() -> None:
    """A row is `123.5....`, if a space is between all cells, or `1.2.3...5`."""
    with pytest.raises(FormatError):
        read("1 2 3   5\n" * 9)


def test_a_row_that_was_damaged_beyond_recognition_is_missed() -> None:
    first, second = (DRAWINGS["rows"](grid) for grid in (GRID, OTHER))
    entries = read(first.replace(rows(GRID)[4], "by Anna") + "\n" + second)[1]
    assert [entry.error for entry in entries] == ["4 rows, expected 9", "4 rows, expected 9", None]


def test_rows_after_end_are_errors() -> None:
    content = DRAWINGS["rows"](GRID) + "end\n\n" + DRAWINGS["rows"](OTHER)
    assert [line for line, _ in errors(content)] == list(range(12, 21))


def test_rows_of_blanks_with_an_empty_row_are_rejected_with_the_remedy() -> None:
    bare = GRID.replace(".", " ")[:72] + " " * 9
    content = "".join(f"{row.rstrip()}\n" for row in rows(bare))
    with pytest.raises(FormatError, match=r"; write \. for each empty cell"):
        read(content)
