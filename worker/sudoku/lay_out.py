"""The open cells of a grid as an exact cover problem."""

import numpy as np

from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Unsigned
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT
from worker.sudoku.board import Board, Marks

#: items of an option, and its entries in `members`, which holds them twice
ITEMS, ENTRIES = Unsigned(4), Unsigned(8)


@compiled
def lay_out(board: Board, marks: Marks, links: Links, weight: Integers) -> None:
    """Lay out the open cells with their candidates.

    Each costs what it scores less than the highest symbol: nothing without a target, whose weights
    are 0. No weight is negative.
    """
    side = Unsigned(board.units.shape[1])
    mask, members = links.mask, links.nodes.members
    mask[:] = 0
    for cell in range(Unsigned(marks.candidates.size)):
        if is_placed(board, marks, cell):
            continue
        rest = marks.candidates[cell]
        while rest != ZERO:
            symbol = lowest_bit(rest)
            option = cell * side + symbol
            rest &= rest - ONE
            links.cost[option] = weight[cell] * np.int64(side - ONE - symbol)
            for k in range(ENTRIES * option, ENTRIES * option + ITEMS):
                mask[members[k] >> MEMBER_SHIFT] |= ONE << (members[k] & MEMBER_BIT)
    link_open_items(board, marks, links)


@compiled
def lay_out_contradiction(links: Links) -> None:
    """Lay out a problem without a solution: one open item without an option."""
    links.mask[ONE] = ZERO
    link(links, link(links, ZERO, ONE), ZERO)


@compiled
def link_open_items(board: Board, marks: Marks, links: Links) -> None:
    """Link the open cells, then the symbols that are open in each unit, into a ring."""
    side = Unsigned(board.units.shape[1])
    last, item = ZERO, ONE
    for cell in range(Unsigned(marks.candidates.size)):
        if not is_placed(board, marks, cell):
            last = link(links, last, item)
        item += ONE
    full = (ONE << side) - ONE
    for unit in range(Unsigned(marks.placed.size)):
        rest = full & ~marks.placed[unit]
        while rest != ZERO:
            last = link(links, last, item + lowest_bit(rest))
            rest &= rest - ONE
        item += side
    link(links, last, ZERO)


@inlined
def link(links: Links, last: Int, item: Int) -> Int:
    """Let an item follow the last one in the ring, and return it as the last one."""
    links.right[last] = item
    links.left[item] = last
    return item


@inlined
def is_placed(board: Board, marks: Marks, cell: Int) -> bool:
    """Return whether the cell's symbol is placed in its units."""
    return bool(marks.placed[board.cells[cell, 0]] & marks.candidates[cell])
