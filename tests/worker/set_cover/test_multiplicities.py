"""The cheapest covers in which items may occur several times: those of brute force."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import partition, queens
from tests.worker.multiplicity.oracle import Drawn, covers, problems
from tests.worker.set_cover.oracle import assert_cheapest
from tests.worker.solving import longer
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.solve import solve as solve_exactly
from worker.exact_cover.state import UNBOUNDED, terms
from worker.set_cover.layout import Multiplicity, most_multiplier, step_of
from worker.set_cover.run import Run
from worker.set_cover.solve import cheapest
from worker.set_cover.strategy import DEFAULT, Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: with few first visits, small problems take the whole way; with few nodes, rounds that end at them
strategies = st.builds(
    Strategy,
    first_visits=st.sampled_from([0, 30, DEFAULT.first_visits]),
    early_visits=st.sampled_from([0, 1000, DEFAULT.early_visits]),
    sweeps=st.sampled_from([1, DEFAULT.sweeps]),
    walk_after=st.just(DEFAULT.walk_after),
    many=st.just(DEFAULT.many),
    first_nodes=st.sampled_from([1, DEFAULT.first_nodes]),
)
THOROUGH = Strategy(first_visits=0, early_visits=0)


def best(
    problem: Problem,
    bounds: list[Multiplicity],
    keep: int = 1,
    strategy: Strategy = DEFAULT,
) -> Found:
    """The result of a search for the cheapest covers."""
    return [one for one in cheapest(problem, bounds, keep=keep, strategy=strategy) if one][-1]


@given(problems(), st.integers(1, 4), strategies)
def test_the_cheapest_covers_are_those_of_brute_force(
    drawn: Drawn, keep: int, strategy: Strategy
) -> None:
    primary, secondary, options, costs, bounds = drawn
    expected = covers(primary, secondary, options, bounds)
    found = best(number(primary, secondary, options, costs), bounds, keep, strategy)
    assert_cheapest(found, expected, costs, keep)


def test_every_round_ends_at_a_cost_that_a_cover_can_have() -> None:
    # Else the bound after it, which is one step higher, could exceed the cost of a cover.
    problem = partition(40, 400, 0)
    problem = problem._replace(cost=problem.cost * 1001 + np.arange(problem.cost.size) % 7)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), THOROUGH, [(1, 1)] * problem.primary)
    budgets = {int(run._state.budget) for _ in run.slices()} - {UNBOUNDED}
    assert len(budgets) > 1
    assert all(budget % asked.step == 0 for budget in budgets)


@pytest.mark.parametrize("keep", [1, 5])
def test_covers_of_each_item_once_are_the_cheapest_exact_covers(keep: int) -> None:
    chance = random.Random(5)
    problem = queens(7)
    problem = problem._replace(cost=np.array([chance.randrange(50) for _ in problem.cost]))
    once = [(1, 1)] * problem.primary
    every = sorted(cost for _, cost in solve_exactly(problem, keep=1000).kept)
    for strategy in (DEFAULT, THOROUGH):
        assert [cost for _, cost in best(problem, once, keep, strategy).kept] == every[:keep]


def test_the_bound_sees_that_too_few_options_may_have_some_secondary_item() -> None:
    # Each option needs one of three secondary items, so that no more than three are chosen.
    options = [[1 + k % 8, 1 + (k + 3) % 8, 9 + k % 3] for k in range(200)]
    found = best(number(8, 3, options, [1] * 200), [(1, 8)] * 8, strategy=THOROUGH)
    assert (found.status, found.kept, found.nodes) == (stops.EXHAUSTED, [], 0)


@pytest.mark.parametrize("seed", range(5))
def test_a_limit_that_comes_at_any_time_hides_no_cover(seed: int) -> None:
    # With profits, the most that covers cost is more than any limit.
    chance, bounds = random.Random(seed), [(2, 2)] * 6
    options = [sorted(chance.sample(range(1, 7), 3)) for _ in range(14)]
    costs = [-chance.randint(1, 99) for _ in options]
    expected = covers(6, 0, options, bounds)
    least = min(sum(costs[k] for k in chosen) for chosen in expected)
    problem = number(6, 0, options, costs)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), THOROUGH, bounds)
    for _ in run.slices():
        run.limit_to(least)
    assert_cheapest(run.result(), expected, costs, 1)


def test_a_timeout_leaves_the_best_cover_so_far_and_a_bound() -> None:
    chance = random.Random(1)
    options = [sorted(chance.sample(range(1, 161), 5)) for _ in range(600)]
    costs = [chance.randint(40, 60) for _ in options]
    problem, bounds = number(160, 0, options, costs), [(2, 3)] * 160
    tried = (
        list(cheapest(problem, bounds, watch=Stopwatch(limit, slice_seconds=0.02)))[-1]
        for limit in longer(0.3)
    )
    result = next(one for one in tried if one and one.kept)
    assert result.status == stops.TIMED_OUT
    ((chosen, cost),) = result.kept
    assert sum(costs[k] for k in chosen) == cost
    assert result.bound is not None
    assert 0 < result.bound < cost


def test_no_bound_on_the_way_falls_or_exceeds_the_least_cost() -> None:
    problem = partition(40, 400, 1)
    run = Run(
        problem,
        terms(limit=None, keep=1, prune=True, step=step_of(problem)),
        UNBOUNDED,
        Stopwatch(slice_seconds=0.0001),
        THOROUGH,
        [(1, 1)] * problem.primary,
    )
    bounds = [run.result().bound or 0 for _ in run.slices()]
    assert len(set(bounds)) > 3
    assert bounds == sorted(bounds)
    assert 0 <= bounds[0] < bounds[-1] <= run.result().kept[0][1]


def test_multipliers_of_a_problem_without_a_cover_stay_below_their_limit() -> None:
    options = [[1, 2, 3 + k % 4] for k in range(40)]  # as often 1 as 2, and yet twice as often
    problem = number(6, 0, options, [10**12] * 40)
    bounds = [(3, 3), (6, 6), *[(0, 9)] * 4]
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(1.0), THOROUGH, bounds)
    for _ in run.slices():
        assert np.abs(run.tables.multiplier).max() <= most_multiplier(problem) + 1  # rounded
    result = run.result()
    assert (result.status, result.kept) == (stops.EXHAUSTED, [])


def test_large_costs_lose_no_precision() -> None:
    problem = number(1, 0, [[1], [1], [1]], [10**9, 10**9 - 1, 10**9])
    assert best(problem, [(2, 2)]).kept[0][1] == 2 * 10**9 - 1
