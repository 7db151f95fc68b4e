"""The checks of facts notice what is wrong."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from worker.checking.facts import after_singles, are_witnesses
from worker.errors import SolverFailed
from worker.facts.clues import Clues
from worker.facts.facts import facts_of
from worker.sudoku.solve import values_of

PUZZLE = "12...4.....3..2."
SOLVED = "1234341221434321"


def test_singles_are_placed_until_none_is_left() -> None:
    placed, candidates = after_singles(values_of([PUZZLE, "." * 16, "11" + "." * 14]))
    assert placed.tolist() == [16, 0, -1]
    assert candidates.tolist() == [0, 64, -1]


@pytest.mark.parametrize(
    ("cell", "value", "found", "is_right"),
    [
        (0, 2, SOLVED, True),
        (0, 1, SOLVED, False),  # it does not differ
        (0, 2, SOLVED[:-1] + "2", False),  # it is no solution
        (0, 2, SOLVED.translate(str.maketrans("12", "21")), False),  # it has other clues
    ],
)
def test_a_witness_solves_the_puzzle_without_a_clue_and_differs_there(
    cell: int, value: int, found: str, is_right: bool
) -> None:
    without = values_of(["." + SOLVED[1:]])
    given = np.array([cell]), np.array([value], np.uint8), values_of([found])
    assert are_witnesses(without, *given) == is_right


@pytest.mark.parametrize("wrong", ["witness", "singles", "depth"])
def test_facts_that_are_wrong_are_errors_of_the_solver(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def removed(clues: Clues, *_: Any) -> Iterator[None]:
        clues.witness[:] = 1
        yield

    def survey(_memory: Any, _given: Any, _solved: Any, _decided: Any, report: Any, *_: Any) -> int:
        report[:] = (16, 0, 1, 1, -1) if wrong == "depth" else (15, 2, 1, 1, -1)
        return 1

    if wrong == "witness":
        monkeypatch.setattr("worker.facts.clues._remove", removed)
    else:
        monkeypatch.setattr("worker.facts.facts.survey", survey)
    with pytest.raises(SolverFailed, match="wrong"):
        list(facts_of(values_of([PUZZLE])))
