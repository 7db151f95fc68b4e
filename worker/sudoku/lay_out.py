"""The open cells of a grid as an exact cover problem, with reduced costs where scores count."""

from typing import NamedTuple

import numpy as np

from worker.compiling.jit import (
    ONE,
    ZERO,
    Int,
    Integers,
    Table,
    Unsigned,
    compiled,
    inlined,
    lowest_bit,
)
from worker.exact_cover.layout import MEMBER_BIT, MEMBER_SHIFT, Links
from worker.exact_cover.state import UNBOUNDED
from worker.sudoku.board import Board, Marks

#: items of an option, and its entries in `members`, which holds them twice
ITEMS, ENTRIES = Unsigned(4), Unsigned(8)


class Scoring(NamedTuple):
    """What a symbol scores in a cell: weight times symbol, counted from 1."""

    weight: Integers  #: per cell, in the units of `weights.Scale`; all 0 without a target
    multiplier: Integers  #: per item: its dual multiplier; see `exact_cover.dual`


@compiled
def first_multipliers(marks: Marks, scoring: Scoring, side: Int) -> Int:
    """Set each cell's multiplier to the most that it can score, and return the sum of them all.

    The multipliers of the units are 0, so no reduced cost is negative.
    """
    scoring.multiplier[:] = 0
    total = np.int64(0)
    for cell in range(marks.candidates.size):
        most = -UNBOUNDED
        for symbol in range(side):
            if marks.candidates[cell] >> Unsigned(symbol) & ONE:
                most = max(most, scoring.weight[cell] * (symbol + 1))
        scoring.multiplier[cell + 1] = most
        total += most
    return total


@compiled
def lay_out(
    board: Board,
    marks: Marks,
    links: Links,
    scoring: Scoring,
    candidates: Table,
    reach: Int,
    costly: bool,
) -> None:
    """Lay out the open cells with these candidates, without options that cost more than `reach`.

    Leaving those out is reduced-cost fixing: no cover within `reach` of the bound has one. Reduced
    costs are computed, and compared, if `costly`.
    """
    side = Unsigned(board.units.shape[1])
    mask, members = links.mask, links.nodes.members
    mask[:] = 0
    for cell in range(Unsigned(candidates.size)):
        if is_placed(board, marks, cell):
            continue
        rest = candidates[cell]
        while rest != ZERO:
            symbol = lowest_bit(rest)
            option = cell * side + symbol
            rest &= rest - ONE
            if costly:
                cost = -scoring.weight[cell] * np.int64(symbol + ONE)
                for k in range(ENTRIES * option, ENTRIES * option + ITEMS):
                    cost += scoring.multiplier[members[k] >> MEMBER_SHIFT]
                if cost > reach:
                    continue
                links.cost[option] = cost
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
