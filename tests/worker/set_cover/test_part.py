"""Divided searches for the cheapest covers: wherever they are divided, the parts miss nothing."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import crews, partition
from tests.worker.multiplicity.oracle import Drawn, covers, problems
from tests.worker.set_cover.oracle import set_covers
from worker.exact_cover import stops
from worker.exact_cover.parts.frontier import WHOLE, Levels, decode
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.scores import Setup
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, terms
from worker.set_cover.layout import Multiplicity, once, step_of, unit_of
from worker.set_cover.part import Parts, PartSearch
from worker.set_cover.run import Run
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: no problem is solved before it is divided, unless its bound says so
STRATEGY = Strategy(first_visits=0, early_visits=0, walk_after=10.0, first_nodes=1)
#: tables that choices change and undo
CHANGED = {"left", "right", "times", "size", "fate"}


def divided(problem: Problem, bounds: list[Multiplicity] | None, keep: int) -> Found:
    """The result of a search that is to be divided at once."""
    asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(budget=0.0), STRATEGY, bounds)
    for _ in run.slices():
        pass
    return run.result()


def turn(
    part: PartSearch, setup: Setup, best: int | None, chance: random.Random, slice_ns: int
) -> None:
    """Search a part for some of its nodes, or to its end."""
    state = part.search.state
    state.budget = min(setup.reach, setup.scores.above(best))
    state.clock_interval = 1
    for _ in range(chance.randint(1, 4)):
        if part.advance(slice_ns) != stops.PAUSED:
            return


def search_in_parts(
    problem: Problem, bounds: list[Multiplicity] | None, keep: int, seed: int, slice_ns: int = 1
) -> list[int]:
    """The costs of the `keep` cheapest covers, by parts that are divided at random."""
    chance, found = random.Random(seed), divided(problem, bounds, keep)
    scores = {path: -cost for path, cost in found.kept}
    setup: Setup | None = found.setup if found.frontier else None
    begin = Parts(problem, bounds)
    while setup is not None:
        waiting = [WHOLE]
        while waiting:
            best = _worst(scores, keep)
            levels = decode(waiting.pop(chance.randrange(len(waiting))).levels)
            part = begin(keep, setup, levels)
            turn(part, setup, best, chance, slice_ns)
            scores |= {path: setup.scores.of(cost) for path, cost in part.kept()}
            if frontier := part.frontier():
                waiting += frontier.split(chance.randint(1, 4))
        setup = setup.following(_worst(scores, keep))
    return sorted(-score for score in scores.values())[:keep]


def _worst(scores: dict[tuple[int, ...], int], keep: int) -> int | None:
    best = sorted(scores.values(), reverse=True)[:keep]
    return best[-1] if len(best) == keep else None


def least(every: Sequence[tuple[int, ...]], costs: Sequence[int], keep: int) -> list[int]:
    return sorted(sum(costs[k] for k in chosen) for chosen in every)[:keep]


@given(problems(), st.sampled_from([1, 1, 3]), st.integers(0, 2**32))
def test_parts_find_the_cheapest_covers_with_multiplicities(
    drawn: Drawn, keep: int, seed: int
) -> None:
    primary, secondary, options, costs, bounds = drawn
    problem = number(primary, secondary, options, costs)
    every = covers(primary, secondary, options, bounds)
    assert search_in_parts(problem, bounds, keep, seed) == least(every, costs, keep)


@given(problems(), st.sampled_from([1, 1, 3]), st.integers(0, 2**32))
def test_parts_find_the_cheapest_set_covers(drawn: Drawn, keep: int, seed: int) -> None:
    primary, secondary, options, costs, _ = drawn
    costs = [abs(cost) for cost in costs]
    problem = number(primary, secondary, options, costs)
    every = set_covers(primary, secondary, options)
    assert search_in_parts(problem, None, keep, seed) == least(every, costs, keep)


@given(problems(), st.sampled_from([1, 3]), st.booleans())
def test_undoing_restores_every_table(drawn: Drawn, keep: int, is_set_cover: bool) -> None:
    primary, secondary, options, costs, bounds = drawn
    problem = number(primary, secondary, options, [abs(cost) for cost in costs])
    setup = Setup(0, multipliers=(0,) * (problem.items + 1), is_pruned=True)
    part = Parts(problem, None if is_set_cover else bounds)(keep, setup, ())
    part._enter(1)
    if part.search.state.dead:
        return
    before = {name: getattr(part.tables, name).copy() for name in CHANGED}
    part.start(())
    assert part.advance(10**9) == stops.EXHAUSTED
    assert sorted(part.tables.order) == list(range(problem.cost.size))
    for name, table in before.items():
        assert np.array_equal(getattr(part.tables, name), table), name


def test_a_larger_search_is_divided_again_and_again() -> None:
    chance = random.Random(5)
    options = [sorted(chance.sample(range(1, 51), 6)) for _ in range(95)]
    problem = number(50, 0, options, [chance.randint(3, 5) for _ in options])
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    whole = Run(problem, asked, UNBOUNDED, Stopwatch())
    for _ in whole.slices():
        pass
    assert divided(problem, None, 1).frontier is not None
    assert search_in_parts(problem, None, 1, seed=1, slice_ns=1_000_000) == [
        whole.result().kept[0][1]
    ]


def test_a_turn_ends_before_the_relaxation_is_solved_and_the_next_one_goes_on() -> None:
    problem = partition(400, 4000, 1)
    setup = Setup(0, multipliers=(0,) * (problem.items + 1), is_pruned=True)
    part, turns = Parts(problem, once(problem))(1, setup, ()), 0
    while not part.search.state.level:
        assert part.advance(5_000_000) == stops.PAUSED
        turns += 1
    assert turns > 2


@pytest.mark.parametrize("is_set_cover", [False, True])
def test_every_turn_of_a_part_makes_a_guess_or_ends_it(is_set_cover: bool) -> None:
    # A turn that ended while the relaxation was being solved let the next one begin it again.
    problem = crews(3)
    setup = Setup(0, multipliers=(0,) * (problem.items + 1), is_pruned=True)
    part = Parts(problem, None if is_set_cover else once(problem))(1, setup, ())
    deepest = 0
    for _ in range(40):
        before = part.search.state.nodes
        if part.advance(1) != stops.PAUSED:
            break
        assert part.search.state.nodes > before
        frontier = part.frontier()
        assert frontier is not None
        deepest = max(deepest, len(frontier.levels))
        part.start(frontier.levels)
        part._enter(1)
    assert deepest > 5


def test_the_bounds_on_a_path_decide_what_they_decided_before() -> None:
    # Without them, parts of scpnre3 visited two to five times as many nodes as one search.
    problem = crews(3)
    setup = Setup(0, multipliers=(0,) * (problem.items + 1), is_pruned=True)
    least = search_in_parts(problem, once(problem), 1, seed=1)[0] * unit_of(problem)
    part, levels = Parts(problem, once(problem))(1, setup, ()), Levels()
    free = []
    while len(levels) < 3:
        assert part.advance(1) == stops.PAUSED
        frontier = part.frontier()
        assert frontier is not None
        levels = frontier.levels
    for slice_ns in (1, 10**9):
        part.start(levels)
        part.search.state.budget = least + 3 * unit_of(problem)
        part._enter(slice_ns)
        free.append(int(part.search.state.free))
    assert 0 < free[1] < free[0]
