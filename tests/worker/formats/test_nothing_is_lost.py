"""Every grid in a file is read as a puzzle or as a solution, or its line is rejected."""

import json
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import GRID, errors, read
from tests.worker.formats.writing import DIGITS, rows
from worker.formats.errors import FormatError
from worker.formats.names import LABELS, PUZZLES, SOLUTIONS

OTHER = GRID[::-1]
#: it has all clues of GRID and no empty cell
FULL = GRID.replace(".", "1")
#: the regions of a jigsaw puzzle
REGIONS = "".join(str(row // 3 * 3 + column // 3 + 1) for row in range(9) for column in range(9))

ordinary = st.sampled_from([" ", ",", ";", "\t", "|", ":", ", ", " | ", '","', "/", "=", ")("])
separators = ordinary | st.text(" ,;:|/=()[]{}'\"<>&@!~^-+.?x#é→\v", min_size=1, max_size=3)
ends = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
sides = st.sampled_from(sorted(BOXES))
many_dice = st.randoms(use_true_random=True)
often = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _puzzle(side: int, dice: random.Random) -> str:
    """A grid with random clues, among them 2 and the highest, and with an empty cell."""
    cells = dice.choices("." * side + DIGITS[:side], k=side * side - 3)
    return "".join([".", "2", DIGITS[side - 1], *cells])


def _line(side: int, dice: random.Random) -> list[str]:
    """Some puzzles, alone, with their solution, or with another grid without empty cells."""
    grids = []
    for _ in range(dice.choice([1, 1, 2, 3, 4])):
        puzzle = _puzzle(side, dice)
        full = puzzle.replace(".", dice.choice(DIGITS[:side]))
        other = "".join(dice.choices(DIGITS[:side], k=side * side))
        grids += dice.choice([[puzzle], [puzzle], [puzzle, full], [full, puzzle], [puzzle, other]])
    return grids


def _assert_nothing_is_lost(
    content: str, format_name: str | None, grids: Mapping[int, Sequence[str]]
) -> None:
    """Assert that each line has an error, or its `grids` are its puzzles and solutions."""
    try:
        entries = read(content, format_name)[1]
    except FormatError:
        return
    for line, written in grids.items():
        of_line = [entry for entry in entries if entry.line == line]
        if any(entry.error for entry in of_line):
            assert len(of_line) == 1
        else:
            found = [grid for one in of_line for grid in (one.text, one.solution) if grid]
            assert sorted(found) == sorted(written)


@often
@given(sides, separators, ends, many_dice)
def test_all_grids_of_a_line_are_read_or_rejected(
    side: int, separator: str, end: str, dice: random.Random
) -> None:
    lines = [_line(side, dice) for _ in range(dice.choice([1, 2, 5]))]
    content = end.join(map(separator.join, lines))
    numbers = range(1, 99, end.count("\n") or 1)
    _assert_nothing_is_lost(content, "lines", dict(zip(numbers, lines, strict=False)))


@often
@given(sides, st.sampled_from([",", ";", "\t", "|"]), ends, st.booleans(), many_dice)
def test_all_grids_in_columns_are_read_or_rejected(
    side: int, separator: str, end: str, named: bool, dice: random.Random
) -> None:
    names = ["puzzle", *dice.sample(["solution", "id", "quiz", "regions", "label", "x"], 4)]
    dice.shuffle(names)
    puzzle = _puzzle(side, dice)
    content = {
        name: dice.choice(["", "7", puzzle.replace(".", "1"), _puzzle(side, dice)])
        for name in names
    }
    content["puzzle"] = puzzle
    head = separator.join(names) + end if named else ""
    written = [field for field in content.values() if len(field) == side * side]
    line = 1 + (end.count("\n") or 1) * named
    body = separator.join(content[name] for name in names)
    _assert_nothing_is_lost(head + body + end, "lines", {line: written})


@often
@given(st.lists(st.sampled_from([*PUZZLES, *SOLUTIONS, *LABELS, "regions"]), unique=True), ends)
def test_all_grids_of_an_object_are_read_or_rejected(keys: list[str], end: str) -> None:
    written = [GRID if key in PUZZLES else FULL for key in keys]
    content = (
        json.dumps({"puzzle": OTHER}) + end + json.dumps(dict(zip(keys, written, strict=True)))
    )
    line = 1 + (end.count("\n") or 1)
    _assert_nothing_is_lost(content, "jsonl", {line: written})


@often
@given(
    st.sampled_from(["", " ", "  ", "     ", "\t", ",", " | ", "/"]), st.integers(2, 4), many_dice
)
def test_grids_side_by_side_are_rejected_or_read(
    separator: str, count: int, dice: random.Random
) -> None:
    grids = [_puzzle(9, dice) for _ in range(count)]
    content = "\n".join(separator.join(row) for row in zip(*map(rows, grids), strict=True))
    try:
        entries = read(content)[1]
    except FormatError:
        return
    # Of four rows with few values, most can be 6x6 grids.
    assert entries[0].error or [entry.text for entry in entries] == grids


@pytest.mark.parametrize("line", [f"{GRID} {REGIONS}", f"{GRID},{GRID[:80]}", f"{GRID} {'A' * 81}"])
def test_a_further_grid_that_is_no_solution_is_an_error(line: str) -> None:
    assert [number for number, _ in errors(f"{GRID}\n{line}\n{GRID}\n")] == [2]


def test_the_label_tells_which_puzzle_of_a_line_it_is() -> None:
    entries = read(f"{GRID} {OTHER}\neasy: {OTHER};{GRID}\n")[1]
    assert [(entry.line, entry.label, entry.text) for entry in entries] == [
        (1, "grid 1", GRID),
        (1, "grid 2", OTHER),
        (2, "easy, grid 1", OTHER),
        (2, "easy, grid 2", GRID),
    ]
