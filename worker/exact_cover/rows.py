"""Covering items by rows of bits, where a problem is dense: see `dense`.

These loops have no branch and count in 32 bits, so that LLVM vectorises them.
"""

from typing import Any

import numpy as np

from worker.compiling.jit import ZERO, Int, Unsigned, bit_count, inlined
from worker.exact_cover.dense import ROWS_AT_A_TIME
from worker.exact_cover.layout import NOT_OPEN, OPTION_BITS, Links

#: `survey` compares sizes and items as one number: NOT_OPEN, then the size, then the item
ITEM_BITS: Any = np.uint32(16)
ITEM_MASK: Any = np.uint32((1 << 16) - 1)
ALL_BITS: Any = np.uint32((1 << 32) - 1)
NONE: Any = np.uint32(0)


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
