"""The least text of a grid over all its arrangements, and the arrangements that lead to it."""

import random
from itertools import combinations, permutations, product

import numpy as np
import pytest

from tests.worker.symmetry import arrangements
from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES
from worker.symmetry.forms import Forms, least_forms

#: a full grid with the most automorphisms
MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
#: clues of random grids by their number of cells, from none to all
CLUES = {
    16: (0, 1, 2, 4, 8, 15, 16),
    36: (0, 1, 3, 9, 18, 33, 36),
    64: (0, 2, 5, 17, 30, 64),
    81: (0, 2, 5, 17, 25, 40, 70, 81),
}
SOLVED = {
    16: "1234341221434321",
    36: "123456456123231564564231312645645312",
    64: "1234567856781234214365876587214334127856785634124321876587654321",
    81: "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
}


def forms_of(grids: list[str]) -> Forms:
    numbers = [[0 if cell == EMPTY else int(cell) for cell in grid] for grid in grids]
    return least_forms(np.array(numbers, np.int8), BOXES[SIDES[len(grids[0])]])


def text(forms: Forms, number: int) -> str:
    return "".join((EMPTY + VALUES)[cell] for cell in forms.cells[number])


def random_grids(cells: int, number: int, seed: int) -> list[str]:
    """Grids with clues of a solution, and grids with any digits."""
    chance, found = random.Random(seed), []
    for count in range(number):
        kept = set(chance.sample(range(cells), chance.choice(CLUES[cells])))
        of = arrangements.equivalent_to(SOLVED[cells], chance)
        if count % 3 == 0:
            of = "".join(chance.choices(VALUES[: SIDES[cells]], k=cells))
        found.append("".join(of[cell] if cell in kept else EMPTY for cell in range(cells)))
    return found


@pytest.mark.parametrize(("cells", "number"), [(16, 150), (36, 40), (64, 8), (81, 1)])
def test_the_text_is_the_least_of_all_images(cells: int, number: int) -> None:
    grids = [*random_grids(cells, number, seed=cells), SOLVED[cells]]
    forms = forms_of(grids)
    for at, grid in enumerate(grids):
        assert (text(forms, at), forms.automorphisms[at]) == arrangements.least(grid), grid


@pytest.mark.soak
@pytest.mark.timeout(5000)
def test_the_texts_of_2000_9x9_grids_are_the_least_of_all_images() -> None:
    latin = "".join(VALUES[(row + column) % 9] for row in range(9) for column in range(9))
    grids = [*random_grids(81, 1997, seed=9), SOLVED[81], MOST_SYMMETRIC, latin]
    forms = forms_of(grids)
    for at, grid in enumerate(grids):
        assert (text(forms, at), forms.automorphisms[at]) == arrangements.least(grid), grid


@pytest.mark.parametrize("cells", CLUES)
def test_equivalent_grids_have_one_text_and_their_arrangements_lead_to_it(cells: int) -> None:
    chance = random.Random(cells)
    grids = [*random_grids(cells, 60, seed=1), SOLVED[cells]]
    first = forms_of(grids)
    for _ in range(5):
        others = [arrangements.equivalent_to(grid, chance) for grid in grids]
        forms = forms_of(others)
        for at, other in enumerate(others):
            assert text(forms, at) == text(first, at)
            assert forms.automorphisms[at] == first.automorphisms[at]
            assert forms.arrangement(at).applied(other) == text(first, at)


def test_automorphisms_are_counted() -> None:
    one, two = "1" + EMPTY * 80, "12" + EMPTY * 79
    grids = [EMPTY * 81, one, two, MOST_SYMMETRIC, SOLVED[81]]
    # A lone clue stays in its cell in one of 81 arrangements; two clues of a row may be exchanged.
    images = 2 * 6**8
    assert forms_of(grids).automorphisms.tolist() == [images, images // 81, 2304 * 9, 648, 1]


def bands() -> list[str]:
    """The first bands of all grids, up to the order of columns and the names of digits."""
    rows = [set("123"), set("456"), set("789")]
    found = []
    for first in combinations("456789", 3):
        for second in combinations("123789", 3):
            third = set("123456789") - set(first) - set(second)
            if len(third) != 3 or third & rows[2] or "4" not in first:
                continue
            middle = [set(first), set(second), third]
            right = [
                set("123456789") - one - other for one, other in zip(rows, middle, strict=True)
            ]
            each = [
                [sorted(box[0])] if row == 0 else list(permutations(sorted(box[row])))
                for row in range(3)
                for box in (middle, right)
            ]
            for one in product(*each):
                lines = ["".join(part) for part in one]
                found.append(
                    "123"
                    + lines[0]
                    + lines[1]
                    + "456"
                    + lines[2]
                    + lines[3]
                    + "789"
                    + lines[4]
                    + lines[5]
                )
    return found


@pytest.mark.parametrize("shift", [1, 3])
def test_full_grids_keep_their_form_whether_their_boxes_are_full_or_not(shift: int) -> None:
    """Shifts by 1 repeat digits in boxes; shifts by 3 do not if every band begins anew."""
    starts = [shift * row + (row // 3 if shift == 3 else 0) for row in range(9)]
    grid = "".join(VALUES[(start + column) % 9] for start in starts for column in range(9))
    chance = random.Random(shift)
    forms = forms_of([grid, *(arrangements.equivalent_to(grid, chance) for _ in range(50))])
    assert len({form.tobytes() for form in forms.cells}) == 1
    first = text(forms, 0)
    assert first[:9] == VALUES[:9]
    # The second row is the least of all pairs of rows in a band, whatever their columns.
    assert first[9:12] == ("456" if shift == 3 else "234")


@pytest.mark.soak
def test_there_are_416_classes_of_bands() -> None:
    grids = [band + EMPTY * 54 for band in bands()]
    assert len(grids) == 36_288
    assert len({form.tobytes() for form in forms_of(grids).cells}) == 416


def test_a_grid_with_too_many_symmetries_is_refused() -> None:
    with pytest.raises(PuzzleError, match="grid 2 has too many symmetries"):
        forms_of([SOLVED[81], "1" * 81])
