"""The forms of puzzles that are stored with their answers."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.worker.symmetry import arrangements
from worker.errors import SolverFailed
from worker.sudoku.symbols import ring_weights
from worker.symmetry import classes, forms
from worker.symmetry.classes import class_of, forms_of_sudokus, forms_of_targets
from worker.symmetry.texts import forms_of

PUZZLE = "1...2......3...."
SOLVED = "1234341221434321"


def test_equivalent_puzzles_have_one_class_and_others_have_others() -> None:
    chance = random.Random(1)
    some = [arrangements.equivalent_to(PUZZLE, chance) for _ in range(30)]
    all_ = [*some, "12..............", SOLVED]
    found = forms_of_sudokus(all_, [None] * 32)
    assert len({form and form.class_ for form in found[:30]}) == 1
    assert len({form and form.class_ for form in found}) == 3
    for form, grid in zip(found, all_, strict=True):
        least, automorphisms = arrangements.least(grid)
        assert form is not None
        assert (form.canonical, form.automorphisms) == (least, automorphisms)
        assert (form.class_, form.grid_class) == (class_of(least), None)


def test_the_class_of_a_grid_is_that_of_the_only_solution() -> None:
    one, other = forms_of_sudokus([PUZZLE, "." * 16], [SOLVED, None])
    assert one is not None
    assert other is not None
    assert one.grid_class == class_of(arrangements.least(SOLVED)[0])
    assert other.grid_class is None


def test_a_puzzle_with_too_many_symmetries_has_no_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MAX_CANDIDATES", 1)
    found = forms_of_sudokus(["." * 81, "1" * 81, "1" + "." * 80], [None] * 3)
    assert [one is None for one in found] == [False, True, False]


def test_a_form_of_another_class_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(grids: NDArray[np.int8]) -> forms.Forms:
        found = forms_of(grids)
        found.cells[0, -1] = 4 - found.cells[0, -1]
        return found

    monkeypatch.setattr(classes, "forms_of", wrong)
    with pytest.raises(SolverFailed, match="wrong form"):
        forms_of_sudokus([PUZZLE], [None])


@pytest.mark.parametrize(("side", "images"), [(4, 8), (6, 4), (9, 8)])
def test_a_target_has_the_symmetries_of_the_square_that_keep_its_boxes(
    side: int, images: int
) -> None:
    corner = "1" + "." * (side * side - 1)
    edge = ".1" + "." * (side * side - 2)
    found, other = forms_of_targets([corner, edge], None)
    last = side * side - 1
    assert (found.canonical, found.automorphisms) == ("." * last + "1", images // 4)
    assert (other.canonical, other.automorphisms) == ("." * (last - 1) + "1.", 1)


def test_weights_and_digits_of_a_target_are_kept() -> None:
    weights = list(ring_weights(4))
    weights[0] += 1
    grids = ["1...............", "...1............", "2..............."]
    found = forms_of_targets(grids, weights)
    assert len({form.canonical for form in found}) == 3
    assert found[1].canonical == "............1..."  # reflected at the diagonal
