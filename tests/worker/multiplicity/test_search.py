"""Algorithm M: the same covers as by brute force, and published numbers."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import langford, pentominoes, queens
from tests.worker.multiplicity.oracle import Drawn, covers, partridge, problems
from tests.worker.set_cover.oracle import queens as attacks
from tests.worker.solving import longer
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.solve import solve as solve_exactly
from worker.exact_cover.state import terms
from worker.multiplicity.layout import Tables, tables_of
from worker.multiplicity.solve import Run, in_slices, solve, visit_all
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_multiplicity")


def tables(given: Tables) -> Iterator[np.ndarray]:
    """Every table that a search changes."""
    links = given.links
    words = links.nodes.item.size
    yield from (links.left, links.right, links.mask[:words], given.spare, given.room)


@given(problems(), st.sampled_from([1, 2, None]), st.sampled_from([1, 3, 5000]))
def test_the_covers_are_those_of_brute_force(drawn: Drawn, limit: int | None, keep: int) -> None:
    primary, secondary, options, _, bounds = drawn
    expected = covers(primary, secondary, options, bounds)
    result = solve(number(primary, secondary, options), bounds, limit=limit, keep=keep)
    assert result.found == (len(expected) if limit is None else min(limit, len(expected)))
    assert result.status == (stops.LIMITED if limit and len(expected) >= limit else stops.EXHAUSTED)
    kept = [chosen for chosen, _ in result.kept]
    assert len(set(kept)) == len(kept) == min(keep, result.found)
    assert set(kept) <= set(expected)


@given(problems(), st.integers(1, 4))
def test_every_cover_is_visited_and_the_cheapest_are_kept(drawn: Drawn, keep: int) -> None:
    primary, secondary, options, costs, bounds = drawn
    expected = covers(primary, secondary, options, bounds)
    *_, result = visit_all(number(primary, secondary, options, costs), bounds, keep=keep)
    assert result is not None
    assert (result.status, result.found) == (stops.EXHAUSTED, len(expected))
    assert {chosen for chosen, _ in result.kept} <= set(expected)
    prices = sorted(sum(costs[k] for k in chosen) for chosen in expected)
    assert [cost for _, cost in result.kept] == prices[:keep]
    assert all(sum(costs[k] for k in chosen) == cost for chosen, cost in result.kept)


@given(problems(), st.sampled_from([1, 2, 9]))
def test_undoing_restores_every_table(drawn: Drawn, wanted: int) -> None:
    primary, secondary, options, _, bounds = drawn
    problem = number(primary, secondary, options)
    run = Run(problem, bounds, terms(limit=wanted, keep=wanted), Stopwatch(1.0))
    before = [table.copy() for table in tables(run.slices.tables)]
    for _ in run.search():
        pass
    for old, new in zip(before, tables(run.slices.tables), strict=True):
        assert np.array_equal(old, new)


@pytest.mark.parametrize("problem", [queens(6), langford(7), pentominoes(3, 20, whole=True)])
def test_covers_of_each_item_once_are_the_exact_covers(problem: Problem) -> None:
    # Queens have secondary items, pentominoes items of several words.
    expected = solve_exactly(problem)
    assert solve(problem, [(1, 1)] * problem.primary).found == expected.found > 0


def dominating(side: int, queens: int) -> Found:
    """All ways in which so many queens attack every cell: an item for the cells, one for all."""
    cells = side * side
    options = [[*attacked, cells + 1] for attacked in attacks(side)]
    return solve(number(cells + 1, 0, options), [(1, cells)] * cells + [(queens, queens)])


@pytest.mark.parametrize(("side", "queens", "ways"), [(5, 3, 186), (6, 3, 4), (7, 4, 86)])
def test_so_many_queens_dominate_a_board_in_a_published_number_of_ways(
    side: int, queens: int, ways: int
) -> None:
    assert dominating(side, queens).found == ways
    assert dominating(side, queens - 1).found == 0


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_partridge_squares_below_order_eight_do_not_exist(order: int) -> None:
    result = solve(*partridge(order))
    assert (result.status, result.found) == (stops.EXHAUSTED, 0)


def test_a_search_pauses_after_each_slice_and_ends_at_its_timeout() -> None:
    tried = (
        list(in_slices(*partridge(7), watch=Stopwatch(limit, slice_seconds=0.01)))
        for limit in longer(0.1)
    )
    *slices, result = next(results for results in tried if len(results) > 4)
    assert result is not None
    assert (result.status, result.found) == (stops.TIMED_OUT, 0)
    assert not any(slices)


def test_a_greatest_number_may_be_far_above_the_number_of_options() -> None:
    result = solve(number(1, 0, [[1], [1]]), [(1, 2**31 - 1)], keep=9)
    assert sorted(chosen for chosen, _ in result.kept) == [(0,), (0, 1), (1,)]


def test_if_nothing_must_be_covered_the_empty_cover_is_one() -> None:
    assert solve(number(1, 1, [[2]]), [(0, 1)]).kept == [((), 0)]


def test_a_search_starts_on_tables_with_nothing_chosen() -> None:
    drawn = tables_of(number(2, 1, [[1, 3], [1, 2], [3]]), [(1, 2), (0, 1)])
    assert drawn.spare[1:].tolist() == [1, 1, 1]
    assert drawn.room[1:].tolist() == [2, 1, 1]
