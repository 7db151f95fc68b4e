"""The least texts of grids beyond 9x9, and the same search with smaller ones."""

import random
from math import factorial

import numpy as np
import pytest

from storage.values import MAX_INTEGER
from tests.worker.symmetry import arrangements
from tests.worker.symmetry.test_forms import CLUES, MOST_SYMMETRIC, SOLVED, random_grids
from worker.checking.symmetry import are_images
from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, VALUES
from worker.symmetry import forms as module
from worker.symmetry.texts import cells_of, forms_of, texts_of

LARGE = [side for side in sorted(BOXES) if side > 9]


def solved(side: int, chance: random.Random) -> str:
    """A solution: shifts of one row, in a random arrangement."""
    height, width = BOXES[side]
    starts = [row % height * width + row // height for row in range(side)]
    cells = (VALUES[(start + column) % side] for start in starts for column in range(side))
    return arrangements.equivalent_to("".join(cells), chance)


@pytest.mark.parametrize("cells", CLUES)
def test_small_grids_have_the_same_forms_by_both_searches(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [*random_grids(cells, 300, seed=11), SOLVED[cells], EMPTY * cells]
    grids = cells_of([*some, *[MOST_SYMMETRIC] * (cells == 81)])
    narrow = forms_of(grids)
    monkeypatch.setattr(module, "MAX_SIDE", 0)
    wide = forms_of(grids)
    assert (narrow.cells == wide.cells).all()
    assert narrow.automorphisms.tolist() == wide.automorphisms.tolist()
    assert are_images(grids, wide.arrangements, wide.cells).all()


@pytest.mark.parametrize("side", LARGE)
def test_equivalent_large_grids_have_one_form(side: int) -> None:
    chance = random.Random(side)
    full = solved(side, chance)
    for share in (0.1, 0.3, 0.5, 0.7):
        grid = "".join(cell if chance.random() < share else EMPTY for cell in full)
        others = [grid, *(arrangements.equivalent_to(grid, chance) for _ in range(10))]
        cells = cells_of(others)
        forms = forms_of(cells)
        assert len({*texts_of(forms.cells)}) == len({*forms.automorphisms.tolist()}) == 1
        assert are_images(cells, forms.arrangements, forms.cells).all()
        assert forms.arrangement(1).applied(others[1]) == texts_of(forms.cells)[0]


@pytest.mark.parametrize("side", [10, 12, 15, 16])
def test_equivalent_large_solutions_have_one_form(side: int) -> None:
    chance = random.Random(side)
    full = solved(side, chance)
    forms = forms_of(cells_of([full, *(arrangements.equivalent_to(full, chance) for _ in "123")]))
    assert len({*texts_of(forms.cells)}) == 1
    assert texts_of(forms.cells)[0].startswith(VALUES[:side])
    assert len({*forms.automorphisms.tolist()}) == 1


@pytest.mark.parametrize("side", LARGE)
def test_the_arrangements_of_an_empty_large_grid_are_counted_up_to_64_bits(side: int) -> None:
    height, width = BOXES[side]
    rows = factorial(width) * factorial(height) ** width
    columns = factorial(height) * factorial(width) ** height
    all_ = rows * columns * (1 + (height == width))
    forms = forms_of(np.zeros((1, side * side), np.int8))
    assert forms.automorphisms.tolist() == [min(all_, MAX_INTEGER)]
    assert (all_ > MAX_INTEGER) == (side == 25)


def test_a_large_grid_with_one_empty_cell_is_refused() -> None:
    with pytest.raises(PuzzleError, match="grid 1 has too many symmetries"):
        forms_of(cells_of([solved(25, random.Random(1))[:-1] + EMPTY]))
