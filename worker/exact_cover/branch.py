"""Which item to branch on, and which of its options to try first.

The rule is MRV, minimum remaining values: branch on an item with the fewest options left (Knuth,
TAOCP 7.2.2.1, exercise 9). An item with one option is chosen at once and is no branch, so the
fewest is two. Of the items with two options, a *pair*, the one is taken whose options have most to
hide.
"""

import numpy as np

from worker.compiling.jit import inlined, lowest_bit
from worker.compiling.numbers import ONE, THREE, TWO, ZERO, Int, Unsigned
from worker.exact_cover.cover import first_word_left, is_open, size_of
from worker.exact_cover.form import has_colours, has_rows, next_word
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_SHIFT, OPTION_BITS


@inlined
def best_pair(links: Links, pairs: Int, most: Int, costs_count: bool) -> tuple[Int, Int, Int, Int]:
    """Return the item to branch on among the `most` newest pairs, 0 if none is still open.

    It is the pair whose two options hide most, plus what they cost if `costs_count`. If both
    options of a pair cover another item, which has further options, also return that item and the
    nodes of the two options, else 0: one of the two will be chosen, so `confine` can hide the
    item's further options.
    """
    best = common = one = two = ZERO
    highest, seen = np.int64(-1), ZERO
    while pairs != ZERO and seen < most:
        pairs -= ONE
        item = links.pairs[pairs]
        if is_open(links, item) and size_of(links, item) == TWO:
            a, b = two_options(links, item)
            hidden, both = compare(links, a, b)
            gain: Int = np.int64(hidden)
            if costs_count:
                gain += links.cost[links.nodes.option[a]] + links.cost[links.nodes.option[b]]
            if gain > highest:
                best, highest = item + ZERO, gain
            if both != ZERO and (both <= links.nodes.primary or not has_colours(links)):
                common, one, two = both, a, b  # options of one colour can share a secondary item
            seen += ONE
    return best, common, one, two


@inlined
def two_options(links: Links, item: Int) -> tuple[Int, Int]:
    """Return the nodes of an item that has two options left."""
    word = first_word_left(links, item)
    rest = links.mask[word] & OPTION_BITS
    one = links.nodes.first_node[word] + lowest_bit(rest)
    rest &= rest - ONE
    while rest == ZERO:
        word = next_word(links, word)
        rest = links.mask[word] & OPTION_BITS
    return one, links.nodes.first_node[word] + lowest_bit(rest)


@inlined
def compare(links: Links, one: Int, two: Int) -> tuple[Int, Int]:
    """Return how many options the other items of two options have, and an item in both options.

    About as many options are hidden by choosing one or the other. The common item is 0 if there
    is none, or if it has no third option.
    """
    members, item_of = links.nodes.members, links.nodes.item
    at, to = links.nodes.others[one], links.nodes.others[two]
    own, end = members[at - ONE], members[to - ONE]
    hidden = common = ZERO
    while members[at] != own and members[to] != end:
        a, b = item_of[members[at] >> MEMBER_SHIFT], item_of[members[to] >> MEMBER_SHIFT]
        left = size_of(links, a)
        hidden += left + size_of(links, b)
        if a == b and left > TWO:
            common = a + ZERO
        at += ONE
        to += ONE
    while members[at] != own:
        hidden += size_of(links, item_of[members[at] >> MEMBER_SHIFT])
        at += ONE
    while members[to] != end:
        hidden += size_of(links, item_of[members[to] >> MEMBER_SHIFT])
        to += ONE
    return hidden, common


@inlined
def smallest(links: Links) -> Int:
    """Return an open item with the fewest options left, which is at least two.

    The walk around the ring stops at three options: where there is a pair, this is not called.
    In a dense problem, `survey` has found the item.
    """
    if has_rows(links):
        return Unsigned(links.pairs[ZERO])
    item = best = links.right[0]
    fewest = size_of(links, item)
    while item != ZERO and fewest > THREE:
        left = size_of(links, item)
        if left < fewest:
            best, fewest = item, left
        item = links.right[item]
    return best


@inlined
def cheapest(links: Links, word: Int, rest: Int) -> Int:
    """Return the bit of the cheapest option, the first of equal ones, among `rest` of a word."""
    cost, option, first_node = links.cost, links.nodes.option, links.nodes.first_node[word]
    best = lowest_bit(rest)
    least = cost[option[first_node + best]]
    while rest != ZERO:
        bit = lowest_bit(rest)
        rest &= rest - ONE
        if cost[option[first_node + bit]] < least:
            best, least = bit, cost[option[first_node + bit]]
    return best
