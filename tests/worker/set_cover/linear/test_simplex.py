"""The dual simplex method: strong duality tells that a relaxation is solved, whoever solved it."""

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import crews, partition
from tests.worker.multiplicity.oracle import Drawn, covers, problems
from worker.compiling.numbers import Unsigned
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, Search, terms
from worker.set_cover.bound import PIVOTS, settle_relaxation, tighten
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
from worker.set_cover.linear.basis import MOST_ITEMS, MOST_SAVED, NONE
from worker.set_cover.linear.simplex import has_basis, use_of
from worker.set_cover.linear.stack import load_basis, push_basis
from worker.set_cover.run import Run
from worker.set_cover.search import enter
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

#: no problem is solved before the rounds
THOROUGH = Strategy(first_visits=0, early_visits=0)


def at_root(problem: Problem, bounds: list[Multiplicity] | None) -> tuple[Tables, Search]:
    """A search that has begun, with what is forced decided; for set covers without bounds."""
    tables = tables_of(problem, bounds)
    search = new_search(problem, tables, 1)
    search.state.until = UNBOUNDED
    search.state.budget = UNBOUNDED
    search.state.single, search.state.minimal = 1, bounds is None
    enter(tables, search)
    reduce(tables, search)
    return tables, search


def least_cost(tables: Tables, search: Search, pivots: int = 1000) -> float:
    """The bound of the relaxation."""
    return float(settle_relaxation(tables, search, Unsigned(pivots)))


def uses(tables: Tables) -> list[float]:
    """How much each option is used in the relaxation."""
    return [
        use_of(tables, Unsigned(option))
        if tables.fate[option] == FREE
        else float(tables.fate[option] == 1)
        for option in range(tables.cost.size)
    ]


def is_allowed(problem: Problem, bounds: list[Multiplicity], x: list[float]) -> bool:
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
    x = uses(tables)
    assert is_allowed(problem, bounds, x)
    assert bound == pytest.approx(float(np.dot(x, costs)), abs=1e-3)


@given(problems())
def test_the_bound_of_a_set_cover_is_the_cost_of_what_the_relaxation_uses(drawn: Drawn) -> None:
    primary, secondary, options, costs, _ = drawn
    any_number = [(1, len(options))] * primary
    assume(covers(primary, secondary, options, any_number))
    costs = [abs(cost) for cost in costs]
    problem = number(primary, secondary, options, costs)
    tables, search = at_root(problem, None)
    bound, x = least_cost(tables, search) / unit_of(problem), uses(tables)
    assert is_allowed(problem, any_number, x)
    assert bound == pytest.approx(float(np.dot(x, costs)), abs=1e-3)


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_the_inverse_is_that_of_the_basic_options_in_the_tight_lines(
    seed: int, pivots: int
) -> None:
    chance = random.Random(seed)
    options = [sorted(chance.sample(range(1, 19), chance.randint(1, 6))) for _ in range(30)]
    bounds = chance.choice([None, [(1, 2)] * 18, [(0, 1)] * 18, [(2, 30)] * 18])
    tables, search = at_root(
        number(18, 0, options, [chance.randint(1, 9) for _ in options]), bounds
    )
    assume(not search.state.dead and search.state.open)
    least_cost(tables, search, pivots)
    factors, lines = tables.basis.factors, int(search.state.lines)
    basic = int(factors.number[0])
    inverse = factors.inverse[: lines * lines].reshape(lines, lines)[:basic, :basic]
    matrix = np.zeros((basic, basic))
    for place, option in enumerate(factors.option[:basic].tolist()):
        of_option = tables.basis.line[tables.first[option] : tables.first[option + 1]].tolist()
        for rank, line in enumerate(factors.line[:basic].tolist()):
            matrix[rank, place] = line in of_option
    assert inverse.T @ matrix == pytest.approx(np.eye(basic), abs=1e-6)


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_basis_that_was_saved_proves_what_it_proved(seed: int, decisions: int) -> None:
    chance, problem = random.Random(seed), partition(12, 20, seed % 97)
    tables, search = at_root(problem, once(problem))
    free, before = search.state.free, least_cost(tables, search)
    begin = push_basis(tables, search)
    for _ in range(decisions):
        option = Unsigned(chance.choice(tables.order[: search.state.free].tolist()))
        exclude(tables, search, option)
        if search.state.dead:
            break
        least_cost(tables, search)
        assume(search.state.free)
    undo(tables, search, free)
    load_basis(tables, search, begin)
    assert least_cost(tables, search, pivots=0) == before


def test_a_basis_is_not_saved_where_the_stack_is_full() -> None:
    problem = partition(12, 20, 4)
    tables, search = at_root(problem, once(problem))
    least_cost(tables, search)
    search.state.saved = MOST_SAVED - 10
    assert push_basis(tables, search) == NONE
    assert search.state.saved == MOST_SAVED - 10


def test_a_basis_begins_again_if_its_multipliers_exceed_all_limits() -> None:
    problem = partition(12, 20, 4)
    tables, search = at_root(problem, once(problem))
    before = least_cost(tables, search)
    tables.basis.factors.multiplier[0] = 2.0 * search.state.most
    least_cost(tables, search, pivots=0)
    assert not search.state.has_basis
    assert least_cost(tables, search) == pytest.approx(before, abs=1e-3 * unit_of(problem))


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
    assert uses(tables) == pytest.approx([0.5, 0.5, 0.5, 0])


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_basis_goes_on_when_decisions_are_undone(seed: int, decisions: int) -> None:
    chance, problem = random.Random(seed), partition(12, 20, seed % 97)
    tables, search = at_root(problem, once(problem))
    free, before = search.state.free, least_cost(tables, search)
    for _ in range(decisions):
        option = Unsigned(chance.choice(tables.order[: search.state.free].tolist()))
        exclude(tables, search, option)
        after = least_cost(tables, search)
        if search.state.dead:
            break
        assert after >= before - 1e-3 * unit_of(problem)
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


@pytest.mark.parametrize("is_set_cover", [False, True])
@pytest.mark.parametrize("seed", [13, 17, 39])
def test_pivots_go_on_where_time_ended_them(seed: int, is_set_cover: bool) -> None:
    # They went in circles where a variable, whose reduced cost is 0, changed its end.
    problem = crews(seed)
    bounds = None if is_set_cover else once(problem)
    whole, other = at_root(problem, bounds)
    tables, search = at_root(problem, bounds)
    search.state.until, turns, goes_on = 0, 0, True
    while goes_on and turns < 500:
        search.state.pivots, turns = 0, turns + 1
        found = least_cost(tables, search)
        goes_on = search.state.pivots != 0
    assert 20 < turns < 100
    assert found == pytest.approx(least_cost(whole, other), abs=1e-3 * unit_of(problem))


def test_there_is_an_end_to_pivots_at_a_node_though_time_always_ends_them() -> None:
    problem = crews(3)
    tables, search = at_root(problem, once(problem))
    search.state.until, search.state.relaxes = 0, 1
    tighten(tables, search, 1, PIVOTS - 5)
    assert search.state.pivots == PIVOTS - 4
    search.state.pivots = 0
    tighten(tables, search, 1, PIVOTS)
    assert search.state.pivots == 0


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
        assert has_basis(tables_of(problem)) == is_wanted


@pytest.mark.usefixtures("warm_set_cover")
@pytest.mark.parametrize(("bounds", "is_wanted"), [(None, False), ([(1, 2)] * 30, True)])
def test_an_early_search_for_set_covers_needs_no_basis(
    bounds: list[Multiplicity] | None, is_wanted: bool
) -> None:
    chance = random.Random(2)
    options = [sorted(chance.sample(range(1, 31), 4)) for _ in range(60)]
    problem = number(30, 0, options, [chance.randint(1, 9) for _ in options])
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), Strategy(first_visits=0), bounds)
    for _ in run.slices():
        pass
    assert run.result().status == stops.EXHAUSTED
    assert bool(run._slices.search.state.has_basis) == is_wanted
