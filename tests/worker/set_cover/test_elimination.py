"""Elimination of options: the cheapest set cover where few options are neighbours at once."""

import random
import time
from itertools import product
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.worker.multiplicity.oracle import Drawn, covers
from tests.worker.multiplicity.oracle import problems as drawn_with_multiplicities
from tests.worker.set_cover.oracle import grid, set_covers, total
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, Path, terms
from worker.set_cover.elimination import plan
from worker.set_cover.elimination.eliminate import Elimination
from worker.set_cover.elimination.order import Item, steps_of
from worker.set_cover.layout import Tables, step_of, tables_of
from worker.set_cover.run import Run
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: no problem is solved before its options are eliminated, unless its bound says so
STRATEGY = Strategy(first_visits=0, early_visits=0)


def dominating(rows: int, columns: int) -> Problem:
    """The cells of a board, each of which covers itself and its neighbours."""
    return number(rows * columns, 0, grid(rows, columns), [1] * (rows * columns))


def ended(tables: Tables, step: int, watch: Stopwatch | None = None) -> Elimination:
    """The elimination of all free options, with its tables unless they are too large."""
    elimination = Elimination(tables, step, watch or Stopwatch())
    for _ in elimination.slices():
        pass
    return elimination


def eliminated(tables: Tables, step: int, watch: Stopwatch | None = None) -> Path | None:
    """The cheapest cover that an elimination finds."""
    return ended(tables, step, watch).cover()


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, list[list[int]], list[int]]:
    """Items that have options each, these options, and their costs."""
    items, count = draw(st.integers(1, 7)), draw(st.integers(1, 8))
    has = st.lists(st.integers(1, items), min_size=1, max_size=3, unique=True).map(sorted)
    options = [*draw(st.lists(has, min_size=count, max_size=count)), list(range(1, items + 1))]
    return items, options, [*draw(st.lists(st.integers(0, 9), min_size=count, max_size=count)), 30]


@given(problems())
def test_the_cheapest_set_cover_is_that_of_brute_force(
    drawn: tuple[int, list[list[int]], list[int]],
) -> None:
    items, options, costs = drawn
    every = set_covers(items, 0, options)
    problem = number(items, 0, options, costs)
    path = eliminated(tables_of(problem), step_of(problem))
    assert path in every
    assert total(path, costs) == min(total(one, costs) for one in every)


@given(drawn_with_multiplicities())
def test_the_cheapest_cover_with_multiplicities_is_that_of_brute_force(drawn: Drawn) -> None:
    primary, secondary, options, costs, bounds = drawn
    problem = number(primary, secondary, options, costs)
    every = covers(primary, secondary, options, bounds)
    elimination = ended(tables_of(problem, bounds), step_of(problem))
    path = elimination.cover()
    assume(elimination.seconds)  # some problems restrict nothing
    assert (path is None) == (not every)
    if path is not None:
        assert path in every
        assert total(path, costs) == min(total(one, costs) for one in every)


@pytest.mark.parametrize(
    ("rows", "columns", "fewest"),
    [
        (3, 20, (3 * 20 + 4) // 4),
        (4, 30, 30),
        (5, 21, (6 * 21 + 8) // 5),
        (6, 14, (140 + 12) // 7),
        (6, 15, (150 + 10) // 7),
    ],
)
def test_long_boards_are_dominated_by_as_many_cells_as_is_known(
    rows: int, columns: int, fewest: int
) -> None:
    """Jacobson and Kinch (1983), Chang and Clark (1993): the domination numbers of grids."""
    path = eliminated(tables_of(dominating(rows, columns)), 1)
    assert path is not None
    assert len(path) == fewest


def fewest_by_columns(rows: int, columns: int, times: int) -> float:
    """How few cells of a board cover each cell `times` times, column by column."""
    masks = range(1 << rows)

    def suffices(before: int, here: int, after: int) -> bool:
        each = (before, here, here << 1, here >> 1, after)
        return all(sum(one >> row & 1 for one in each) >= times for row in range(rows))

    least = {(0, here): float(here.bit_count()) for here in masks}
    for column in range(1, columns + 1):
        following = dict.fromkeys(product(masks, masks), inf)
        for (before, here), cost in least.items():
            for after in masks if column < columns else (0,):
                if suffices(before, here, after):
                    more = cost + after.bit_count()
                    following[here, after] = min(following[here, after], more)
        least = following
    return min(least.values())


@pytest.mark.parametrize(("rows", "columns", "times"), [(4, 40, 1), (4, 30, 2), (4, 40, 3)])
def test_a_search_ends_with_the_cover_of_an_elimination(
    rows: int, columns: int, times: int
) -> None:
    """Without it, two of them take more than 8 s."""
    problem, fewest = dominating(rows, columns), fewest_by_columns(rows, columns, times)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    bounds = [(times, 5)] * problem.primary if times > 1 else None
    run = Run(problem, asked, UNBOUNDED, Stopwatch(5.0), STRATEGY, bounds)
    for _ in run.slices():
        pass
    found = run.result()
    assert (found.status, found.bound) == (stops.EXHAUSTED, fewest)
    assert [cost for _, cost in found.kept] == [fewest]


def test_what_is_decided_already_is_part_of_the_cover() -> None:
    problem = number(3, 0, [[1], [1, 2], [2, 3], [3]], [5, 1, 1, 1])
    tables = tables_of(problem)
    tables.fate[0], tables.fate[3] = 1, 2  # chosen and excluded
    tables.times[1] = 1
    assert eliminated(tables, step_of(problem)) == (0, 2)


def test_the_order_of_a_chain_has_tables_of_two_entries() -> None:
    steps = steps_of([Item([k, k + 1], 1, 2) for k in range(50)], Stopwatch())
    assert steps is not None
    assert len(steps) == 51
    assert max(len(step.scope) for step in steps) == 1


def test_options_that_share_too_much_are_not_eliminated() -> None:
    chance = random.Random(1)
    items = [Item(chance.sample(range(80), 4), 1, 4) for _ in range(200)]
    assert steps_of(items, Stopwatch()) is None
    assert steps_of([Item(range(40), 1, 40)], Stopwatch()) is None


def test_an_elimination_ends_at_the_time_limit() -> None:
    tables, watch = tables_of(dominating(4, 12)), Stopwatch(0.5)
    time.sleep(max(0.0, watch.left_ns / 1e9) + 0.01)
    assert eliminated(tables, 1, watch) is None
    assert steps_of([Item([1, 2], 1, 2)], watch) is None


def test_tables_that_hold_too_much_at_a_time_are_not_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = tables_of(dominating(4, 12))
    assert eliminated(tables, 1) is not None
    monkeypatch.setattr(plan, "MOST_HELD", 1 << 8)
    assert eliminated(tables, 1) is None


def test_an_elimination_goes_on_after_each_slice() -> None:
    """A slice of no time ends after some entries, in the middle of a table."""
    tables, watch = tables_of(dominating(6, 15)), Stopwatch(slice_seconds=0.0)
    slices = Elimination(tables, 1, watch).slices()
    assert sum(1 for _ in slices) > 3
    path = eliminated(tables, 1, watch)
    assert path == eliminated(tables, 1)
    assert path is not None
    assert len(path) == (150 + 10) // 7
