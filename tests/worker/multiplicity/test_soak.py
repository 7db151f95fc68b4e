"""Many random problems against brute force, and a board without a partridge square."""

import random

import pytest

from tests.worker.multiplicity.oracle import covers, partridge
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.multiplicity.solve import solve, visit_all
from worker.set_cover.layout import Multiplicity
from worker.set_cover.solve import cheapest
from worker.set_cover.strategy import Strategy

INSTANCES = 100_000


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_random_problems_have_the_covers_of_brute_force() -> None:
    chance = random.Random(15)
    for _ in range(INSTANCES):
        problem, bounds, every = _drawn(chance)
        found = solve(problem, bounds, keep=1000)
        assert {chosen for chosen, _ in found.kept} == set(every)
        assert found.found == len(every)
        limit, keep = chance.choice([1, 2, 5]), chance.choice([1, 2, 5])
        few = solve(problem, bounds, limit=limit, keep=keep)
        assert few.found == min(limit, len(every))
        assert {chosen for chosen, _ in few.kept} <= set(every)
        price = {chosen: sum(problem.cost[k] for k in chosen) for chosen in every}
        *_, visited = visit_all(problem, bounds, keep=keep)
        chosen_strategy = Strategy(
            first_visits=chance.choice([0, 400_000]),
            early_visits=chance.choice([0, 10**6]),
            first_nodes=1,
        )
        *_, best = cheapest(problem, bounds, keep=keep, strategy=chosen_strategy)
        assert visited is not None
        assert visited.found == len(every)
        for result in (visited, best):
            assert result is not None
            assert result.status == stops.EXHAUSTED
            assert [cost for _, cost in result.kept] == sorted(price.values())[:keep]
            assert all(price[chosen] == cost for chosen, cost in result.kept)


def _drawn(chance: random.Random) -> tuple[Problem, list[Multiplicity], list[tuple[int, ...]]]:
    """A random problem with costs and colours, its multiplicities, and its covers."""
    primary, secondary = chance.randint(1, 5), chance.choice([0, 0, 1, 2])
    items, count, most = primary + secondary, chance.randint(0, 9), chance.choice([0, 1, 5, 20])
    options = [
        chance.sample(range(1, items + 1), chance.randint(0, min(items, 4))) for _ in range(count)
    ]
    costs = [chance.randint(0, most) for _ in options]
    hues = chance.choice(["", "AB"])
    colours = [
        [(item, chance.choice(hues)) for item in option if hues and item > primary]
        for option in options
    ]
    least = [chance.choice([0, 1, 1, 1, 2, 3]) for _ in range(primary)]
    bounds = [(a, max(1, a + chance.choice([0, 0, 1, 2, 9]))) for a in least]
    every = covers(primary, secondary, options, bounds, colours)
    return number(primary, secondary, options, costs, colours), bounds, every


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_partridge_square_of_order_seven_does_not_exist() -> None:
    # 31,174,389 nodes, 180 s. Each order takes about 75 times as many: 8, which has some, hours.
    result = solve(*partridge(7))
    assert (result.status, result.found) == (stops.EXHAUSTED, 0)
