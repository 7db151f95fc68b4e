"""Random puzzles of every family have the answers that independent solvers find."""

import json

import pytest

from tests.differential.families import FAMILIES, MODULES, installed
from tests.differential.judging import faults
from tests.differential.report import judge
from tests.worker.solving import one
from worker.options import Options
from worker.outcome import Solution

#: CP-SAT takes 10 to 200 ms for a puzzle, the others less than 20
CASES = {"CP-SAT": 10, "brute force": 100}


@pytest.mark.parametrize(
    "oracle", sorted({one for each in FAMILIES.values() for one in each.oracles})
)
def test_random_puzzles_have_the_answers_that_an_independent_solver_finds(oracle: str) -> None:
    if oracle in MODULES:
        pytest.importorskip(MODULES[oracle], reason="it is in the extra `bench`")
    for seed in range(CASES.get(oracle, 30)):
        assert judge(seed, [oracle]).faults == []


def test_a_wrong_outcome_is_reported() -> None:
    text = json.dumps({"items": 2, "options": [[1], [1, 2], [2], [2]], "costs": [3, 9, 4, 8]})
    best, every = Options(target=True, keep=2), Options(None, keep=9)
    right, all_of_them = one(text, best), one(text, every)
    assert not [*faults(text, best, right, "brute force")]
    assert not [*faults(text, every, all_of_them, "brute force")]
    worse = right._replace(kept=right.kept[1:])
    other = right._replace(kept=(Solution("1 3", -8), *right.kept[1:]))
    for wrong in (worse, other, right._replace(bound=-6), right._replace(complete=False)):
        assert [*faults(text, best, wrong, "brute force")]
    fewer = all_of_them._replace(solutions=2)
    again = all_of_them._replace(kept=all_of_them.kept[:1] * 3)
    for wrong in (fewer, again, all_of_them._replace(kept=(Solution("1 2", None),))):
        assert [*faults(text, every, wrong, "brute force")]


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_100_000_random_puzzles_have_the_answers_that_independent_solvers_find() -> None:
    there = installed()
    assert there >= MODULES.keys(), "the extra `bench` is not installed"
    for seed in range(100_000):
        assert judge(seed, sorted(there)).faults == []
