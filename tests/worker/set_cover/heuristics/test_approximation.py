"""Covers from multipliers that are pushed: they are covers, and often the cheapest."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import partition
from tests.worker.multiplicity.oracle import Drawn, covers, problems
from worker.exact_cover.costs.cheapest import cheapest
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, terms
from worker.set_cover.heuristics.approximation import Approximation, fits
from worker.set_cover.heuristics.best import Best
from worker.set_cover.layout import Multiplicity, once, step_of, tables_of, unit_of

SECOND = 10**9


def approximation(
    problem: Problem, bounds: Sequence[Multiplicity], keep: int = 1, seed: int = 0
) -> tuple[Approximation, Best]:
    """Attempts that begin at multipliers of 0, and the covers that they keep."""
    best = Best(terms(limit=None, keep=keep, prune=True, step=step_of(problem)))
    return Approximation(best, problem, tables_of(problem, bounds), bounds, seed), best


def met(problem: Problem, bounds: Sequence[Multiplicity], attempts: int, turn_ns: int) -> Best:
    """The covers of so many attempts, in turns."""
    search, best = approximation(problem, bounds, keep=100)
    while search.advance(attempts, -UNBOUNDED, UNBOUNDED, turn_ns):
        pass
    return best


@given(problems())
def test_what_is_kept_are_covers_and_their_costs(drawn: Drawn) -> None:
    primary, secondary, options, costs, bounds = drawn
    problem = number(primary, secondary, options, costs)
    if not fits(tables_of(problem, bounds)):
        return
    every = covers(primary, secondary, options, bounds)
    for path, cost in met(problem, bounds, 8, SECOND).merged([]):
        assert path in every
        assert cost == sum(costs[option] for option in path) * unit_of(problem)


@given(st.integers(0, 2**32))
def test_items_that_may_stay_open_are_covered_once_at_most(seed: int) -> None:
    problem = partition(24, 60, seed)
    bounds = [(item % 2, 1) for item in range(24)]
    for path, _ in met(problem, bounds, 4, SECOND).merged([]):
        times = [0] * 25
        for option in path:
            for at in range(problem.first[option], problem.first[option + 1]):
                times[problem.members[at]] += 1
        assert all(
            least <= number <= most for number, (least, most) in zip(times[1:], bounds, strict=True)
        )


def test_the_cheapest_partitions_are_found_within_twenty_attempts() -> None:
    found = 0
    for seed in range(10):
        problem = partition(40, 400, seed)
        (proven,) = (one for one in cheapest(problem) if one)
        best = met(problem, once(problem), 20, SECOND).merged([])
        least = proven.kept[0][1] * unit_of(problem)
        assert least <= best[0][1] <= 1.05 * least
        found += best[0][1] == least
    assert found >= 8


def test_short_turns_find_the_same_covers_as_one_turn() -> None:
    problem = partition(40, 400, 1)
    bounds = once(problem)
    assert met(problem, bounds, 5, 1).merged([]) == met(problem, bounds, 5, SECOND).merged([])


def test_another_seed_makes_other_attempts() -> None:
    problem = partition(60, 2000, 3)
    paths = set()
    for seed in range(3):
        search, best = approximation(problem, once(problem), seed=seed)
        search.advance(UNLIMITED, -UNBOUNDED, UNBOUNDED, SECOND)
        paths.add(best.merged([])[0][0])
    assert len(paths) > 1


def test_attempts_without_a_cover_end() -> None:
    pairs = number(3, 0, [[1, 2], [2, 3], [1, 3]], [1, 1, 1])
    search, best = approximation(pairs, once(pairs))
    assert not search.advance(9, -UNBOUNDED, UNBOUNDED, SECOND)
    assert len(best) == 0


def test_no_cover_is_looked_for_that_is_as_cheap_as_the_bound() -> None:
    problem = partition(12, 20, 1)
    search, best = approximation(problem, once(problem))
    assert not search.advance(1, goal=100, most=99, turn_ns=SECOND)
    assert len(best) == 0
    assert search.advance(1, goal=100, most=UNBOUNDED, turn_ns=SECOND)
    assert len(best) == 1


def test_items_that_are_covered_several_times_do_not_fit() -> None:
    problem = number(4, 0, [[1, 2], [2, 3], [3, 4], [4, 1], [1, 2, 3, 4]], [1] * 5)
    assert fits(tables_of(problem, [(1, 1), (0, 1), (1, 9), (0, 9)]))
    assert not fits(tables_of(problem, [(1, 1), (1, 1), (1, 1), (2, 2)]))
