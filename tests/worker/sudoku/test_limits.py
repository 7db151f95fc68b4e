"""Time limits of grids: they hold whatever is asked, with the time to write solutions down."""

import time
from dataclasses import replace

import pytest

from tests.worker.solving import P1074, SECOND, keeps_its_limit, one
from worker.options import Options
from worker.sudoku.solve import solve

pytestmark = [pytest.mark.usefixtures("warm"), pytest.mark.attack]

ASKED = {
    "any": Options(limit=None),
    "count": Options(limit=None, count=True),
    "sample": Options(limit=None, count=True, sample=2),
    "by option": Options(limit=None, count=True, per_option=True),
    "best": Options(target=True, keep=3),
    "every score": Options(target=True, every=True),
}
#: what keeps as many solutions as time allows
KEPT = {
    "any": Options(limit=None, keep=400_000),
    "best": Options(target=True, keep=400_000),
    "every score": Options(target=True, every=True, keep=400_000),
}


def asked(options: Options, side: int) -> Options:
    """These options, with weights for a grid of this side where scores count."""
    weights = tuple(k * k % 31 for k in range(side * side)) if options.target else None
    return replace(options, weights=weights)


@pytest.mark.parametrize("side", [9, 16, 25])
@pytest.mark.parametrize("kind", ASKED)
def test_every_search_of_a_grid_keeps_its_time_limit(kind: str, side: int) -> None:
    keeps_its_limit("." * side**2, asked(ASKED[kind], side))


@pytest.mark.parametrize("side", [9, 16, 25])
@pytest.mark.parametrize("kind", KEPT)
def test_a_search_that_keeps_many_solutions_of_a_grid_keeps_its_time_limit(
    kind: str, side: int
) -> None:
    # Writing texts, and an object of each as this test does, is no part of the stated time.
    keeps_its_limit("1" + "." * (side**2 - 1), asked(KEPT[kind], side), timeout=0.5, stated=None)


@pytest.mark.parametrize("kind", ["any", "every score"])
@pytest.mark.parametrize("side", [9, 16])
def test_more_time_finds_no_less(side: int, kind: str) -> None:
    # How far a search comes in its time depends on the machine, what it has found by then does not.
    wanted, grid = asked(ASKED[kind], side), "1" + "." * (side**2 - 1)
    outcomes = [one(grid, replace(wanted, timeout=seconds)) for seconds in (0.1, 0.2, 0.4, 0.8)]
    found = sorted((outcome.nodes, outcome.solutions or 0) for outcome in outcomes)
    assert found[-1][0] > 2 * found[0][0]
    assert [solutions for _, solutions in found] == sorted(solutions for _, solutions in found)


def test_the_time_of_the_caller_between_two_calls_is_that_of_no_puzzle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("worker.sudoku.solver.INITIAL_ROWS", 10)
    longest = 0
    for some in solve([P1074[0]] * 35, Options(), 60):
        longest = max([longest, *some.ns])
        busy_until = time.thread_time() + 0.1
        while time.thread_time() < busy_until:
            pass
    assert 0 < longest < 0.05 * SECOND
