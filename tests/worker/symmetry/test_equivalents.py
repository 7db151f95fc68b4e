"""Random equivalents are drawn from all arrangements, and are those that they say."""

import json
from collections import Counter
from random import Random

import pytest

from bullseye import canonical
from tests.worker.symmetry.arrangements import lines
from worker.symmetry.equivalents import equivalents
from worker.symmetry.forms import Arrangement

PUZZLES = {
    16: ("1...2......3....", "1234341221434321"),
    36: ("1" + "." * 34 + "2", None),
    81: (
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
    ),
}


@pytest.mark.parametrize("cells", PUZZLES)
def test_an_equivalent_has_the_form_of_its_puzzle(cells: int) -> None:
    puzzle, solution = PUZZLES[cells]
    found = list(equivalents(puzzle, solution, 50, Random(3)))
    assert set(canonical([one.puzzle for one in found])) == {canonical(puzzle)}
    for one in found:
        arrangement = Arrangement(**json.loads(one.arrangement))
        assert arrangement.applied(puzzle) == one.puzzle
        assert one.solution == (solution and arrangement.applied(solution))


def test_every_arrangement_is_drawn_equally_often() -> None:
    drawn = Counter(one.arrangement for one in equivalents("." * 16, None, 20_000, Random(1)))
    rows = Counter[object]()
    for text, number in drawn.items():
        found = json.loads(text)
        rows[found["transposed"], *found["rows"]] += number
    assert len(rows) == 2 * len(lines(2, 2)) == 16
    assert all(abs(number - 1250) < 180 for number in rows.values())
