"""Local search finds the cheapest covers of problems in which it could get stuck."""

import random

import numpy as np

from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import terms
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.local import AVERAGES, EACH, LocalSearch, cores_of
from worker.set_cover.layout import step_of, tables_of, unit_of
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
        met = Best(asked)
        local = LocalSearch(met, tables_of(problem), asked)
        cost = best.kept[0][1] * unit_of(problem)
        local.advance(20_000, cost, 2**60, 10**10)
        assert met.worst == cost, seed


def test_the_cores_have_the_options_of_least_reduced_costs() -> None:
    chance = np.random.default_rng(5)
    options = [sorted(set(chance.integers(1, 31, 4).tolist())) for _ in range(2000)]
    problem = number(30, 0, options, chance.integers(1, 50, 2000).tolist())
    tables, unit = tables_of(problem), unit_of(problem)
    tables.multiplier[1:] = chance.integers(0, 10, 30) * unit
    price = tables.multiplier // unit
    reduced = [
        cost - sum(price[option].tolist())
        for cost, option in zip(problem.cost.tolist(), options, strict=True)
    ]
    for core, average in zip(cores_of(problem, tables), AVERAGES, strict=True):
        assert core.size <= (average + EACH) * 30
        outside = set(range(2000)) - set(core.tolist())
        assert min(reduced[o] for o in outside) >= sorted(reduced)[average * 30 - 1]
        for item in range(1, 31):
            having = [o for o in range(2000) if item in options[o]]
            dearest = sorted(reduced[o] for o in having)[EACH - 1]
            assert all(reduced[o] >= dearest for o in having if o in outside)
