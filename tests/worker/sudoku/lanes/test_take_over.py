"""The general search goes on where the lanes stopped: nothing is lost or found twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.values import Kind
from tests.sudoku import grids
from tests.worker.solving import one
from tests.worker.test_dividing import solved_in_parts
from worker.estimate.estimate import SHORT_NODES, estimate
from worker.exact_cover.state import terms
from worker.options import Options
from worker.sudoku.grids import PRESOLVING
from worker.sudoku.outcomes import outcomes
from worker.sudoku.solve import solver_of
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SYMBOLS
from worker.sudoku.weights import Scale, scale

pytestmark = pytest.mark.usefixtures("warm")

#: 12,906 solutions
MANY = "........1.....2.....3....4........5.....4....72......8...1.......143.....7....9.2"
ONE_CLUE = "1" + "." * 80


def solved(
    puzzle: str, lane_nodes: int, found: Scale, *, keep: int, every: bool
) -> tuple[int, list[str], list[int], bool]:
    """Number, texts and scores of all solutions, of which the lanes search so many nodes at first;
    and whether the lanes have stopped before the end."""
    values = np.array([SYMBOLS.index(symbol) for symbol in puzzle], np.uint8)
    asked = terms(limit=None, keep=keep, step=found.unit, costly=every)
    solver = GridSolver(9, values[None], found, asked, timeout=60, slice_seconds=9)
    stopped = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("worker.sudoku.solver.LANE_NODES", lane_nodes)
        while solver.at == 0:
            solver.make_room()
            solver.free_rows()
            solver.advance()
            stopped |= solver.stage == PRESOLVING
    options = Options(limit=None, keep=keep, target=every, every=every)
    (row,) = outcomes(solver.grids, 0, 1, options, found, {}).rows()
    assert row.complete
    assert row.solutions is not None
    scores = [one.score for one in row.kept if one.score is not None]
    return row.solutions, [one.text for one in row.kept], scores, stopped


@pytest.mark.attack
@given(st.integers(0, 10**6), st.integers(22, 27), st.integers(0, 3000), st.booleans())
@settings(max_examples=8, deadline=None)
def test_every_solution_is_found_once_wherever_the_lanes_stop(
    seed: int, clues: int, lane_nodes: int, every: bool
) -> None:
    puzzle = next(grids(seed, clues))
    found = scale(tuple(range(81)) if every else (0,) * 81)
    whole = solved(puzzle, 10**7, found, keep=1000, every=every)
    divided = solved(puzzle, lane_nodes, found, keep=1000, every=every)
    assert (divided[0], divided[2]) == (whole[0], whole[2])
    if whole[0] <= 1000:
        assert sorted(divided[1]) == sorted(whole[1])


@pytest.mark.attack
def test_a_search_that_outlives_the_lanes_keeps_what_they_found() -> None:
    solver = solver_of(ONE_CLUE, Options(limit=None), 9)
    solver.advance()
    assert solver.stage == PRESOLVING
    found, nodes = int(solver.search.state.found), int(solver.search.state.nodes)
    assert found > 100_000
    solver.slice_ns = 1
    solver.advance()
    assert solver.search.state.found >= found
    assert solver.search.state.nodes > nodes


@pytest.mark.attack
def test_a_search_for_the_best_score_that_outlives_the_lanes_keeps_the_best_they_found() -> None:
    solver = solver_of(ONE_CLUE, Options(target=True), 9)
    solver.advance()
    assert solver.stage == PRESOLVING
    cost, nodes = int(solver.search.kept.cost[0]), int(solver.search.state.nodes)
    solver.advance()
    assert solver.search.state.kept == 1
    assert int(solver.report.dual - solver.search.kept.cost[0]) == -cost
    assert solver.search.state.nodes == nodes


@pytest.mark.attack
def test_an_estimate_counts_the_nodes_of_the_lanes_with_their_time() -> None:
    found = estimate(Kind.SUDOKU, ONE_CLUE, Options(limit=None))
    assert found.searched >= 2 * SHORT_NODES
    assert found.ns / found.searched < found.ns_per_node  # nodes in lanes take less time


def test_the_first_solutions_are_kept_in_the_order_in_which_both_searches_find_them() -> None:
    none = scale((0,) * 81)
    number, texts, _, stopped = solved(MANY, 1000, none, keep=20_000, every=False)
    _, first, _, _ = solved(MANY, 1000, none, keep=300, every=False)
    assert (number, stopped) == (12_906, True)
    assert len(set(texts)) == number
    assert first == texts[:300]
    assert one(MANY, Options(limit=300, keep=300)).kept[0].text == texts[0]


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
