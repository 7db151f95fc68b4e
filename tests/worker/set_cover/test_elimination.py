"""Elimination of options: the cheapest set cover where few options are neighbours at once."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.set_cover.oracle import grid, set_covers, total
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, Path, terms
from worker.set_cover.elimination import plan
from worker.set_cover.elimination.eliminate import Elimination
from worker.set_cover.elimination.order import steps_of
from worker.set_cover.layout import Tables, step_of, tables_of
from worker.set_cover.run import Run
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: options are eliminated as soon as the bound at the root is known
STRATEGY = Strategy(first_visits=0, early_visits=0, eliminate_after=0.0)


def dominating(rows: int, columns: int) -> Problem:
    """The cells of a board, each of which covers itself and its neighbours."""
    return number(rows * columns, 0, grid(rows, columns), [1] * (rows * columns))


def eliminated(tables: Tables, step: int, watch: Stopwatch | None = None) -> Path | None:
    """The cover that the elimination of all free options finds."""
    slices = Elimination(tables, step, watch or Stopwatch()).slices()
    while True:
        try:
            next(slices)
        except StopIteration as ended:
            path: Path | None = ended.value
            return path


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


@pytest.mark.parametrize(("rows", "columns", "fewest"), [(4, 40, 40), (5, 30, 37)])
def test_a_search_ends_with_the_cover_of_an_elimination(
    rows: int, columns: int, fewest: int
) -> None:
    problem = dominating(rows, columns)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), STRATEGY)
    for _ in run.slices():
        pass
    found = run.result()
    assert (found.status, found.bound) == (stops.EXHAUSTED, fewest)
    assert [cost for _, cost in found.kept] == [fewest]


def test_what_is_decided_already_is_part_of_the_cover() -> None:
    problem = number(3, 0, [[1], [1, 2], [2, 3], [3]], [5, 1, 1, 1])
    tables = tables_of(problem)
    tables.fate[0], tables.fate[3] = 1, 2  # chosen and excluded
    tables.right[0], tables.left[2] = 2, 0  # item 1 is covered
    assert eliminated(tables, step_of(problem)) == (0, 2)


def test_the_order_of_a_chain_has_tables_of_two_entries() -> None:
    steps = steps_of([[k, k + 1] for k in range(50)], Stopwatch())
    assert steps is not None
    assert len(steps) == 51
    assert max(len(step.scope) for step in steps) == 1


def test_options_that_share_too_much_are_not_eliminated() -> None:
    chance = random.Random(1)
    items = [chance.sample(range(80), 4) for _ in range(200)]
    assert steps_of(items, Stopwatch()) is None
    assert steps_of([list(range(40))], Stopwatch()) is None


def test_an_elimination_ends_at_the_time_limit() -> None:
    tables, watch = tables_of(dominating(4, 12)), Stopwatch(0.5)
    time.sleep(max(0.0, watch.left_ns / 1e9) + 0.01)
    assert eliminated(tables, 1, watch) is None
    assert steps_of([[1, 2]], watch) is None


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
