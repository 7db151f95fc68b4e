"""The cheapest covers, found in rounds below a bound, against brute force and plain search."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sudoku import grids
from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import partition
from tests.worker.solving import longer
from worker.exact_cover import stops
from worker.exact_cover.costs.cheapest import cheapest
from worker.exact_cover.costs.rounds import CostRounds
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found, solve
from worker.exact_cover.state import kept_paths
from worker.stopwatch import Stopwatch
from worker.sudoku.board import open_cells
from worker.sudoku.symbols import SYMBOLS

pytestmark = pytest.mark.usefixtures("warm")


def result(problem: Problem, keep: int = 1, timeout: float = 30.0, *, every: bool = False) -> Found:
    results = cheapest(
        problem, keep=keep, visit_all=every, watch=Stopwatch(timeout, slice_seconds=0.01)
    )
    return next(one for one in results if one)


@given(problems(), st.integers(1, 4), st.booleans())
def test_the_cheapest_covers_are_those_of_brute_force(
    drawn: tuple[int, int, list[list[int]], list[int]], keep: int, every: bool
) -> None:
    primary, secondary, options, costs = drawn
    found = result(number(primary, secondary, options, costs), keep, every=every)
    totals = sorted(sum(costs[k] for k in chosen) for chosen in covers(primary, secondary, options))
    assert [cost for _, cost in found.kept] == totals[:keep]
    assert len({chosen for chosen, _ in found.kept}) == len(found.kept)
    assert found.status == stops.EXHAUSTED
    assert not totals or found.bound == totals[0]
    assert not every or found.found == len(totals)


@pytest.mark.parametrize("seed", range(3))
def test_rounds_prove_the_cost_that_plain_search_proves(seed: int) -> None:
    problem = partition(24, 120, seed)
    plain = solve(problem, prune=True, keep=3)
    found = result(problem, keep=3)
    assert [cost for _, cost in found.kept] == [cost for _, cost in plain.kept]
    assert found.status == stops.EXHAUSTED


def test_the_bound_and_the_best_cover_are_true_when_time_runs_out() -> None:
    problem = partition(200, 3000, 0)
    hasty = result(problem, timeout=0.0)
    tried = (result(problem, timeout=limit) for limit in longer(0.5))
    patient = next(one for one in tried if one.kept)
    assert (hasty.status, hasty.kept) == (stops.TIMED_OUT, [])
    ((chosen, cost),) = patient.kept
    assert cost == int(problem.cost[list(chosen)].sum())
    assert hasty.bound is not None
    assert patient.bound is not None
    assert hasty.bound <= patient.bound <= cost


def test_a_search_near_a_cover_keeps_the_cover_and_frees_some_of_its_options() -> None:
    problem = partition(40, 200, 1)
    rounds = CostRounds(problem, 1, watch=Stopwatch(10, slice_seconds=10), prune=True)
    for _ in rounds.run():
        pass
    ((path, cost),) = kept_paths(rounds.search)
    rounds.freed = 3
    for _ in rounds.search_near():
        pass
    assert kept_paths(rounds.search) == [(path, cost)]


@pytest.mark.parametrize("cost", [10**9, 2**51])
def test_large_costs_are_added_exactly(cost: int) -> None:
    problem = number(200, 0, [[k] for k in range(1, 201)], [cost] * 200)
    found = result(problem)
    assert [total for _, total in found.kept] == [200 * cost]
    assert found.bound is not None
    assert found.bound <= 200 * cost


def test_visiting_and_keeping_every_cover_takes_time_in_proportion_to_their_number() -> None:
    # 2 ** 14 covers: comparing each with all kept ones would take seconds.
    problem = number(14, 0, [[item] for item in range(1, 15)] * 2, list(range(28)))
    found = result(problem, keep=2**14, every=True)
    assert (found.found, len(found.kept), found.bound) == (2**14, 2**14, sum(range(14)))
    assert found.ns < 1_000_000_000


@pytest.mark.attack
@pytest.mark.parametrize("offset", [1000, 10**6, 10**8])
def test_a_cost_that_all_covers_share_takes_no_search(offset: int) -> None:
    chance = random.Random(1)
    values = np.array([SYMBOLS.index(symbol) for symbol in next(grids(5, 18))], np.uint8)
    problem = open_cells(values).problem
    costs = np.array([chance.randrange(20) for _ in problem.cost], np.int64)
    small, large = (result(problem._replace(cost=costs + more)) for more in (0, offset))
    assert large.nodes == small.nodes
    assert large.bound == (small.bound or 0) + offset * int((values == 0).sum())
