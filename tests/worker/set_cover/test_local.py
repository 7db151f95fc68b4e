"""Local search finds the cheapest covers of problems in which it could get stuck."""

import random

from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import terms
from worker.set_cover.layout import step_of, tables_of, unit_of
from worker.set_cover.local import LocalSearch
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
