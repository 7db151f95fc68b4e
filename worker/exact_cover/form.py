"""The two forms of the tables: for all problems, and for those without sizes, colours and rows.

numba compiles functions once for each form. In the second, it removes the branches for what such
problems do not have.

Colours are those of secondary items. Options of a cover may share such an item if all of them give
it the same colour (Knuth, TAOCP 7.2.2.1, "color-controlled covering"). So an option that is chosen
*purifies* the item: the options that give it another colour, or none, are hidden, the others stay.

Rows of bits cover the items of dense problems: see `nodes`. The loops over them have no branch and
count in 32 bits, so that LLVM vectorises them.
"""

from typing import Any

import numpy as np

from worker.compiling.jit import bit_count, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT, NOT_OPEN, OPTION_BITS, ROWS_AT_A_TIME

#: `survey` compares sizes and items as one number: NOT_OPEN, then the size, then the item
ITEM_BITS: Any = np.uint32(16)
ITEM_MASK: Any = np.uint32((1 << 16) - 1)
ALL_BITS: Any = np.uint32((1 << 32) - 1)
NONE: Any = np.uint32(0)


@inlined
def has_rows(links: Links) -> bool:
    """Return whether items are covered by rows."""
    return bool(links.nodes.form.ndim == 2 and links.nodes.rows.size != 0)


@inlined
def has_colours(links: Links) -> bool:
    """Return whether some item has a colour in some option."""
    return bool(links.nodes.form.ndim == 2 and links.nodes.colour.size != 0)


@inlined
def first_size(links: Links) -> Int:
    """Return the index in `mask` from which on it holds sizes, 0 if there are none."""
    return links.nodes.sizes if links.nodes.form.ndim == 2 else ZERO


@inlined
def next_word(links: Links, word: Int) -> Int:
    """Return the word of an item after this one."""
    return word + (links.nodes.lanes if links.nodes.form.ndim == 2 else ONE)


@inlined
def colour_of(links: Links, member: Int) -> Int:
    """Return the number of the colour that an option gives to an item; 0 if it gives none."""
    colour, first_node = links.nodes.colour, links.nodes.first_node
    if has_colours(links):
        return Unsigned(colour[first_node[member >> MEMBER_SHIFT] + (member & MEMBER_BIT)])
    return ZERO


@inlined
def rivals(links: Links, word: Int, colour: Int) -> Int:
    """Return the bits of a word whose options do not give the item this colour, if it is one."""
    rest = links.mask[word] & OPTION_BITS
    if colour != ZERO:
        left = rest
        while left != ZERO:
            bit = lowest_bit(left)
            left &= left - ONE
            if links.nodes.colour[links.nodes.first_node[word] + bit] == colour:
                rest ^= ONE << bit
    return rest


@inlined
def apply_rows(links: Links, node: Int) -> None:
    """Cover the items of this node's option: remove all their options from all masks."""
    mask, rows, begins = links.mask, links.nodes.rows, links.nodes.option_rows
    option = links.nodes.option[node]
    for k in range(0, begins.shape[1], ROWS_AT_A_TIME):
        a, b = begins[option, k], begins[option, k + 1]
        c, d = begins[option, k + 2], begins[option, k + 3]
        for word in range(links.nodes.sizes):
            mask[word] &= rows[a + word] & rows[b + word] & rows[c + word] & rows[d + word]


@inlined
def survey(links: Links) -> tuple[Int, Int, Int]:
    """Count the options that each item has left.

    Return the fewest, and how many items are open, with one option and in total. The first item
    with the fewest is written where the stacks `forced` and `pairs` begin.
    """
    mask, lanes, sizes = links.mask, links.nodes.lanes, links.nodes.sizes
    in_other_planes = NONE
    if sizes != lanes:
        in_other_planes = ALL_BITS
        for lane in range(lanes):
            mask[sizes + lane] = bit_count(mask[lanes + lane])
        for plane in range(lanes + lanes, sizes, lanes):
            for lane in range(lanes):
                mask[sizes + lane] += bit_count(mask[plane + lane])
    least, single, open_ = ALL_BITS, NONE, NONE
    for lane in range(lanes):
        first = mask[lane]
        left = (mask[sizes + lane] & in_other_planes) + bit_count(first & OPTION_BITS)
        closed = np.uint32(~first & NOT_OPEN)
        size = np.uint32(left | closed)
        mask[sizes + lane] = size
        key = np.uint32(np.uint32(np.uint32(size << ITEM_BITS) | np.uint32(lane)) | closed)
        least = min(least, key)
        single = np.uint32(single + np.uint32(size == np.uint32(1)))
        open_ = np.uint32(open_ + np.uint32(closed == NONE))
    links.forced[ZERO] = links.pairs[ZERO] = least & ITEM_MASK
    return Unsigned(least >> ITEM_BITS), Unsigned(single), Unsigned(open_)
