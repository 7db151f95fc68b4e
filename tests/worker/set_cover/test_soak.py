"""Many random problems against brute force: costs, secondary items, limits and kept covers."""

import random

import pytest

from tests.worker.set_cover.oracle import set_covers
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import EXHAUSTED
from worker.set_cover.solve import NODE_SWEEPS, cheapest, within

INSTANCES = 100_000


@pytest.mark.soak
def test_a_hundred_thousand_random_problems_have_the_covers_of_brute_force() -> None:
    chance = random.Random(15)
    for _ in range(INSTANCES):
        problem, every = _drawn(chance)
        costs = problem.cost.tolist()
        price = {chosen: sum(costs[k] for k in chosen) for chosen in every}
        keep, sweeps = chance.choice([1, 1, 2, 5]), chance.choice([0, 1, NODE_SWEEPS])
        *_, best = cheapest(problem, keep=keep, sweeps=sweeps)
        assert best is not None
        assert best.status == EXHAUSTED
        assert [cost for _, cost in best.kept] == sorted(price.values())[:keep]
        assert {chosen for chosen, _ in best.kept} <= price.keys()
        at_most, limit = chance.randint(0, 12), chance.choice([1, 2, None])
        *_, few = within(problem, at_most, limit=limit, keep=10_000)
        assert few is not None
        cheap = {chosen for chosen, cost in price.items() if cost <= at_most}
        assert few.found == (len(cheap) if limit is None else min(limit, len(cheap)))
        assert {chosen for chosen, _ in few.kept} <= cheap


def _drawn(chance: random.Random) -> tuple[Problem, list[tuple[int, ...]]]:
    """A random problem, and its set covers by brute force."""
    primary, secondary = chance.randint(1, 6), chance.choice([0, 0, 1, 3])
    items, count = primary + secondary, chance.randint(0, 10)
    options = [
        chance.sample(range(1, items + 1), chance.randint(0, min(items, 5))) for _ in range(count)
    ]
    most = chance.choice([0, 1, 3, 20])
    costs = [chance.randint(0, most) for _ in options]
    return number(primary, secondary, options, costs), set_covers(primary, secondary, options)
