"""Probes: they change nothing but what they have learnt, and few of them are enough."""

import random

import numpy as np
import pytest

from worker.compiling.numbers import Unsigned
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, Search, terms
from worker.set_cover.bound import settle_relaxation
from worker.set_cover.dominance import reduce
from worker.set_cover.layout import (
    FREE,
    ONLY_CHOOSE,
    ONLY_EXCLUDE,
    Tables,
    new_search,
    step_of,
    tables_of,
)
from worker.set_cover.linear.stack import save_basis
from worker.set_cover.probe import (
    CLOSED,
    RELIABLE,
    best_guess,
    compare,
    entry_of,
    is_reliable,
    list_options,
    list_uses,
    mean_rise,
    probe,
)
from worker.set_cover.run import Run
from worker.set_cover.search import enter
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

#: no problem is solved before the rounds
THOROUGH = Strategy(first_visits=0, early_visits=0)


def random_cover(seed: int, items: int, options: int, size: int) -> Problem:
    chance = random.Random(seed)
    drawn = [sorted(chance.sample(range(1, items + 1), size)) for _ in range(options)]
    return number(items, 0, drawn, [chance.randint(1, 9) for _ in drawn])


def at_root(problem: Problem) -> tuple[Tables, Search]:
    """A search for set covers with a solved relaxation, ready for probes."""
    tables = tables_of(problem)
    search = new_search(problem, tables, 1)
    state = search.state
    state.until = state.deadline = UNBOUNDED
    state.budget = int(tables.cost.sum())
    state.single = state.minimal = state.sweeps = 1
    enter(tables, search)
    reduce(tables, search)
    settle_relaxation(tables, search, Unsigned(1000))
    tables.before[:] = tables.multiplier
    save_basis(tables, search)
    list_uses(tables, search)
    return tables, search


def options_used_in_part(tables: Tables, search: Search) -> list[int]:
    number = list_options(tables, search)
    return [int(option) for option in tables.guesses[: 2 * number : 2]]


@pytest.mark.parametrize("left", [ONLY_CHOOSE, ONLY_EXCLUDE])
def test_a_branch_is_probed_without_a_trace(left: Unsigned) -> None:
    tables, search = at_root(random_cover(0, 40, 120, 4))
    base = int(search.state.lowest)
    (option, *_) = options_used_in_part(tables, search)
    fate, place, multiplier = (
        tables.fate.copy(),
        tables.basis.place.copy(),
        tables.multiplier.copy(),
    )
    assert probe(tables, search, Unsigned(option), Unsigned(0), left) >= base
    assert np.array_equal(fate, tables.fate)
    assert np.array_equal(place, tables.basis.place)
    assert np.array_equal(multiplier, tables.multiplier)


def test_a_branch_that_is_closed_enters_the_other_one() -> None:
    tables, search = at_root(random_cover(0, 40, 120, 4))
    search.state.budget = base = int(search.state.lowest)
    options = options_used_in_part(tables, search)
    for option in options:
        if compare(tables, search, Unsigned(option), Unsigned(0), base) < 0:
            break
    else:
        pytest.fail("each option has two branches that cost no more than the relaxation")
    assert tables.fate[option] != FREE


def test_a_guess_is_an_option_that_is_used_in_part() -> None:
    tables, search = at_root(random_cover(0, 40, 120, 4))
    options = options_used_in_part(tables, search)
    index = best_guess(tables, search, tables.right[0])
    assert index != CLOSED
    assert tables.guesses[2 * index] in options
    assert tables.guesses[2 * index + 1] == 0


def test_an_option_without_probes_is_expected_to_do_as_the_others_do() -> None:
    tables, search = at_root(random_cover(0, 40, 120, 4))
    one, other = (Unsigned(k) for k in options_used_in_part(tables, search)[:2])
    compare(tables, search, one, Unsigned(0), search.state.lowest)
    assert mean_rise(tables, one, ONLY_CHOOSE) > 0
    assert mean_rise(tables, other, ONLY_CHOOSE) == mean_rise(tables, one, ONLY_CHOOSE)


def test_an_option_is_reliable_after_enough_probes_of_both_branches() -> None:
    tables, _ = at_root(random_cover(0, 40, 120, 4))
    tables.probes[entry_of(Unsigned(3), ONLY_CHOOSE)] = RELIABLE
    assert not is_reliable(tables, Unsigned(3))
    tables.probes[entry_of(Unsigned(3), ONLY_EXCLUDE)] = RELIABLE
    assert is_reliable(tables, Unsigned(3))


@pytest.mark.usefixtures("warm_set_cover")
def test_probes_make_the_search_small_and_end_where_options_are_reliable() -> None:
    problem = random_cover(3, 100, 600, 6)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), THOROUGH)
    for _ in run.slices():
        pass
    probes = run.tables.probes[: 2 * problem.cost.size].reshape(-1, 2)
    assert 0 < probes.min(axis=1).max() <= RELIABLE
    assert run.result().nodes < 100  # sweeps took 222
