"""Dual multipliers change the cost of every cover by the same amount, and bound it."""

import numpy as np
import pytest
from hypothesis import given

from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import langford
from worker.exact_cover.costs.dual import Dual, new_dual, tighten
from worker.exact_cover.layout import Links, general, links
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import solve

pytestmark = pytest.mark.usefixtures("warm")
EVER = 2**62


def tightened(problem: Problem, timeout_ns: int = EVER) -> tuple[Links, Dual, int]:
    """The problem with reduced costs, its multipliers, and their sum."""
    tables = links(problem)
    dual = new_dual(problem.items, problem.cost.size, problem.members.size)
    rise, highest = tighten(general(tables), dual, 200, 0.0, timeout_ns)
    has_primary = np.array(
        [
            (problem.members[start:stop] <= problem.primary).any()
            for start, stop in zip(problem.first[:-1], problem.first[1:], strict=True)
        ],
        np.bool_,
    )
    assert highest == max(tables.cost[has_primary].tolist(), default=0)
    return tables, dual, rise


@given(problems())
def test_reduced_costs_and_multipliers_add_up_to_the_cost_of_every_cover(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    tables, dual, rise = tightened(number(primary, secondary, options, costs))
    assert dual.multiplier.sum() == rise
    assert not dual.multiplier[primary + 1 :].any()
    for chosen in covers(primary, secondary, options):
        assert sum(tables.cost[list(chosen)]) == sum(costs[k] for k in chosen) + rise


@given(problems())
def test_no_reduced_cost_is_negative_however_little_time_there_is(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    for timeout_ns in (0, EVER):
        tables, _, _ = tightened(number(primary, secondary, options, costs), timeout_ns)
        reduced = tables.cost.tolist()
        for item in range(1, primary + 1):
            mine = [reduced[k] for k, option in enumerate(options) if item in option]
            assert min(mine, default=0) >= 0


def test_a_single_option_pays_its_whole_cost() -> None:
    tables, _, rise = tightened(number(2, 1, [[1], [2, 3], [1, 3]], [10**9, 10**9, 2 * 10**9]))
    assert tables.cost.tolist() == [0, 0, 10**9]
    assert rise == -2 * 10**9


def test_the_bound_of_three_options_that_overlap_is_half_of_their_cost() -> None:
    # The linear relaxation chooses each option by half; item after item, the bound would be 10.
    *_, rise = tightened(number(3, 0, [[1, 2], [2, 3], [1, 3]], [1000, 1000, 1000]))
    assert -1500 <= rise <= -1490


@pytest.mark.parametrize("seed", range(5))
def test_multipliers_leave_the_order_of_covers_by_cost(seed: int) -> None:
    chance = np.random.default_rng(seed)
    plain = langford(7)
    plain = plain._replace(cost=chance.integers(0, 10_000, plain.cost.size))
    tables, _, rise = tightened(plain)
    assert tables.cost.min() == 0
    assert rise < 0
    before, after = solve(plain, keep=52), solve(plain._replace(cost=tables.cost), keep=52)
    assert [cost + rise for _, cost in before.kept] == [cost for _, cost in after.kept]
