"""Prices of items: a part of the cost that every cover has to pay."""

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover.problem import Problem

#: times that prices rise together
ROUNDS = 10
#: more than any price
UNBOUNDED = 2**62


def priced(problem: Problem) -> tuple[Problem, int]:
    """The same problem, its options cheaper by what their items cost; and all these prices.

    Every cover has each primary item once, so it costs all prices together and what its options
    cost now: no cover is cheaper than the prices, and a search that cuts by cost cuts sooner.
    No option costs less than nothing in the end, and each item has one that costs nothing.

    >>> from worker.exact_cover.problem import number
    >>> cheaper, base = priced(number(2, 0, [[1], [2], [1, 2]], [3, 4, 9]))
    >>> cheaper.cost, base
    (array([0, 0, 2]), 7)
    """
    first = problem.first.astype(np.int64)
    option = np.repeat(np.arange(problem.cost.size), first[1:] - first[:-1])
    must = problem.members <= problem.primary
    item, option = problem.members[must].astype(np.int64), option[must]
    cost = problem.cost.copy()
    base = _rise(cost, item, option, problem.primary)
    base += _top_up(cost, item, option)
    return problem._replace(cost=cost), base


def _rise(
    cost: NDArray[np.int64], item: NDArray[np.int64], option: NDArray[np.int64], primary: int
) -> int:
    """Let all prices rise together, and lower `cost` by them; say how much that is.

    An option shares what it costs among its items, and an item takes the least share that it is
    offered, until one of its options has nothing left to share.
    """
    base = 0
    rises = np.ones(primary + 1, np.bool_)
    for _ in range(ROUNDS):
        node = rises[item]
        item, option = item[node], option[node]
        items = np.bincount(option, minlength=cost.size)
        price = np.full(primary + 1, UNBOUNDED)
        np.minimum.at(price, item, (cost // np.maximum(items, 1))[option])
        price[price == UNBOUNDED] = 0
        np.subtract.at(cost, option, price[item])
        base += int(price.sum())
        rises[item[cost[option] < items[option]]] = False
    return base


def _top_up(cost: NDArray[np.int64], item: NDArray[np.int64], option: NDArray[np.int64]) -> int:
    """Let one price after the other rise as far as it can."""
    by_item = np.argsort(item, kind="stable")
    options, left, base = option[by_item].tolist(), cost.tolist(), 0
    begin = 0
    for end in np.cumsum(np.bincount(item)).tolist():
        mine = options[begin:end]
        price = min((left[one] for one in mine), default=0)
        if price:
            base += price
            for one in mine:
                left[one] -= price
        begin = end
    cost[:] = left
    return base
