"""Multipliers of the items, from which a proof of the best score starts."""

from collections.abc import Sequence

import numpy as np

from worker.compiling.jit import Integers, Table
from worker.exact_cover import problem as exact_cover
from worker.exact_cover.costs.cheapest import unit_of
from worker.exact_cover.costs.dual import new_dual
from worker.exact_cover.entries import tighten
from worker.exact_cover.layout import general, links
from worker.proof.check import Problem

#: sweeps over all items that improve the multipliers, and their time limit in nanoseconds
SWEEPS, IMPROVING_NS = 200, 10 * 10**9
#: greatest sum of scores whose reduced costs surely fit into 64 bits
MAX_SUM = 2**58


def multipliers(problem: Problem, points: Sequence[int], left: Table) -> tuple[int, Integers]:
    """Return the parts of a point, and in these a multiplier for each primary item.

    `points` are the scores of all options, and `left` the options that can still be chosen; items
    that none of them has get 0. None of these options has a negative reduced cost. Raises
    ValueError if scores are too large.
    """
    if len(problem.primary) * max(map(abs, points), default=0) > MAX_SUM:
        raise ValueError("its costs or weights are too large")
    found = np.zeros(len(problem.primary), np.int64)
    place = {item: k for k, item in enumerate(problem.primary)}
    options = [[place[i] for i in problem.options[n] if i in place] for n in left.tolist()]
    scores = [points[n] for n in left.tolist()]
    most: dict[int, int] = {}  # per item: a start that leaves no option a negative cost
    for (item, *_), score in zip(options, scores, strict=True):
        most[item] = max(score, most.get(item, 0))
    costs = [
        sum(most.get(item, 0) for item in items) - score
        for items, score in zip(options, scores, strict=True)
    ]
    number = {item: n for n, item in enumerate(sorted(set().union(*options)), start=1)}
    numbered = [[number[item] for item in items] for items in options]
    given = exact_cover.number(len(number), 0, numbered, costs)
    parts = unit_of(given)
    for item, score in most.items():
        found[item] = parts * score
    if number:
        dual = new_dual(given.items, given.cost.size, given.members.size)
        tighten(
            general(links(given._replace(cost=given.cost * parts))), dual, SWEEPS, 0.0, IMPROVING_NS
        )
        found[list(number)] += dual.multiplier[1:]
    return parts, found
