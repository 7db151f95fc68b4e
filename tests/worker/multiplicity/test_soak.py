"""Many random problems against brute force, and a problem with colours that takes a minute."""

import random
from itertools import product

import pytest

from tests.worker.multiplicity.oracle import covers
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import solve as solve_exactly
from worker.exact_cover.state import EXHAUSTED
from worker.multiplicity.layout import Bounds
from worker.multiplicity.solve import cheapest, solve

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
        visit_all, first_nodes = chance.random() < 0.2, chance.choice([0, 20_000])
        *_, best = cheapest(
            problem, bounds, keep=keep, visit_all=visit_all, first_nodes=first_nodes
        )
        assert best is not None
        assert best.found.status == EXHAUSTED
        assert [cost for _, cost in best.found.kept] == sorted(price.values())[:keep]
        assert all(price[chosen] == cost for chosen, cost in best.found.kept)
        assert best.found.found == len(every) if visit_all else True


def _drawn(chance: random.Random) -> tuple[Problem, list[Bounds], list[tuple[int, ...]]]:
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
def test_both_searches_find_every_way_in_which_macmahons_squares_fill_a_rectangle() -> None:
    # 13,328 ways with a border of one colour, each in eight forms: turned and reflected, and with
    # the two other colours exchanged. The count of 1964 that is often quoted, 12,261, is too low.
    problem = _macmahon(4, 6)
    assert solve_exactly(problem).found == 8 * 13_328
    assert solve(problem, [(1, 1)] * problem.primary).found == 8 * 13_328


def _macmahon(rows: int, columns: int) -> Problem:
    """MacMahon's 24 squares of three colours: touching edges agree, the border has colour 0."""
    turns = {min(t[k:] + t[:k] for k in range(4)) for t in product(range(3), repeat=4)}
    squares, cells = sorted(turns), rows * columns
    edges: dict[tuple[int, int], int] = {}  # by place: twice the row, twice the column, plus one
    options, colours = [], []
    for square, r, c in product(squares, range(rows), range(columns)):
        for turned in {square[k:] + square[:k] for k in range(4)}:
            places = [(2 * r, 2 * c + 1), (2 * r + 1, 2 * c + 2)]
            places += [(2 * r + 2, 2 * c + 1), (2 * r + 1, 2 * c)]
            sides = list(zip(places, turned, strict=True))
            border = [hue for (y, x), hue in sides if y in {0, 2 * rows} or x in {0, 2 * columns}]
            if any(border):
                continue
            inner = [(at, hue) for at, hue in sides if 0 < at[0] < 2 * rows]
            inner = [(at, hue) for at, hue in inner if 0 < at[1] < 2 * columns]
            pairs = [(edges.setdefault(at, 25 + cells + len(edges)), str(hue)) for at, hue in inner]
            own = [1 + squares.index(square), 25 + r * columns + c]
            options.append(own + [edge for edge, _ in pairs])
            colours.append(pairs)
    return number(24 + cells, len(edges), options, colours=colours)
