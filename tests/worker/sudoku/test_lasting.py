"""A search that outlives the lanes starts again as a problem: nothing is lost or found twice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.values import Kind
from tests.sudoku import grids, is_solution
from tests.worker.solving import one
from tests.worker.test_dividing import solved_in_parts
from worker.estimate.estimate import SHORT_NODES, estimate
from worker.estimate.ranges import exactly
from worker.options import Options
from worker.outcome import Outcome
from worker.stopwatch import nanoseconds
from worker.sudoku.solve import read, solver_of
from worker.sudoku.solver import LANE_NODES

pytestmark = pytest.mark.usefixtures("warm")

#: 12,906 solutions
MANY = "........1.....2.....3....4........5.....4....72......8...1.......143.....7....9.2"
ONE_CLUE = "1" + "." * 80


def solved(puzzle: str, lane_nodes: int, options: Options) -> Outcome:
    """The outcome of a grid of which the lanes search so many nodes at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("worker.sudoku.solver.LANE_NODES", lane_nodes)
        return one(puzzle, options)


@pytest.mark.attack
@given(st.integers(0, 10**6), st.integers(22, 27), st.integers(0, 3000), st.booleans())
@settings(max_examples=8, deadline=None)
def test_every_solution_is_found_once_wherever_the_lanes_stop(
    seed: int, clues: int, lane_nodes: int, every: bool
) -> None:
    puzzle = next(grids(seed, clues))
    options = Options(None, target=every, every=every, weights=tuple(range(81)), keep=1000)
    whole = solved(puzzle, 10**7, options)
    divided = solved(puzzle, lane_nodes, options)
    assert whole.complete
    assert divided.complete
    assert divided.solutions == whole.solutions
    assert [kept.score for kept in divided.kept] == [kept.score for kept in whole.kept]
    if (whole.solutions or 0) <= 1000:
        assert sorted(divided.kept) == sorted(whole.kept)


@pytest.mark.attack
@pytest.mark.parametrize("target", [False, True])
def test_a_search_that_outlives_the_lanes_keeps_what_they_found(target: bool) -> None:
    options = Options(limit=None, target=target)
    solver, grid = solver_of(ONE_CLUE, options, 9), read(ONE_CLUE, options)
    solver.advance()
    assert solver.goes_on(nanoseconds(9))
    begun = solver.begun(grid)
    assert begun.found > (64 if target else 100_000)
    assert begun.nodes > 0
    assert is_solution(ONE_CLUE, grid.puzzle.texts([tuple(begun.options[0].tolist())])[0])
    wanted = None if target else begun.found + 10_000
    outcome = one(ONE_CLUE, Options(limit=wanted, target=target, timeout=1.5 if target else 60))
    assert target or outcome.solutions == wanted
    assert outcome.nodes > begun.nodes


@pytest.mark.attack
def test_an_estimate_counts_the_nodes_of_the_lanes_with_their_time() -> None:
    found = estimate(Kind.SUDOKU, ONE_CLUE, Options(limit=None))
    short = found.short
    assert short.nodes >= 2 * SHORT_NODES
    in_lanes = SHORT_NODES * short.ns_per_first_node
    assert short.ns == pytest.approx(in_lanes + (short.nodes - SHORT_NODES) * short.ns_per_node)
    few, many = found._replace(nodes=exactly(LANE_NODES)), found._replace(nodes=exactly(10**9))
    assert few.seconds().likely == pytest.approx(LANE_NODES * short.ns_per_first_node / 1e9)
    left = (10**9 - LANE_NODES) * short.ns_per_node / 1e9
    assert many.seconds().likely == pytest.approx(left + few.seconds().likely)


def test_the_first_solutions_are_kept_in_the_order_in_which_they_are_found() -> None:
    all_of_them = solved(MANY, 1000, Options(limit=None, keep=20_000))
    first = solved(MANY, 1000, Options(limit=None, keep=300))
    assert len(set(all_of_them.kept)) == all_of_them.solutions == 12_906
    assert all_of_them.nodes > 1000
    assert first.kept == all_of_them.kept[:300]


@pytest.mark.attack
@pytest.mark.parametrize("every", [False, True])
def test_a_division_does_not_change_which_solutions_are_kept(
    every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.sudoku.solver.LANE_NODES", 1000)
    options = Options(limit=None, keep=300, target=every, every=every, weights=(1,) * 81)
    whole = one(MANY, options)
    parted, parts = solved_in_parts(MANY, options, budget=0.001, seed=1)
    assert parts > 9
    assert (parted.solutions, whole.solutions) == (12_906, 12_906)
    assert parted.kept == whole.kept
