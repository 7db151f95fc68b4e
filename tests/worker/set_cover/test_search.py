"""The search for set covers: the same covers as by brute force, and published optima."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from tests.worker.exact_cover.problems import crews
from tests.worker.set_cover.oracle import (
    assert_cheapest,
    grid,
    queens,
    set_covers,
    total,
)
from tests.worker.solving import longer
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, terms
from worker.set_cover.layout import once, step_of
from worker.set_cover.run import Run
from worker.set_cover.solve import cheapest, within
from worker.set_cover.strategy import DEFAULT, Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: a problem as `problems` draws it
Drawn = tuple[int, int, list[list[int]], list[int]]
#: the search with the estimate h() alone, without reductions and without local search
PLAIN = Strategy(first_visits=UNLIMITED)
#: with few first visits, small problems take the whole way
strategies = st.just(PLAIN) | st.builds(
    Strategy,
    first_visits=st.sampled_from([0, 0, 30, 300, DEFAULT.first_visits]),
    early_visits=st.sampled_from([0, 0, 1000, DEFAULT.early_visits]),
    sweeps=st.sampled_from([1, DEFAULT.sweeps]),
    walk_after=st.sampled_from([0.0, DEFAULT.walk_after]),
    many=st.sampled_from([0, DEFAULT.many]),
    first_nodes=st.sampled_from([1, DEFAULT.first_nodes]),
)
#: without a first search, which would solve a small problem alone
THOROUGH = Strategy(first_visits=0, early_visits=0, walk_after=0.0)


def best(problem: Problem, **given: Any) -> Found:
    """The result of a search for the cheapest covers."""
    return [one for one in cheapest(problem, **given) if one][-1]


def cost_of(result: Found) -> int:
    """The cost of the cheapest cover that was found."""
    return result.kept[0][1]


def any_within(problem: Problem, at_most: int, **given: Any) -> Found:
    """The result of a search for covers that are cheap enough."""
    return [one for one in within(problem, at_most, **given) if one][-1]


def unit(options: list[list[int]]) -> Problem:
    """A problem whose options cost 1 each."""
    return number(max(map(max, options)), 0, options, [1] * len(options))


def independent(side: int) -> Problem:
    """Dominating sets of a grid without neighbours: each edge is a secondary item."""
    options = grid(side, side)
    edges: dict[frozenset[int], int] = {}
    for vertex, covered in enumerate(options, start=1):
        ends = [frozenset({vertex, other}) for other in covered if other != vertex]
        covered += [edges.setdefault(edge, side * side + len(edges) + 1) for edge in ends]
    return number(side * side, len(edges), options, [1] * len(options))


@given(problems(), st.integers(1, 4), strategies)
def test_the_cheapest_covers_are_those_of_brute_force(
    drawn: Drawn, keep: int, strategy: Strategy
) -> None:
    primary, secondary, options, costs = drawn
    expected = set_covers(primary, secondary, options)
    problem = number(primary, secondary, options, costs)
    found = best(problem, keep=keep, strategy=strategy)
    assert_cheapest(found, expected, costs, keep)


@given(problems(), st.integers(0, 20), st.integers(1, 5), strategies)
def test_the_covers_within_a_cost_are_those_of_brute_force(
    drawn: Drawn, at_most: int, limit: int, strategy: Strategy
) -> None:
    primary, secondary, options, costs = drawn
    problem = number(primary, secondary, options, costs)
    every = set_covers(primary, secondary, options)
    expected = {one for one in every if total(one, costs) <= at_most}
    result = any_within(problem, at_most, limit=None, keep=3000, strategy=strategy)
    assert (result.status, result.found) == (stops.EXHAUSTED, len(expected))
    assert {chosen for chosen, _ in result.kept} == expected
    few = any_within(problem, at_most, limit=limit, keep=limit, strategy=strategy)
    assert few.found == len(few.kept) == min(limit, len(expected))
    assert {chosen for chosen, _ in few.kept} <= expected
    assert few.status == (stops.LIMITED if len(expected) >= limit else stops.EXHAUSTED)


@pytest.mark.parametrize(
    ("side", "fewest"), list(enumerate([1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5], start=1))
)
def test_queens_dominate_a_board(side: int, fewest: int) -> None:
    result = best(unit(queens(side)))
    assert (result.status, cost_of(result), result.bound) == (stops.EXHAUSTED, fewest, fewest)


@pytest.mark.parametrize(
    ("side", "fewest", "ways"), [(4, 2, 12), (5, 3, 186), (6, 3, 4), (7, 4, 86), (8, 5, 4860)]
)
def test_queens_dominate_a_board_in_a_published_number_of_ways(
    side: int, fewest: int, ways: int
) -> None:
    result = any_within(unit(queens(side)), fewest, limit=None)
    assert (result.status, result.found) == (stops.EXHAUSTED, ways)
    assert any_within(unit(queens(side)), fewest - 1).found == 0


@pytest.mark.parametrize(("side", "fewest"), [(4, 4), (5, 7), (6, 10), (7, 12), (8, 16), (9, 20)])
def test_grids_have_their_published_domination_numbers(side: int, fewest: int) -> None:
    assert cost_of(best(unit(grid(side, side)))) == fewest


def test_the_estimate_alone_finds_the_same_and_visits_more_nodes() -> None:
    problem = unit(grid(6, 6))
    plain, bounded = best(problem, strategy=PLAIN), best(problem)
    assert cost_of(plain) == cost_of(bounded)
    assert bounded.nodes < plain.nodes


def test_a_timeout_leaves_a_cover_and_a_bound() -> None:
    tried = (
        list(cheapest(unit(grid(25, 25)), watch=Stopwatch(limit, slice_seconds=0.01)))
        for limit in longer(0.1)
    )
    *slices, result = next(results for results in tried if len(results) > 4)
    assert result is not None
    assert result.bound is not None
    assert result.status == stops.TIMED_OUT
    assert not any(slices)
    assert 100 < result.bound < cost_of(result) < 160


def test_as_many_covers_as_are_wanted_are_found_before_time_runs_out() -> None:
    tried = (best(unit(grid(25, 25)), keep=5, watch=Stopwatch(limit)) for limit in longer(0.4))
    result = next(one for one in tried if len(one.kept) == 5)
    assert result.status == stops.TIMED_OUT
    assert len({chosen for chosen, _ in result.kept}) == 5
    assert result.kept[-1][1] < 160


@pytest.mark.parametrize(("side", "fewest"), [(4, 4), (5, 7), (6, 10), (7, 12), (8, 16)])
def test_no_fewer_vertices_dominate_these_grids_if_no_two_may_be_neighbours(
    side: int, fewest: int
) -> None:
    assert cost_of(best(independent(side), strategy=THOROUGH)) == fewest


def test_local_search_finds_sets_of_vertices_without_neighbours() -> None:
    tried = (best(independent(20), watch=Stopwatch(limit)) for limit in longer(0.4)[:2])
    assert any(one.kept and one.kept[0][1] < 97 for one in tried)  # without it, 97 in 2 s


def test_local_search_among_the_cheapest_options_finds_the_planted_cover() -> None:
    chance = np.random.default_rng(3)
    items, count = 120, 12_000
    planted = chance.permutation(items).reshape(20, 6) + 1
    options = [sorted(set(chance.integers(1, items + 1, 6).tolist())) for _ in range(count)]
    options += planted.tolist()
    problem = number(items, 0, options, [3] * count + [2] * 20)
    assert problem.cost.size > DEFAULT.many * items
    run = Run(
        problem,
        terms(limit=None, keep=1, prune=True, step=step_of(problem)),
        UNBOUNDED,
        Stopwatch(30.0, slice_seconds=0.01),
    )
    for _ in run.slices():
        pass
    assert run.result().kept == [(tuple(range(count, count + 20)), 40)]


def test_an_item_with_thousands_of_options_takes_no_longer_than_its_time_limit() -> None:
    options = [[1, 2 + k % 9] for k in range(20_000)]
    watch = Stopwatch(30.0, slice_seconds=0.05)
    slices = list(cheapest(unit(options), watch=watch))
    result = slices.pop()
    assert result is not None
    assert (result.status, cost_of(result)) == (stops.EXHAUSTED, 9)
    assert watch.wall_ns < 5e9


def test_large_costs_lose_no_precision() -> None:
    costs = [10**9, 10**9 - 1, 10**9]
    problem = number(2, 0, [[1, 2], [1], [2]], costs)
    assert best(problem).kept == [((0,), 10**9)]
    assert math.isclose(best(problem, keep=2).kept[1][1], 2 * 10**9 - 1, rel_tol=0)


@pytest.mark.parametrize("is_set_cover", [False, True])
@pytest.mark.parametrize("seed", [3, 13])
def test_every_slice_makes_progress_however_short_it_is(seed: int, is_set_cover: bool) -> None:
    problem, costs = crews(seed), []
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    for seconds in (1e-9, 1.0):
        bounds = None if is_set_cover else once(problem)
        watch = Stopwatch(slice_seconds=seconds)
        run = Run(problem, asked, UNBOUNDED, watch, THOROUGH, bounds)
        assert sum(1 for _ in run.slices()) < 20_000
        assert run.result().status == stops.EXHAUSTED
        costs.append(cost_of(run.result()))
    assert costs[0] == costs[1]


@pytest.mark.parametrize("seed", range(4))
def test_secondary_items_that_let_no_cover_exist_are_seen_before_the_search(seed: int) -> None:
    # Each option has up to six items and one of seven secondary ones: seven options have 42 of 44.
    chance = random.Random(seed)
    options = [
        [*sorted(chance.sample(range(1, 45), chance.randint(2, 6))), 45 + chance.randrange(7)]
        for _ in range(220)
    ]
    problem = number(44, 7, options, [chance.randint(1, 50) for _ in options])
    found = best(problem, strategy=Strategy(first_visits=0))
    assert (found.status, found.kept) == (stops.EXHAUSTED, [])
    assert found.nodes < 5
