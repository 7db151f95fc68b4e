"""How much of a search is left, while it goes on."""

import math
from statistics import NormalDist

from worker.estimate.ranges import UNKNOWN, WIDTH, Range, exactly

#: the standard error of the logarithm of the size that a share predicts, at the beginning. It
#: shrinks with the square root of what is left. Subtrees of equal share differ in size by far: in
#: trees in which most branches end early, the share is ten times too high at first, and the last
#: hundredth of it may hold a fifth of the nodes.
SHARE_ERROR = 1.5
#: no estimate is taken to be better
LEAST_ERROR = 1e-4
#: an estimate that was exceeded by 6 standard errors is wrong, and is ignored
MOST_ERRORS = 6.0
_NORMAL = NormalDist()


def remaining(nodes: int, share: float, whole: Range | None = None) -> Range:
    """Return how many nodes are left of a search that has visited `nodes`.

    `share` is the part of its tree that is done, by the product of 1 / branching on each path, and
    `whole` the estimated size of the tree, if there is one. The share says that the whole tree has
    `nodes / share` nodes, which gets better towards the end, while the error of the estimate stays
    the same. The logarithms of both are weighted by the inverse of their variance; if they
    contradict each other, the range gets wider. The tree has more nodes than those visited, so only
    this part of the distribution is considered: the likely number is its median.

    >>> remaining(1000, 1.0)
    Range(low=0.0, likely=0.0, high=0.0)
    """
    if share >= 1.0:
        return exactly(0.0)
    known = []
    if share > 0 and nodes > 0:
        error = max(LEAST_ERROR, SHARE_ERROR * math.sqrt(1 - share))
        known.append((math.log(nodes / share), error))
    if whole is not None and _is_credible(nodes, whole):
        known.append((math.log(whole.likely), max(LEAST_ERROR, whole.error)))
    if not known:
        return UNKNOWN
    likely, error = _combined(known)
    exceeded = _errors_above(nodes, likely, error)
    low, middle, high = (
        max(0.0, math.exp(likely + error * _quantile(chance, exceeded)) - nodes)
        for chance in (_NORMAL.cdf(-WIDTH), 0.5, _NORMAL.cdf(WIDTH))
    )
    return Range(low, middle, high)


def _is_credible(nodes: int, whole: Range) -> bool:
    if whole.likely <= 0 or math.isinf(whole.high):
        return False
    error = max(LEAST_ERROR, whole.error)
    return _errors_above(nodes, math.log(whole.likely), error) < MOST_ERRORS


def _errors_above(nodes: int, likely: float, error: float) -> float:
    """Return by how many errors the logarithm of `nodes` is above `likely`."""
    return (math.log(nodes) - likely) / error if nodes > 0 else -math.inf


def _quantile(chance: float, least: float) -> float:
    """Return a quantile of the part of the standard normal distribution that is above `least`."""
    return -_NORMAL.inv_cdf((1.0 - chance) * _NORMAL.cdf(-least))


def progress(nodes: int, share: float, estimate: str | None) -> float:
    """Return which share of a search's nodes are visited; the arguments are those of `remaining`.

    `estimate` is an encoded range.  Without one, that is the share of the tree.

    >>> progress(1000, 0.25, None)
    0.25
    """
    if estimate is None:
        return share
    left = remaining(nodes, share, Range.decode(estimate))
    return nodes / (nodes + left.likely) if nodes else 0.0


def _combined(known: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the weighted mean of values with errors, and its error.

    The error is multiplied by the Birge ratio: how far the values lie apart, in their errors.
    """
    weights = [1 / error**2 for _, error in known]
    total = sum(weights)
    mean = sum(value * weight for (value, _), weight in zip(known, weights, strict=True)) / total
    square = sum(((value - mean) / error) ** 2 for value, error in known)
    birge = math.sqrt(square / max(1, len(known) - 1))
    return mean, max(1.0, birge) / math.sqrt(total)
