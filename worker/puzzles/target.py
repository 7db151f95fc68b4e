"""Targets: the highest score.  A grid scores the sum of weight times digit of its cells."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worker.puzzles.options import Options

#: beyond it, sums of scores might not fit into 64 bits
LARGEST_WEIGHT = 10**9


def rings(side: int) -> NDArray[np.int64]:
    """The default weights of a 9x9 grid: 6 on the border, one more on each ring, 10 in the centre.

    >>> rings(9).reshape(9, 9)[4]
    array([ 6,  7,  8,  9, 10,  9,  8,  7,  6])
    """
    line = np.arange(side)
    depth = np.minimum(line, side - 1 - line)
    return (6 + np.minimum.outer(depth, depth)).astype(np.int64).ravel()


def seen(scores: Sequence[object], options: Options) -> int | None:
    """How many solutions there are; unknown when some may have been pruned unseen."""
    return len(scores) if len(scores) < options.keep else None


def least_bound(bound: int, complete: bool, scores: Sequence[int | None]) -> int | None:
    """The most that any solution scores: the best score where all were searched."""
    best = scores[0] if scores else None
    if complete or best is None:
        return best if complete else bound
    return max(best, bound)
