"""Whether grids are solutions, against the independent check of the tests."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sudoku import BOXES, SYMBOLS, is_solution
from worker.checking.grids import fault, ring_weights, scores, wrong


def full_grid(side: int) -> str:
    """Return a solution of the empty grid: each row is the one above, shifted."""
    height, width = BOXES[side]
    shifts = [width * (row % height) + row // height for row in range(side)]
    return "".join(SYMBOLS[(shift + column) % side] for shift in shifts for column in range(side))


def changed(grid: str, chance: random.Random) -> str:
    """Return a grid with two cells exchanged, a cell replaced, or as it was."""
    cells = list(grid)
    one, other = chance.randrange(len(cells)), chance.randrange(len(cells))
    match chance.randrange(3):
        case 0:
            cells[one], cells[other] = cells[other], cells[one]
        case 1:
            cells[one] = chance.choice(SYMBOLS + ".x0\N{SNOWMAN}")
    return "".join(cells)


@given(st.sampled_from(sorted(BOXES)), st.integers(0, 2**32), st.integers(1, 5))
def test_the_wrong_grids_are_those_that_solve_no_puzzle(side: int, seed: int, count: int) -> None:
    chance = random.Random(seed)
    grid = full_grid(side)
    puzzles = ["".join(chance.choice((symbol, ".")) for symbol in grid) for _ in range(count)]
    solutions = [changed(grid, chance) for _ in puzzles]
    each = list(zip(puzzles, solutions, strict=True))
    expected = [k for k, pair in enumerate(each) if not is_solution(*pair)]
    assert list(wrong(puzzles, solutions)) == expected
    assert [k for k, pair in enumerate(each) if fault(*pair)] == expected


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ("123434122143432", "it has 15 cells"),
        ("1234341221434327", "row 4, column 4 is '7'"),
        ("2134341221434321", "row 1, column 1 is 2, but the clue is 1"),
        ("1234341221434312", "column 3 has 1 twice"),
        ("1234341221434322", "row 4 has 2 twice"),
        ("1234234134124123", "box 1 has 2 twice"),
    ],
)
def test_the_fault_of_a_grid_says_where_it_is(solution: str, reason: str) -> None:
    assert fault("1" + "." * 15, solution) == reason


def test_the_score_is_the_sum_of_weight_times_value_even_beyond_32_bits() -> None:
    grid = full_grid(25)
    weights = [10**9 * (-1) ** cell for cell in range(625)]
    total = sum(
        weight * (SYMBOLS.index(symbol) + 1) for weight, symbol in zip(weights, grid, strict=True)
    )
    assert scores([grid], weights) == [total]
    assert ring_weights(9)[:14] == [6] * 10 + [7] * 4
