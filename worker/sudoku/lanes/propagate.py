"""What the candidates of a grid imply, for all cells and symbols at once.

A line and a box meet in three cells, their *crossing*, which has three symbols. A symbol is
*confined* to a crossing if its line, or its box, has the symbol nowhere else, or if the crossing
has only three candidates. Then neither the rest of the line nor that of the box has the symbol
(locked candidates), and if only one cell of the crossing may have it, that cell has it (hidden
single). A cell with one candidate confines it to both of its crossings (naked single). A crossing
to which three symbols are confined has no other one: tdoku's inference on "triads".
"""

from typing import NamedTuple

import numpy as np

from worker.compiling.jit import compiled
from worker.compiling.numbers import Int, Unsigned
from worker.compiling.vectors import AnyLanes, any_of, moved, on_vectors, where_zero
from worker.sudoku.lanes.board import BAND_LANES, BOX, FULL, SIDE, Grid

#: the signs of `propagate_once`: there is no solution; something was excluded; a cell has several
#: candidates
DEAD, CHANGED, SEVERAL = Unsigned(1), Unsigned(2), Unsigned(4)

_LANES = range(BAND_LANES * BAND_LANES)
#: all bits of the lanes that hold boxes
HAS_BOX = np.array(
    [((1 << 16) - 1) * (max(divmod(lane, BAND_LANES)) < BOX) for lane in _LANES], np.uint16
)
#: the bit that 0 - 1 has, and no other set of symbols less 1
_BORROW = 1 << 15


def _next(lane: int, step: int) -> int:
    """Return the lane of the box after another one of its band, or of its stack."""
    place = lane // step % BAND_LANES
    return lane if place == BOX else lane + ((place + 1) % BOX - place) * step


#: the order of lanes in which each box is replaced by the next one of its band, or of its stack
NEXT_IN_BAND, NEXT_IN_STACK = ([_next(lane, step) for lane in _LANES] for step in (1, BAND_LANES))


def twice(order: list[int]) -> list[int]:
    """Return the order of lanes that results from moving them twice."""
    return [order[lane] for lane in order]


class Implied(NamedTuple):
    """What follows from the crossings of all rows, or of all columns, with the boxes."""

    sure: list[AnyLanes]  #: per row or column of the boxes: symbols that have one cell left in it
    excluded: list[AnyLanes]  #: symbols that it cannot have
    dead: AnyLanes  #: has any bit if there is no solution


def in_rows(cells: list[AnyLanes]) -> list[list[AnyLanes]]:
    """Return the cells of each row of the boxes."""
    return [cells[at : at + BOX] for at in range(0, SIDE, BOX)]


def in_columns(cells: list[AnyLanes]) -> list[list[AnyLanes]]:
    """Return the cells of each column of the boxes."""
    return [cells[at::BOX] for at in range(BOX)]


def without(lanes: AnyLanes, count: int) -> AnyLanes:
    """Return sets of symbols without so many of the lowest ones."""
    for _ in range(count):
        lanes = lanes & (lanes - 1)
    return lanes


def other_two(vectors: list[AnyLanes]) -> list[AnyLanes]:
    """Return for each of three vectors what the other two have."""
    first, second, third = vectors
    return [second | third, first | third, first | second]


def other_boxes(vectors: list[AnyLanes], order: list[int]) -> list[AnyLanes]:
    """Return what the other two boxes have that the same lines cross."""
    return [moved(vector, order) | moved(vector, twice(order)) for vector in vectors]


def in_crossings(
    cells: list[list[AnyLanes]], single: list[list[AnyLanes]], order: list[int]
) -> Implied:
    """Return what the crossings imply, each given as its three cells, and the single candidates.

    `order` replaces each box by the next one that the same lines cross.
    """
    symbols = [any_of(three) for three in cells]
    in_line, in_box = other_boxes(symbols, order), other_two(symbols)
    confined, sure, dead = [], [], (symbols[0] | in_box[0]) ^ FULL
    for at, (one, two, three) in enumerate(cells):
        has, several = symbols[at], (one & two) | ((one | two) & three)
        locked = has & ~(in_line[at] & in_box[at])
        sure.append(locked & ~several)
        confined.append(locked | any_of(single[at]) | (has & where_zero(without(has, 3))))
        dead = dead | ((has | in_line[at]) ^ FULL) | where_zero(without(has, 2))
    excluded = []
    elsewhere = zip(other_boxes(confined, order), other_two(confined), strict=True)
    for here, (line, box) in zip(confined, elsewhere, strict=True):
        third = without(here, 2)
        dead = dead | without(third, 1)
        excluded.append(line | box | ~(here | where_zero(third)))
    return Implied(sure, excluded, dead)


def exclude(cells: list[AnyLanes]) -> tuple[list[AnyLanes], list[AnyLanes]]:
    """Return what is left of the candidates, and the signs DEAD, CHANGED and SEVERAL."""
    others = [without(cell, 1) for cell in cells]
    single = [cell & where_zero(other) for cell, other in zip(cells, others, strict=True)]
    by_row = in_crossings(in_rows(cells), in_rows(single), NEXT_IN_BAND)
    by_column = in_crossings(in_columns(cells), in_columns(single), NEXT_IN_STACK)
    left = []
    for at, cell in enumerate(cells):
        row, column = divmod(at, BOX)
        sure = cell & (by_row.sure[row] | by_column.sure[column])
        sure = sure | (cell & where_zero(sure))
        left.append(sure & ~(by_row.excluded[row] | by_column.excluded[column]))
    is_empty = any_of([cell - 1 for cell in cells]) & _BORROW
    changed = any_of([cell ^ one for cell, one in zip(cells, left, strict=True)])
    return left, [by_row.dead | by_column.dead | is_empty, changed, any_of(others) & HAS_BOX]


propagate_once = on_vectors(SIDE, exclude)


@compiled
def propagate(grid: Grid) -> Int:
    """Exclude what the candidates imply until nothing changes; return the signs."""
    signs = CHANGED
    while signs & (DEAD | CHANGED) == CHANGED:
        signs = propagate_once(grid.mask, grid.mask)
    return signs
