"""The default weights of target sudokus; importing this does not import NumPy."""

from functools import cache


@cache
def ring_weights(side: int) -> tuple[int, ...]:
    """Return the default weight of each cell, row by row, as in the problem Luogu P1074.

    It is 6 on the border, and one more on each ring inwards.

    >>> ring_weights(9)[36:45]
    (6, 7, 8, 9, 10, 9, 8, 7, 6)
    """
    depths = [min(index, side - 1 - index) for index in range(side)]
    return tuple(6 + min(row, column) for row in depths for column in depths)
