"""Targets: the highest score.  A grid scores the sum of weight times digit of its cells."""

import numpy as np
from numpy.typing import NDArray

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
