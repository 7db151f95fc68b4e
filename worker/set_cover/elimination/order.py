"""An order in which options are eliminated, so that the tables that this takes stay small."""

import heapq
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf
from typing import NamedTuple

import numpy as np

from worker.exact_cover.problem import Problem
from worker.stopwatch import Stopwatch

#: entries of all tables together, at most: they take three seconds, and their choices 32 MB
MOST_ENTRIES = 1 << 28
#: pairs of options that share an item, at most; and seconds that an order takes for each, about
MOST_PAIRS, PAIR_SECONDS = 100_000, 4e-6

Neighbours = dict[int, set[int]]


class Item(NamedTuple):
    """An item, and how many of its options must and may be chosen."""

    options: Sequence[int]
    least: int
    most: int


class Step(NamedTuple):
    """An option that is eliminated, and its neighbours at that time: its table has 2^n entries."""

    option: int
    scope: tuple[int, ...]


def seconds_of(problem: Problem) -> float:
    """Return how long an order takes, about; infinity if too many options share items."""
    pairs = int(np.square(np.bincount(problem.members).astype(np.int64)).sum()) // 2
    return PAIR_SECONDS * pairs if pairs <= MOST_PAIRS else inf


def steps_of(items: Sequence[Item], watch: Stopwatch) -> list[Step] | None:
    """Return the order in which the options of some items are eliminated.

    Return None if the tables would be too large, or if the time limit has been reached.

    An option with the least *fill* is next, which is the number of pairs of its neighbours that
    share no item; of equals, one with the fewest neighbours (Bodlaender and Koster, *Treewidth
    computations I*, 2010). When it is eliminated, all its neighbours become neighbours.
    """
    if 1 << max(len(item.options) for item in items) > 2 * MOST_ENTRIES:
        return None
    near, steps, entries = neighbours_of(items), list[Step](), 0
    fill = {option: _fill(near, option) for option in near}
    heap = [(fill[option], len(near[option]), option) for option in near]
    heapq.heapify(heap)
    while heap and not watch.is_over:
        missing, degree, option = heapq.heappop(heap)
        if option not in near or (missing, degree) != (fill[option], len(near[option])):
            continue
        entries += 1 << degree
        if entries > MOST_ENTRIES:
            return None
        scope = near.pop(option)
        steps.append(Step(option, tuple(sorted(scope))))
        for other in _join(near, fill, option, scope):
            heapq.heappush(heap, (fill[other], len(near[other]), other))
    return None if near else steps


def neighbours_of(items: Iterable[Item]) -> Neighbours:
    """Return for each option the others that share an item with it."""
    near: Neighbours = {}
    for options, _, _ in items:
        for option in options:
            near.setdefault(option, set()).update(options)
    for option, others in near.items():
        others.discard(option)
    return near


def _fill(near: Neighbours, option: int) -> int:
    """Return how many pairs of neighbours of an option are no neighbours of each other."""
    others = near[option]
    joined = sum(len(near[other] & others) for other in others)
    return (len(others) * (len(others) - 1) - joined) // 2


def _join(near: Neighbours, fill: dict[int, int], option: int, scope: set[int]) -> set[int]:
    """Make all of a scope neighbours, and of an option no longer; return whose fill may change."""
    changed = set(scope)
    for other in scope:
        near[other].discard(option)
        fill[other] -= len(near[other] - scope)
    for one, other in combinations(scope, 2):
        if other not in near[one]:
            of_both = near[one] & near[other]
            for each in of_both:
                fill[each] -= 1
            fill[one] += len(near[one]) - len(of_both)
            fill[other] += len(near[other]) - len(of_both)
            near[one].add(other)
            near[other].add(one)
            changed |= of_both
    return changed
