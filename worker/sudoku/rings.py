"""The default weights of target sudokus, as in the problem Luogu P1074."""


def ring_weights(side: int) -> tuple[int, ...]:
    """The weight of each cell, row by row: 6 on the border, and one more on each ring inwards.

    >>> ring_weights(9)[36:45]
    (6, 7, 8, 9, 10, 9, 8, 7, 6)
    """
    depths = [min(index, side - 1 - index) for index in range(side)]
    return tuple(6 + min(row, column) for row in depths for column in depths)
