"""The dance against brute force, its one law, and counts that others published."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import langford, pentominoes, queens
from worker.exact_cover import dlx
from worker.exact_cover.compiled import entry
from worker.exact_cover.dlx import EXHAUSTED, LIMITED, TIMED_OUT, Found, searching, solve
from worker.exact_cover.problem import Problem, number

Drawn = tuple[int, int, list[list[int]], list[int]]


@settings(deadline=None)  # the first call compiles
@given(problems())
def test_it_finds_the_covers_that_brute_force_finds(drawn: Drawn) -> None:
    primary, secondary, options, _ = drawn
    found = solve(number(primary, secondary, options), keep=3000)
    expected = covers(primary, secondary, options)
    assert sorted(chosen for chosen, _ in found.kept) == sorted(expected)
    assert (found.found, found.status) == (len(expected), EXHAUSTED)


@settings(deadline=None)  # the first call compiles
@given(problems(), st.booleans())
def test_an_item_with_more_options_than_fit_into_a_word_is_like_any_other(
    drawn: Drawn, copying: bool
) -> None:
    """Only [y, z] has y, so none of the many that also have z is in a cover."""
    primary, secondary, options, _ = drawn
    y, z = primary + secondary + 1, primary + secondary + 2
    many = [[item, z] for item in range(1, primary + secondary + 1)] * dlx.WIDTH
    # Primary items come first: y and z are swapped in front, all others follow.
    place = {y: 1, z: 2, **{item: item + 2 for item in range(1, y)}}
    all_options = [[place[item] for item in option] for option in [*options, *many, [y, z]]]
    problem = number(primary + 2, secondary, all_options)
    d = dlx.dance(primary + 2, 3000)
    x = dlx.links(problem, copying)
    search(x, d, dlx.asked(limit=None, keep=3000, prune=False, timeout=1.0))
    found = {
        tuple(k for k in sorted(d.kept[slot, : d.lengths[slot]].tolist()) if k < len(options))
        for slot in range(d.tally[dlx.KEPT])
    }
    expected = covers(primary, secondary, options)
    assert found == set(expected)
    assert d.tally[dlx.FOUND] == len(expected)


@settings(deadline=None)  # the first call compiles
@given(problems(), st.integers(1, 5), st.booleans())
def test_it_keeps_the_cheapest_covers_pruning_or_not(drawn: Drawn, keep: int, prune: bool) -> None:
    primary, secondary, options, costs = drawn
    found = solve(number(primary, secondary, options, costs), keep=keep, prune=prune)
    dearness = sorted(
        sum(costs[k] for k in chosen) for chosen in covers(primary, secondary, options)
    )
    assert [cost for _, cost in found.kept] == dearness[:keep]
    assert all(cost == sum(costs[k] for k in chosen) for chosen, cost in found.kept)
    if not prune:
        assert found.found == len(dearness)


@settings(deadline=None)  # the first call compiles
@given(problems(), st.integers(1, 4))
def test_it_stops_at_the_limit(drawn: Drawn, limit: int) -> None:
    primary, secondary, options, _ = drawn
    found = solve(number(primary, secondary, options), limit=limit, keep=limit)
    there = covers(primary, secondary, options)
    assert found.found == min(limit, len(there))
    assert found.status == (LIMITED if limit <= len(there) else EXHAUSTED)
    assert {chosen for chosen, _ in found.kept} <= set(there)


def search(x: dlx.Links, d: dlx.Dance, terms: dlx.Terms) -> None:
    """To the end, in one slice; the room must do."""
    assert next(dlx.slices(x, d, terms, slice_seconds=1e9)) is not None


def dancing(x: dlx.Links) -> list[NDArray[Any]]:
    """Everything but what the search notes for itself."""
    return [*x.nodes[:6], x.left, x.right, x.mask, x.cost]


@settings(deadline=None)  # the first call compiles
@given(problems(), st.sampled_from([None, 1, 2]), st.booleans(), st.booleans(), st.booleans())
def test_the_links_are_as_they_began_after_every_search(
    drawn: Drawn, limit: int | None, prune: bool, copying: bool, wide: bool
) -> None:
    primary, secondary, options, costs = drawn
    if wide and primary:
        options, costs = [*options, *[[1]] * dlx.WIDTH], [*costs, *[9] * dlx.WIDTH]
    problem = number(primary, secondary, options, costs)
    x, d = dlx.links(problem, copying), dlx.dance(primary, 1)
    before = [table.copy() for table in dancing(x)]
    search(x, d, dlx.asked(limit=limit, keep=1, prune=prune, timeout=1.0))
    assert all(map(np.array_equal, before, dancing(x)))


@pytest.mark.parametrize("copying", [True, False])
def test_the_links_are_as_they_began_after_a_time_out(copying: bool) -> None:
    problem = langford(12)
    x, d = dlx.links(problem, copying), dlx.dance(problem.primary, 1)
    before = [table.copy() for table in dancing(x)]
    terms = dlx.asked(limit=None, keep=1, prune=False, timeout=0.02)
    slices = dlx.slices(x, d, terms, slice_seconds=0)
    assert next(slices) is None
    assert d.tally[dlx.LEVEL] > 0
    assert not all(map(np.array_equal, before, dancing(x)))
    assert [found.status for found in slices if found] == [TIMED_OUT]
    assert all(map(np.array_equal, before, dancing(x)))


@pytest.mark.parametrize("name", ["queens", "langford", "pentominoes"])
def test_to_copy_the_masks_back_and_to_dance_back_is_the_same(name: str) -> None:
    """Queens have secondary items, pentominoes items of several words."""
    problem = {"queens": queens(7), "langford": langford(7), "pentominoes": pentominoes(5, 12)}[
        name
    ]
    told = [tallied(dlx.links(problem, copying), problem) for copying in (True, False)]
    assert told[0] == told[1]
    assert told[0][0] > 0


def tallied(x: dlx.Links, problem: Problem) -> tuple[int, int]:
    """Solutions and nodes of a whole search."""
    d = dlx.dance(problem.primary, 1)
    search(x, d, dlx.asked(limit=None, keep=1, prune=False, timeout=1e9))
    return int(d.tally[dlx.FOUND]), int(d.tally[dlx.NODES])


def test_memory_grows_with_the_problem_and_not_with_its_depth() -> None:
    """A path of 40,000 pairs: copied, the masks of all levels would take 6 GB."""
    primary = 40_000
    pairs = [[k, k + 1] for k in range(1, primary)]
    problem = number(primary, 0, [*pairs, [1, primary]])
    assert dlx.links(problem).copies.size == 0
    assert solve(problem).found == 2


def test_room_for_kept_covers_grows_as_they_are_found() -> None:
    for keep in (10, 90, 92, 10**6, 10**30):
        found = solve(queens(8), keep=keep)
        assert (found.found, len(found.kept)) == (92, min(keep, 92))
        assert len({chosen for chosen, _ in found.kept}) == min(keep, 92)


def test_of_equal_covers_the_first_found_are_kept_in_the_order_found() -> None:
    all_of_them = solve(queens(8), keep=92).kept
    for keep in (1, 5, 20):
        assert solve(queens(8), keep=keep).kept == all_of_them[:keep]
        assert solve(queens(8), keep=keep, prune=True).kept == all_of_them[:keep]


def test_a_limit_beyond_all_counting_is_no_limit() -> None:
    assert solve(queens(6), limit=10**30).found == 4


def test_the_clock_is_looked_at_even_where_one_node_is_much_work() -> None:
    """4000 options of 300 items each: to hide them all is a million nodes."""
    chance = random.Random(5)
    options = [chance.sample(range(1, 3001), 300) for _ in range(4000)]
    began = time.monotonic()
    found = solve_within(number(3000, 0, [*options, *([k] for k in range(1, 3001))]), 0.05)
    assert found.status == TIMED_OUT
    assert found.ns < 150_000_000
    assert time.monotonic() - began < 10


def test_slices_of_any_length_find_the_same() -> None:
    whole = solve(langford(8), keep=5)
    for seconds in (0.0, 1e-5, 1e-3):
        *pauses, found = searching(langford(8), keep=5, slice_seconds=seconds)
        assert found is not None
        assert found._replace(ns=0) == whole._replace(ns=0)
        assert pauses == [None] * len(pauses)
        assert pauses or seconds == 1e-3


def test_time_that_runs_out_leaves_what_was_found() -> None:
    found = solve_within(langford(12), 0.02)
    assert found.status == TIMED_OUT
    assert 10_000_000 < found.ns < 200_000_000


def solve_within(problem: Problem, seconds: float) -> Found:
    return next(found for found in searching(problem, timeout=seconds) if found)


@given(
    st.permutations(range(1, 13)),
    st.lists(st.lists(st.integers(1, 12), unique=True, min_size=1), max_size=20),
)
def test_a_planted_cover_is_found(items: Sequence[int], noise: list[list[int]]) -> None:
    planted = [list(items[start : start + 3]) for start in range(0, 12, 3)]
    options = [*noise, *planted]
    found = solve(number(12, 0, options))
    assert found.kept
    assert sorted(item for k in found.kept[0][0] for item in options[k]) == list(range(1, 13))


def test_an_item_without_an_option_ends_it_at_once() -> None:
    found = solve(number(3, 0, [[1], [2], [1, 2]]))
    assert (found.found, found.status, found.nodes) == (0, EXHAUSTED, 0)


def test_where_nothing_must_be_covered_the_empty_cover_is_the_only_one() -> None:
    found = solve(number(0, 2, [[1], [2]]), keep=5)
    assert found.kept == [((), 0)]


def test_an_option_without_a_primary_item_is_never_chosen() -> None:
    assert solve(number(1, 1, [[1], [2], []]), keep=9).kept == [((0,), 0)]


@entry
def tighten(x: dlx.Links, p: dlx.Prices, homes: int, deadline: int) -> Any:
    """Python cannot call a part of the kernel."""
    return dlx.tighten(x, p, homes, deadline)


@pytest.mark.parametrize("seed", range(5))
def test_prices_move_the_cost_of_every_cover_by_the_same(seed: int) -> None:
    chance = np.random.default_rng(seed)
    plain = langford(7)
    plain = plain._replace(cost=chance.integers(0, 10_000, plain.cost.size))
    x = dlx.links(plain)
    p = dlx.prices(plain.items, plain.cost.size, plain.members.size)
    rise = tighten(x, p, 7, 2**62)  # every option has one of the items up to 7
    assert x.cost.min() == 0
    assert p.price.sum() == rise < 0
    before, after = solve(plain, keep=52), solve(plain._replace(cost=x.cost), keep=52)
    assert [cost + rise for _, cost in before.kept] == [cost for _, cost in after.kept]


# Counts that others published.


@pytest.mark.parametrize(("side", "count"), [(1, 1), (2, 0), (3, 0), (6, 4), (8, 92), (12, 14_200)])
def test_queens(side: int, count: int) -> None:
    assert solve(queens(side)).found == count


@pytest.mark.parametrize(("order", "count"), [(3, 2), (4, 2), (5, 0), (7, 52), (11, 35_584)])
def test_langford_pairs_both_ways(order: int, count: int) -> None:
    assert solve(langford(order)).found == count


def test_pentominoes_fill_a_6_by_10_box_in_9356_ways() -> None:
    # No two turns or reflections of the box put the cross into the same quarter.
    assert 4 * solve(pentominoes(6, 10)).found == 9_356


UNCOMPILED = """
import numpy as np
np.seterr(all="raise")
from storage.values import Kind
from tests.worker.exact_cover.problems import langford, queens
from tests.worker.exact_cover.test_dlx import solve, slow_slices
from worker.options import Options
from worker.solve import search
assert solve(queens(6)).found == 4
assert solve(langford(4)).found == 2
assert slow_slices(queens(5)) == 10
for target in (False, True):
    options = Options(None, target, (1,) * 16, True)
    [outcome] = [one for few in search(Kind.SUDOKU, ["." * 16], options) for one in few.rows()]
    assert (outcome.solutions, outcome.complete) == (288, True)
"""


def slow_slices(problem: Problem) -> int:
    """How many covers there are, a slice for every few nodes."""
    return next(found for found in searching(problem, slice_seconds=0.0) if found).found


@pytest.mark.filterwarnings("default")
def test_the_kernel_also_runs_uncompiled() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
