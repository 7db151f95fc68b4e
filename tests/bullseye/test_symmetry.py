"""Canonical forms and equivalence from Python."""

import random

import numpy as np
import pytest

from bullseye import PuzzleError, canonical, equivalent
from tests.worker.symmetry.arrangements import equivalent_to

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12...4.....3..2."


def test_texts_of_several_sizes_keep_their_order() -> None:
    chance = random.Random(3)
    dressed = [equivalent_to(one, chance) for one in (PUZZLE, SMALL)]
    one, small, other, zeros = canonical([PUZZLE, *dressed[::-1], PUZZLE.replace(".", "0")])
    assert one == other == zeros == canonical(dressed[0])
    assert small == canonical(SMALL) != one
    assert canonical([]) == []


def test_an_array_has_a_grid_in_each_row() -> None:
    cells = np.array([[int(cell) for cell in PUZZLE.replace(".", "0")]], np.int64)
    (form,) = canonical(np.repeat(cells, 3, axis=0)[:1])
    assert "".join(map(str, form)).replace("0", ".") == canonical(PUZZLE)
    assert canonical(cells[:0]).shape == (0, 81)


def test_an_arrangement_turns_one_puzzle_into_an_equivalent_one() -> None:
    chance = random.Random(4)
    for puzzle in (PUZZLE, SMALL, "." * 36, "12" + "." * 34) * 8:
        other = equivalent_to(puzzle, chance)
        found = equivalent(puzzle, other)
        assert found is not None
        assert found.applied(puzzle) == other


def test_puzzles_that_are_not_equivalent_have_no_arrangement() -> None:
    assert equivalent(PUZZLE, PUZZLE[:-1] + ".") is None
    assert equivalent(PUZZLE, SMALL) is None


@pytest.mark.parametrize(
    ("puzzles", "reason"),
    [
        ("12", "a canonical form needs 16, 36, .* 400 or 625 cells, not 2"),
        ([PUZZLE, "x" + PUZZLE[1:]], "'x3.* is not a sudoku"),
        ("5" + SMALL[1:], "'52.* is not a sudoku"),
        (np.zeros((2, 9)), "a grid in each row, of 16, 36, .* or 625 cells"),
        (np.zeros((2, 81)), "are integers from 0 to 9"),
        (np.full((1, 16), 5), "are integers from 0 to 4"),
    ],
)
def test_what_is_no_grid_is_refused(puzzles: list[str], reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason):
        canonical(puzzles)
