"""Weights of target sudokus: a grid scores the sum of weight times symbol over its cells."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.sudoku.symbols import BOXES

#: scores are below this, which a database stores in 64 bits
MAX_SCORE = 2**63
#: scores of reduced weights are below this, so that no sum of reduced costs exceeds 64 bits
MAX_REDUCED_SCORE = 2**60


class Scale(NamedTuple):
    """Weights as the search counts them: a score is offset + factor times their score."""

    weight: NDArray[np.int64]  #: per cell, never negative
    factor: int
    offset: int

    def scores(self, grids: NDArray[np.integer[Any]]) -> list[int]:
        """Return what grids of values score, a row each; empty cells count as 0."""
        small = grids.astype(np.int64) @ self.weight
        return [self.offset + self.factor * score for score in small.tolist()]

    def limits(self, given: NDArray[np.uint8]) -> list[int]:
        """Return scores that no completion of these grids exceeds."""
        side = np.uint8(isqrt(self.weight.size))
        return self.scores(np.where(given == 0, side, given))


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

    >>> from worker.sudoku.symbols import ring_weights
    >>> found = scale(tuple(10**12 * weight for weight in ring_weights(4)))
    >>> found.weight[4:8].tolist(), found.factor, found.offset
    ([0, 1, 1, 0], 1000000000000, 240000000000000)
    """
    reduced, factor, offset = _reduced(weights)
    return Scale(np.array(reduced, np.int64), factor, offset)


@lru_cache
def _reduced(weights: tuple[int, ...]) -> tuple[list[int], int, int]:
    """Return weights, a factor and an offset: what a grid scores is offset + factor x its score.

    All symbols of a row, column or box have the same sum, so subtracting a number from all of its
    weights changes every score alike. First that makes the weights multiples of a factor, by which
    they are divided; then each row, column and box loses its least weight, so that they are small.

    >>> _reduced((10**12 + 1, *[10**12] * 15))
    ([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1, 40000000000000)
    """
    side = isqrt(len(weights))
    given = np.array(weights, object)
    rest, _ = _without(given, lambda units: units[:, 0])
    factor = max(1, int(np.gcd.reduce(rest)))
    multiples, remainders = _without(given, lambda units: units[:, 0] % factor)
    least, minima = _without(multiples // factor, lambda units: units.min(axis=1))
    sums = remainders + factor * minima
    return least.tolist(), factor, sums * side * (side + 1) // 2


def _without(
    weights: np.ndarray, share: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, int]:
    """Subtract `share` of each row, then column, then box from its weights; also return the sum.

    `share` gets the weights of all rows, and so on, and returns a number for each of them.
    """
    weights, total = weights.copy(), 0
    for cells in np.split(units(isqrt(weights.size)), 3):
        shares = share(weights[cells])
        weights[cells] -= shares[:, None]
        total += int(shares.sum())
    return weights, total


def units(side: int) -> NDArray[np.int64]:
    """Return the cells of each row, then of each column, then of each box."""
    height, width = BOXES[side]
    cell = np.arange(side * side).reshape(side, side)
    boxes = cell.reshape(width, height, height, width).swapaxes(1, 2).reshape(side, side)
    return np.concatenate([cell, cell.T, boxes])


def _most(weights: Sequence[int], side: int) -> int:
    """Return a number that no score exceeds, positive or negative."""
    return side * sum(map(abs, weights))
