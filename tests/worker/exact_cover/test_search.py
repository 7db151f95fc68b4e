"""The search: against brute force, the law of Dancing Links, slices and time limits."""

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import langford, partition, pentominoes, queens, soma
from tests.worker.exact_cover.searching import (
    FORMS,
    asked,
    constant_tables,
    laid_out,
    run,
    same,
    search_for,
    solve_within,
)
from worker.exact_cover import stops
from worker.exact_cover.layout import links
from worker.exact_cover.nodes import WORD_BITS
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import in_slices, run_in_slices, solve
from worker.stopwatch import Stopwatch

Drawn = tuple[int, int, list[list[int]], list[int]]
pytestmark = pytest.mark.usefixtures("warm")


@given(problems(), st.sampled_from(FORMS))
def test_the_search_finds_the_covers_that_brute_force_finds(drawn: Drawn, form: str) -> None:
    primary, secondary, options, _ = drawn
    problem = number(primary, secondary, options)
    found = run(laid_out(problem, form), search_for(problem, 3000), asked(keep=3000))
    expected = covers(primary, secondary, options)
    assert sorted(chosen for chosen, _ in found.kept) == sorted(expected)
    assert (found.found, found.status) == (len(expected), stops.EXHAUSTED)


@given(problems(), st.sampled_from(FORMS), st.integers(0, 5 * WORD_BITS))
def test_items_with_more_options_than_a_word_holds_are_covered_alike(
    drawn: Drawn, form: str, at: int
) -> None:
    # Only [y, z] has y, so none of the many other options that have z is in a cover.  They stand
    # before, between and behind the drawn options, whose bits are in any word of their items.
    primary, secondary, options, _ = drawn
    y, z = primary + secondary + 1, primary + secondary + 2
    many = [[item, z] for item in range(1, primary + secondary + 1)] * WORD_BITS
    at = min(at, len(many))
    # Primary items come first: y and z become 1 and 2, and all others follow.
    place = {y: 1, z: 2, **{item: item + 2 for item in range(1, y)}}
    all_options = [*many[:at], *options, *many[at:], [y, z]]
    numbered = [[place[item] for item in option] for option in all_options]
    problem = number(primary + 2, secondary, numbered)
    result = run(laid_out(problem, form), search_for(problem, 3000), asked(keep=3000))
    own = range(at, at + len(options))
    found = {tuple(k - at for k in chosen if k in own) for chosen, _ in result.kept}
    expected = covers(primary, secondary, options)
    assert found == set(expected)
    assert result.found == len(expected)


@given(problems(), st.integers(1, 5), st.booleans())
def test_the_cheapest_covers_are_kept_with_or_without_pruning(
    drawn: Drawn, keep: int, prune: bool
) -> None:
    primary, secondary, options, costs = drawn
    found = solve(number(primary, secondary, options, costs), keep=keep, prune=prune)
    totals = sorted(sum(costs[k] for k in chosen) for chosen in covers(primary, secondary, options))
    assert [cost for _, cost in found.kept] == totals[:keep]
    assert all(cost == sum(costs[k] for k in chosen) for chosen, cost in found.kept)
    if not prune:
        assert found.found == len(totals)


@given(problems(), st.integers(1, 4))
def test_the_search_stops_at_the_limit(drawn: Drawn, limit: int) -> None:
    primary, secondary, options, _ = drawn
    found = solve(number(primary, secondary, options), limit=limit, keep=limit)
    all_covers = covers(primary, secondary, options)
    assert found.found == min(limit, len(all_covers))
    assert found.status == (stops.LIMITED if limit <= len(all_covers) else stops.EXHAUSTED)
    assert {chosen for chosen, _ in found.kept} <= set(all_covers)


# --- the law: what is undone in reverse order leaves every table as it was ---


@given(
    problems(), st.sampled_from([None, 1, 2]), st.booleans(), st.sampled_from(FORMS), st.booleans()
)
def test_every_table_is_as_before_after_every_search(
    drawn: Drawn, limit: int | None, prune: bool, form: str, several_words: bool
) -> None:
    primary, secondary, options, costs = drawn
    if several_words and primary:
        options, costs = [*options, *[[1]] * WORD_BITS], [*costs, *[9] * WORD_BITS]
    problem = number(primary, secondary, options, costs)
    tables = laid_out(problem, form)
    before = constant_tables(tables)
    run(tables, search_for(problem, 1), asked(limit, prune=prune))
    assert same(before, constant_tables(tables))


@pytest.mark.parametrize("form", FORMS)
def test_every_table_is_as_before_after_a_timeout(form: str) -> None:
    problem = langford(12)
    tables, search = laid_out(problem, form), search_for(problem, 1)
    before = constant_tables(tables)
    slices = run_in_slices(tables, search, asked(), watch=Stopwatch(0.02, slice_seconds=0))
    assert next(slices) is None
    while search.state.level == 0:  # it goes on without comparing pairs
        assert next(slices) is None
    assert not same(before, constant_tables(tables))
    assert [found.status for found in slices if found] == [stops.TIMED_OUT]
    assert same(before, constant_tables(tables))


@pytest.mark.parametrize("name", ["queens", "langford", "pentominoes"])
def test_restoring_masks_from_snapshots_and_from_the_trail_visits_the_same_nodes(
    name: str,
) -> None:
    # Queens have secondary items, pentominoes items of several words.
    problem = {"queens": queens(7), "langford": langford(7), "pentominoes": pentominoes(5, 12)}[
        name
    ]
    copied, logged = (
        run(laid_out(problem, form), search_for(problem, 1), asked())
        for form in ("snapshots", "trail")
    )
    assert (copied.found, copied.nodes) == (logged.found, logged.nodes)
    assert copied.found > 0


@pytest.mark.parametrize(
    ("problem", "found", "nodes", "pruned"),
    [
        (queens(7), 40, 529, 7),
        (langford(7), 52, 712, 8),
        (partition(16, 30, 1), 689, 1498, 686),
        (partition(16, 30, 2), 588, 1309, 481),
    ],
)
def test_the_trees_of_known_problems_do_not_grow(
    problem: Problem, found: int, nodes: int, pruned: int
) -> None:
    for form in FORMS:
        whole = run(laid_out(problem, form), search_for(problem, 1), asked())
        assert (whole.found, whole.nodes <= nodes) == (found, True), whole.nodes
        best = run(laid_out(problem, form), search_for(problem, 1), asked(prune=True))
        assert best.nodes <= pruned


# --- memory, limits and time ---


def test_memory_does_not_grow_with_the_depth_of_the_search() -> None:
    # A path of 40,000 pairs: snapshots for all levels would take 6 GB.
    primary = 40_000
    pairs = [[k, k + 1] for k in range(1, primary)]
    problem = number(primary, 0, [*pairs, [1, primary]])
    assert links(problem).snapshots.size == 0
    assert solve(problem).found == 2


def test_room_for_kept_covers_grows_as_they_are_found() -> None:
    for keep in (10, 90, 92, 10**6, 10**30):
        found = solve(queens(8), keep=keep)
        assert (found.found, len(found.kept)) == (92, min(keep, 92))
        assert len({chosen for chosen, _ in found.kept}) == min(keep, 92)


def test_of_covers_of_equal_cost_the_first_found_are_kept_in_that_order() -> None:
    for prune in (False, True):
        all_of_them = solve(queens(8), keep=92, prune=prune).kept
        for keep in (1, 5, 20):
            assert solve(queens(8), keep=keep, prune=prune).kept == all_of_them[:keep]


def test_a_limit_above_any_count_is_no_limit() -> None:
    assert solve(queens(6), limit=10**30).found == 4


def test_the_time_limit_holds_where_one_node_takes_long() -> None:
    # 4,000 options of 300 items each: hiding them all touches a million nodes.
    chance = random.Random(5)
    options = [chance.sample(range(1, 3001), 300) for _ in range(4000)]
    problem = number(3000, 0, [*options, *([k] for k in range(1, 3001))])
    began = time.monotonic()
    found = solve_within(problem, 0.05)
    assert found.status == stops.TIMED_OUT
    assert found.ns < 1_000_000_000  # with the layout
    assert time.monotonic() - began < 10


def test_slices_of_any_length_find_the_same() -> None:
    whole = solve(langford(8), keep=5)
    for seconds in (0.0, 1e-5, 1e-3):
        *pauses, found = in_slices(langford(8), keep=5, watch=Stopwatch(slice_seconds=seconds))
        assert found is not None
        assert found._replace(ns=0) == whole._replace(ns=0)
        assert pauses == [None] * len(pauses)
        assert pauses or seconds == 1e-3


def test_a_timeout_is_reported_soon_after_the_time_limit() -> None:
    found = solve_within(langford(12), 0.02)
    assert found.status == stops.TIMED_OUT
    assert 0 < found.ns < 200_000_000


# --- problems with a known answer ---


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


def test_an_item_without_an_option_ends_the_search_at_once() -> None:
    found = solve(number(3, 0, [[1], [2], [1, 2]]))
    assert (found.found, found.status, found.nodes) == (0, stops.EXHAUSTED, 0)


def test_the_empty_cover_is_the_only_one_of_a_problem_without_primary_items() -> None:
    found = solve(number(0, 2, [[1], [2]]), keep=5)
    assert found.kept == [((), 0)]


def test_an_option_without_a_primary_item_is_never_chosen() -> None:
    assert solve(number(1, 1, [[1], [2], []]), keep=9).kept == [((0,), 0)]


@pytest.mark.parametrize(("side", "count"), [(1, 1), (2, 0), (3, 0), (6, 4), (8, 92), (12, 14_200)])
def test_queens_have_the_published_number_of_solutions(side: int, count: int) -> None:
    assert solve(queens(side)).found == count


@pytest.mark.parametrize(("order", "count"), [(3, 2), (4, 2), (5, 0), (7, 52), (11, 35_584)])
def test_langford_pairs_have_the_published_number_of_arrangements(order: int, count: int) -> None:
    assert solve(langford(order)).found == count


def test_the_soma_cube_has_240_solutions_in_48_positions() -> None:
    assert solve(soma()).found == 240 * 48


def test_pentominoes_fill_a_6_by_10_box_in_9356_ways() -> None:
    # Of the four reflections of a solution, one has the cross in the upper left quarter.
    assert 4 * solve(pentominoes(6, 10)).found == 9_356


def slow_slices(problem: Problem) -> int:
    """The number of covers, found with a slice for every few nodes."""
    return next(
        found for found in in_slices(problem, watch=Stopwatch(slice_seconds=0.0)) if found
    ).found
