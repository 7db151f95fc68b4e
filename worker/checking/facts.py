"""Whether facts of puzzles can be true: what singles lead to, and witnesses of necessary clues."""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from worker.checking.grids import Values, are_complete, units

#: candidates by cell and grid: each operation then works on the same cell of many grids
Board = NDArray[np.uint16]


def after_singles(given: Values) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells that singles fill, with the clues, and the candidates of the other cells.

    Both are -1 where singles lead to a contradiction.

    >>> after_singles(np.array([[1, 2, 3, 0] + [0] * 12], np.uint8))
    (array([4]), array([32]))
    """
    side = isqrt(given.shape[1])
    every, kinds = (1 << side) - 1, units(side).reshape(3, side, side)
    clues = given.T.astype(np.uint16)
    board = np.where(clues == 0, every, 1 << clues >> 1).astype(np.uint16)
    wrong, changing = np.zeros(len(given), np.bool_), np.arange(len(given))
    while changing.size:
        before = board[:, changing]
        after = before.copy()
        for cells in kinds:
            wrong[changing] |= _narrow(after, cells, every)
        board[:, changing] = after
        changing = changing[(before != after).any(axis=0) & ~wrong[changing]]
    count = np.bitwise_count(board).astype(np.int64)
    placed, candidates = (count == 1).sum(axis=0), np.where(count == 1, 0, count).sum(axis=0)
    return np.where(wrong, -1, placed), np.where(wrong, -1, candidates)


def _narrow(board: Board, cells: NDArray[np.int64], every: int) -> NDArray[np.bool_]:
    """Place the singles of all rows, columns or boxes; return which grids have a contradiction."""
    here = board[cells]  # by unit, place and grid
    once, twice, placed, clash = (np.zeros_like(here[:, 0]) for _ in range(4))
    singles = here * _is_single(here)
    for place in range(here.shape[1]):
        twice |= once & here[:, place]
        once |= here[:, place]
        clash |= placed & singles[:, place]
        placed |= singles[:, place]
    only = here & (once & ~twice)[:, None]
    left = singles | here & ~placed[:, None]
    left = only | left * (only == 0)
    board[cells] = left
    wrong: NDArray[np.bool_] = ((once != every) | (clash != 0)).any(axis=0)
    wrong |= ((left == 0) | ~_is_single(only)).any(axis=(0, 1))
    return wrong


def _is_single(candidates: Board) -> NDArray[np.bool_]:
    """Return which cells have at most one candidate."""
    single: NDArray[np.bool_] = candidates & (candidates - 1) == 0
    return single


def are_witnesses(without: Values, cells: NDArray[np.int64], values: Values, found: Values) -> bool:
    """Return whether grids solve puzzles without a clue, and differ in its cell."""
    differs = found[np.arange(len(found)), cells] != values
    agrees = ((without == 0) | (without == found)).all(axis=1)
    return bool((differs & agrees & are_complete(found)).all())
