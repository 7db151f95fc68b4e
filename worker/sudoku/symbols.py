"""The text form of a grid, one symbol a cell; the sizes of grids and boxes; the default weights.

Importing this does not import NumPy.
"""

from functools import cache
from typing import NamedTuple

#: symbol of an empty cell
EMPTY = "."
#: symbols of the values 1 to 25; a grid of side n uses the first n
VALUES = "123456789ABCDEFGHIJKLMNOP"
#: symbols of the values 0 (an empty cell) to 25
SYMBOLS = EMPTY + VALUES


class Box(NamedTuple):
    """The shape of a box, in cells; a grid has `width` boxes above one another."""

    height: int
    width: int  #: at least the height


#: the box of grids by their side: 4x4 to 25x25, with boxes of 2x2, 2x3, 2x4, 2x5, 3x3, ..., 5x5
BOXES = {height * width: Box(height, width) for height in range(2, 6) for width in range(height, 6)}
#: side of a grid by its number of cells
SIDES = {side * side: side for side in sorted(BOXES)}


@cache
def ring_weights(side: int) -> tuple[int, ...]:
    """Return the default weight of each cell, row by row, as in the problem Luogu P1074.

    It is 6 on the border, and one more on each ring inwards.

    >>> ring_weights(9)[36:45]
    (6, 7, 8, 9, 10, 9, 8, 7, 6)
    """
    depths = [min(index, side - 1 - index) for index in range(side)]
    return tuple(6 + min(row, column) for row in depths for column in depths)
