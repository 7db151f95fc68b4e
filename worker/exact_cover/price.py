"""Prices of items: a part of the cost that every cover has to pay."""

import numpy as np

from worker.exact_cover.problem import Problem


def priced(problem: Problem) -> tuple[Problem, int]:
    """The same problem, its options cheaper by what their items cost; and all these prices.

    Every cover has each primary item once, so it costs all prices together and what its options
    cost now: no cover is cheaper than the prices, and a search that cuts by cost cuts sooner.
    An item's price is the least that any of its options still costs, so no cost is negative.

    >>> from worker.exact_cover.problem import number
    >>> cheaper, base = priced(number(2, 0, [[1], [2], [1, 2]], [3, 4, 9]))
    >>> cheaper.cost, base
    (array([0, 0, 2]), 7)
    """
    cost = problem.cost.tolist()
    by_item = np.argsort(problem.members, kind="stable")
    first = problem.first.astype(np.int64)
    option_of = np.repeat(np.arange(len(cost)), first[1:] - first[:-1])
    options = option_of[by_item].tolist()
    ends = np.searchsorted(problem.members[by_item], np.arange(problem.primary + 1), "right")
    base, begin = 0, 0
    for end in ends[1:].tolist():
        mine = options[begin:end]
        price = min((cost[option] for option in mine), default=0)
        if price:
            base += price
            for option in mine:
                cost[option] -= price
        begin = end
    return problem._replace(cost=np.array(cost, np.int64)), base
