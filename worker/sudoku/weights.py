"""Weights of target sudokus: a grid scores the sum of weight times symbol over its cells."""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.sudoku.symbols import BOXES

#: scores are below this, which a database stores in 64 bits
MAX_SCORE = 2**63
#: scores of reduced weights are below this, so that no sum of reduced costs exceeds 64 bits
MAX_REDUCED_SCORE = 2**60
#: reduced costs are counted in this fraction of a point; with large weights, in a coarser one, so
#: that sums of them are exact in floating point as well
FRACTION, MAX_SUM = 1024, 2**56


class Scale(NamedTuple):
    """Weights as the search counts them: a score is offset + factor / unit times their score."""

    weight: NDArray[np.int64]  #: per cell
    unit: int
    factor: int
    offset: int


def refusal(weights: Sequence[int]) -> str | None:
    """Return why a grid cannot have these weights, one per cell, or None."""
    side = isqrt(len(weights))
    if _most(weights, side) < MAX_SCORE:
        reduced, _, _ = _reduced(tuple(weights))
        if _most(reduced, side) < MAX_REDUCED_SCORE:
            return None
    return "the weights are too large: scores, or sums of them, might exceed 64 bits"


@lru_cache
def scale(weights: tuple[int, ...]) -> Scale:
    """Return the weights of a grid as small numbers, in which the search counts.

    >>> from worker.sudoku.rings import ring_weights
    >>> found = scale(tuple(10**12 * weight for weight in ring_weights(4)))
    >>> (found.weight // found.unit)[4:8].tolist(), found.factor, found.offset
    ([6, 7, 7, 6], 1000000000000, 0)
    """
    reduced, factor, offset = _reduced(weights)
    unit = max(1, min(FRACTION, MAX_SUM // (1 + _most(reduced, isqrt(len(weights))))))
    return Scale(np.array(reduced, np.int64) * unit, unit, factor, offset)


@lru_cache
def _reduced(weights: tuple[int, ...]) -> tuple[list[int], int, int]:
    """Return weights, a factor and an offset: what a grid scores is offset + factor x its score.

    All symbols of a row, column or box have the same sum, so subtracting a number from all of its
    weights changes every score alike. The weights are divided by what is then a common divisor.
    """
    side = isqrt(len(weights))
    height, width = BOXES[side]
    left = np.array(weights, object).reshape(side, side)
    rows = left[:, :1]
    columns = (left - rows)[:1]
    boxes = (left - rows - columns)[::height, ::width]
    factor = int(np.gcd.reduce((left - rows - columns - _spread(boxes, side)).ravel()))
    if factor:
        rows, columns, boxes = rows % factor, columns % factor, boxes % factor
    left = (left - rows - columns - _spread(boxes, side)) // max(1, factor)
    sums = int(rows.sum() + columns.sum() + boxes.sum())
    return left.ravel().tolist(), max(1, factor), sums * side * (side + 1) // 2


def _spread(boxes: np.ndarray, side: int) -> np.ndarray:
    """Return one number per cell, given one per box."""
    height, width = BOXES[side]
    return boxes.repeat(height, axis=0).repeat(width, axis=1)


def _most(weights: Sequence[int], side: int) -> int:
    """Return a number that no score exceeds, positive or negative."""
    return side * sum(map(abs, weights))
