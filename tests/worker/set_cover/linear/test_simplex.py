"""The dual simplex method: strong duality tells that a relaxation is solved, whoever solved it."""

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import partition
from tests.worker.multiplicity.oracle import Drawn, covers, problems
from worker.compiling.numbers import Unsigned
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, Search, terms
from worker.set_cover.bound import settle_relaxation
from worker.set_cover.cover import exclude, undo
from worker.set_cover.dominance import reduce
from worker.set_cover.layout import (
    FREE,
    Multiplicity,
    Tables,
    new_search,
    once,
    step_of,
    tables_of,
    unit_of,
)
from worker.set_cover.linear.basis import MOST_ITEMS
from worker.set_cover.linear.simplex import has_basis, use_of
from worker.set_cover.run import Run
from worker.set_cover.search import enter
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

#: no problem is solved before the rounds
THOROUGH = Strategy(first_visits=0, early_visits=0)


def at_root(problem: Problem, bounds: list[Multiplicity]) -> tuple[Tables, Search]:
    """A search that has begun, with what is forced decided."""
    tables = tables_of(problem, bounds)
    search = new_search(problem, tables, 1)
    search.state.until = UNBOUNDED
    search.state.budget = UNBOUNDED
    search.state.single = 1
    enter(tables, search)
    reduce(tables, search)
    return tables, search


def least_cost(tables: Tables, search: Search, pivots: int = 1000) -> float:
    """The bound of the relaxation."""
    return float(settle_relaxation(tables, search, Unsigned(pivots)))


def uses(tables: Tables, search: Search) -> list[float]:
    """How much each option is used in the relaxation."""
    return [
        use_of(tables, Unsigned(option), search.state.lines)
        if tables.fate[option] == FREE
        else float(tables.fate[option] == 1)
        for option in range(tables.cost.size)
    ]


def is_allowed(
    tables: Tables, problem: Problem, bounds: list[Multiplicity], x: list[float]
) -> bool:
    """Whether options may be used so much by the lines of the problem, and no more than once."""
    options = problem.option_of_member
    times = np.bincount(problem.members, np.array(x)[options], problem.items + 1)[1:]
    limits = [*bounds, *[(0, 1)] * (problem.items - problem.primary)]
    in_limits = [
        least - 1e-6 <= value <= most + 1e-6
        for value, (least, most) in zip(times, limits, strict=True)
    ]
    return all(in_limits) and all(-1e-6 <= one <= 1 + 1e-6 for one in x)


@given(problems())
def test_the_bound_is_the_cost_of_what_the_relaxation_uses(drawn: Drawn) -> None:
    primary, secondary, options, costs, bounds = drawn
    assume(covers(primary, secondary, options, bounds))
    problem = number(primary, secondary, options, costs)
    tables, search = at_root(problem, bounds)
    bound = least_cost(tables, search) / unit_of(problem)
    x = uses(tables, search)
    assert is_allowed(tables, problem, bounds, x)
    assert bound == pytest.approx(float(np.dot(x, costs)), abs=1e-3)


def test_an_assignment_costs_what_its_relaxation_costs() -> None:
    # All its extreme points are assignments (Birkhoff, 1946).
    chance, side = random.Random(3), 6
    cells = [(row, column) for row in range(side) for column in range(side)]
    costs = [chance.randint(1, 99) for _ in cells]
    problem = number(2 * side, 0, [[1 + r, 1 + side + c] for r, c in cells], costs)
    tables, search = at_root(problem, once(problem))
    least = min(
        sum(costs[side * row + column] for row, column in enumerate(columns))
        for columns in permutations(range(side))
    )
    assert least_cost(tables, search) / unit_of(problem) == pytest.approx(least, abs=1e-3)


def test_three_items_in_pairs_need_half_of_each_option() -> None:
    problem = number(3, 0, [[1, 2], [2, 3], [3, 1], [1, 2, 3]], [1, 1, 1, 3])
    tables, search = at_root(problem, once(problem))
    assert least_cost(tables, search) / unit_of(problem) == pytest.approx(1.5, abs=1e-3)
    assert uses(tables, search) == pytest.approx([0.5, 0.5, 0.5, 0])


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_basis_goes_on_when_decisions_are_undone(seed: int, decisions: int) -> None:
    chance, problem = random.Random(seed), partition(12, 20, seed % 97)
    tables, search = at_root(problem, once(problem))
    free, before = search.state.free, least_cost(tables, search)
    for _ in range(decisions):
        option = Unsigned(chance.choice(tables.order[: search.state.free].tolist()))
        exclude(tables, search, option)
        if search.state.dead:
            break
        assert least_cost(tables, search) >= before - 1e-3 * unit_of(problem)
        assume(search.state.free)
    undo(tables, search, free)
    assert least_cost(tables, search) == pytest.approx(before, abs=1e-3 * unit_of(problem))


@pytest.mark.parametrize("pivots", [1, 3])
def test_every_few_pivots_prove_a_bound(pivots: int) -> None:
    problem = partition(12, 20, 4)
    tables, search = at_root(problem, once(problem))
    found = [least_cost(tables, search, pivots) for _ in range(60)]
    assert found[-1] == pytest.approx(max(found), abs=1e-3 * unit_of(problem))
    assert len(set(found)) > 3
    whole, other = at_root(problem, once(problem))
    assert found[-1] == pytest.approx(least_cost(whole, other), abs=1e-3 * unit_of(problem))


@pytest.mark.usefixtures("warm_set_cover")
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e300, np.nan])
@pytest.mark.parametrize("seed", range(3))
def test_a_spoilt_basis_costs_time_only(seed: int, size: float) -> None:
    problem, chance = partition(24, 150, seed), np.random.default_rng(seed)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    results = []
    for is_spoilt in (False, True):
        watch = Stopwatch(slice_seconds=0.0005)
        run = Run(problem, asked, UNBOUNDED, watch, THOROUGH, once(problem))
        inverse = run.tables.basis.factors.inverse
        for _ in run.slices():
            if is_spoilt and chance.random() < 0.2:
                inverse += size * chance.normal(size=inverse.size) * (inverse != 0)
        results.append(run.result())
    right, spoilt = results
    assert (spoilt.status, spoilt.kept[0][1]) == (right.status, right.kept[0][1])


def test_no_basis_has_more_items_than_there_is_room_for() -> None:
    for items, is_wanted in ((MOST_ITEMS, True), (MOST_ITEMS + 1, False)):
        problem = number(items, 0, [[item] for item in range(1, items + 1)], [1] * items)
        assert has_basis(tables_of(problem, once(problem))) == is_wanted
    assert not has_basis(tables_of(number(1, 0, [[1]], [1])))
