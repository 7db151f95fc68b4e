"""How much of a search is left, while it goes on."""

import math

from worker.estimate.ranges import WIDTH, Range, exactly

#: the standard error of the logarithm of the size that a share predicts, at the beginning. It
#: shrinks with what is left. Subtrees of equal share differ in size by far: in trees in which most
#: branches end early, the share is ten times too high at first.
SHARE_ERROR = 1.5
#: no estimate is taken to be better
LEAST_ERROR = 1e-4


def remaining(nodes: int, share: float, whole: Range | None = None) -> Range:
    """Return how many nodes are left of a search that has visited `nodes`.

    `share` is the part of its tree that is done, by the product of 1 / branching on each path, and
    `whole` the estimated size of the tree, if there is one. The share says that the whole tree has
    `nodes / share` nodes, which gets better towards the end, while the error of the estimate stays
    the same. The logarithms of both are weighted by the inverse of their variance; if they
    contradict each other, the range gets wider.

    >>> remaining(1000, 1.0)
    Range(low=0.0, likely=0.0, high=0.0)
    """
    if share >= 1.0:
        return exactly(0.0)
    known = []
    if share > 0 and nodes > 0:
        known.append((math.log(nodes / share), max(LEAST_ERROR, SHARE_ERROR * (1 - share))))
    if whole is not None and nodes < whole.high < math.inf:
        known.append((math.log(whole.likely), max(LEAST_ERROR, whole.error)))
    if not known:
        return Range(0.0, 0.0, math.inf)
    likely, error = _combined(known)
    low, middle, high = (
        max(0.0, math.exp(likely + side * WIDTH * error) - nodes) for side in (-1, 0, 1)
    )
    return Range(low, middle, high)


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
