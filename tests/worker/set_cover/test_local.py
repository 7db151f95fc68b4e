"""Local search finds the cheapest covers of problems in which it could get stuck."""

import random

import numpy as np

from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import terms
from worker.set_cover.layout import step_of, tables_of, unit_of
from worker.set_cover.local import EACH, LocalSearch, core_of
from worker.set_cover.solve import cheapest


def with_needed_options(seed: int) -> Problem:
    """A random set cover in which a third of the items have a single option, with another item."""
    chance = random.Random(seed)
    options = [chance.sample(range(1, 41), 5) for _ in range(60)]
    options += [[item, chance.randint(1, 40)] for item in range(41, 61)]
    return number(60, 0, options, [1] * len(options))


def test_an_option_that_is_the_only_one_of_an_item_returns() -> None:
    for seed in range(20):
        problem = with_needed_options(seed)
        (best,) = (found for found in cheapest(problem) if found)
        asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
        local = LocalSearch(tables_of(problem), asked)
        cost = best.kept[0][1] * unit_of(problem)
        local.advance(20_000, cost, 2**60, 10**10)
        assert local.worst == cost, seed


def test_a_core_has_the_options_of_least_reduced_costs() -> None:
    chance = np.random.default_rng(5)
    options = [sorted(set(chance.integers(1, 31, 4).tolist())) for _ in range(2000)]
    problem = number(30, 0, options, chance.integers(1, 50, 2000).tolist())
    tables = tables_of(problem)
    tables.multiplier[1:] = chance.integers(0, 10, 30) * unit_of(problem)
    prices = [0, *(tables.multiplier[1:] // unit_of(problem)).tolist()]
    reduced = [
        cost - sum(prices[item] for item in option)
        for cost, option in zip(problem.cost.tolist(), options, strict=True)
    ]
    core = core_of(problem, tables, average=3)
    outside = sorted(set(range(2000)) - set(core.tolist()))
    assert min(reduced[option] for option in outside) >= sorted(reduced)[3 * 30 - 1]
    for item in range(1, 31):
        has_it = [option for option in range(2000) if item in options[option]]
        cheapest = sorted(reduced[option] for option in has_it)[EACH - 1]
        assert all(reduced[o] >= cheapest for o in has_it if o in set(outside))
    assert core.size <= (3 + EACH) * 30
