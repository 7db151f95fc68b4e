"""Excluding options that need not be tried: hidden in all their items, though nothing is chosen.

Two kinds are excluded. If both options of a pair cover another item, one of them will cover it, so
`confine` excludes that item's other options. And once some options are chosen, those that cost more
than is left of the budget cannot be part of a solution. Without them more items have one option
left, and the search branches less. They are the first of a list of all options by cost; how many
is a register, restored with the guess, so that no option is looked at twice on a path.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Unsigned
from worker.exact_cover.cover import OWN_ITEM, Counts, hide, is_open, remove, size_of
from worker.exact_cover.form import first_size, next_word
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT, NOT_OPEN, OPTION_BITS
from worker.exact_cover.state import Search


def list_by_cost(tables: Links, search: Search) -> None:
    """Let a search that prunes exclude options by their costs in `tables`, which stay as they are.

    A dense problem has no such list: excluding single options takes longer there than it saves.
    """
    if not tables.nodes.rows.size:
        options = tables.nodes.option
        node = np.zeros(tables.cost.size, np.uint32)  # of the option's first item, a primary one
        node[options[::-1]] = np.arange(options.size - 1, -1, -1)
        tables.by_cost[:] = node[np.argsort(-tables.cost, kind="stable")]
        search.state.listed = tables.by_cost.size


@entry(__file__)
def restrict(links: Links, options: NDArray[np.bool_]) -> None:
    """Leave each item only the options that are marked true; what is open does not change."""
    nodes, mask, sizes = links.nodes, links.mask, first_size(links)
    for word in range(mask.size):
        mask[word] &= NOT_OPEN
    for node in range(nodes.option.size):
        if options[nodes.option[node]]:
            member = nodes.members[nodes.others[node] - ONE]
            word = member >> MEMBER_SHIFT
            mask[word] |= ONE << (member & MEMBER_BIT)
            if sizes != ZERO:
                mask[sizes + nodes.item[word]] += ONE


@inlined
def is_one_too_expensive(links: Links, state: Any, spent: Int) -> bool:
    """Return whether the next option of the list costs more than is left of the budget."""
    if state.excluded >= state.listed:
        return False
    next_cost = links.cost[links.nodes.option[links.by_cost[state.excluded]]]
    return bool(next_cost > state.budget - spent)


@compiled
def exclude_expensive(links: Links, state: Any, spent: Int, counts: Counts) -> tuple[Counts, bool]:
    """Exclude the options that cost more than is left; return whether an item has none left."""
    nodes, dead = links.nodes, False
    while not dead and is_one_too_expensive(links, state, spent):
        node = Unsigned(links.by_cost[state.excluded])
        state.excluded += ONE
        member = nodes.members[nodes.others[node] - ONE]
        word, bit = member >> MEMBER_SHIFT, member & MEMBER_BIT
        item = Unsigned(nodes.item[word])
        if is_open(links, item) and links.mask[word] >> bit & ONE != ZERO:
            counts, dead = exclude(links, item, word, bit, counts)
            counts, empty = push(links, item, counts)
            dead |= empty
    return counts, dead


@compiled
def exclude(links: Links, item: Int, word: Int, bit: Int, counts: Counts) -> tuple[Counts, bool]:
    """Hide an option, of an open item, in all its items; push the others left with one or two.

    Also return whether one of the others has no option left.
    """
    remove(links, item, word, bit)
    return hide(links, links.nodes.first_node[word] + bit, OWN_ITEM, counts)


@inlined
def push(links: Links, item: Int, counts: Counts) -> tuple[Counts, bool]:
    """Push an item that is left with one option or two; return whether it has none."""
    left = size_of(links, item)
    links.forced[counts.forced] = links.pairs[counts.pairs] = item
    forced = counts.forced + Unsigned(left == ONE)
    single = counts.single + Unsigned(left == ONE)
    pairs = counts.pairs + Unsigned(left == TWO)
    return Counts(forced, single, pairs, counts.trail, counts.open), bool(left == ZERO)


@inlined
def confine(links: Links, item: Int, one: Int, two: Int, counts: Counts) -> tuple[Counts, bool]:
    """Exclude the options of an item other than those of two nodes, one of which will be chosen.

    Also return whether an item has no option left. The item itself becomes a pair.
    """
    mask, option = links.mask, links.nodes.option
    word, dead = links.nodes.first_word[item], False
    while word <= links.nodes.last_word[item]:
        rest = mask[word] & OPTION_BITS
        while rest != ZERO:
            bit = lowest_bit(rest)
            rest &= rest - ONE
            node = links.nodes.first_node[word] + bit
            if option[node] != option[one] and option[node] != option[two]:
                counts, empty = exclude(links, item, word, bit, counts)
                dead |= empty
        word = next_word(links, word)
    links.pairs[counts.pairs] = item
    pairs = counts.pairs + ONE
    return Counts(counts.forced, counts.single, pairs, counts.trail, counts.open), dead
