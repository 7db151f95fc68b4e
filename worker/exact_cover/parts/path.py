"""Where a stopped search is in its tree, and how to go back there.

`leave` reads the path and the untried options from the stack of a search that stopped, and undoes
everything.  `follow` chooses the options of a path again, in the way of `search.run`: what it then
forces, hides and compares is the same, so the search goes on exactly as if it had not stopped.
"""

from typing import Any

import numpy as np

from worker.compiling.jit import (
    ONE,
    ZERO,
    Int,
    Integers,
    Unsigned,
    compiled,
    lowest_bit,
)
from worker.exact_cover.branch import best_pair
from worker.exact_cover.cover import Counts, choose, is_open, size_of
from worker.exact_cover.exclude import confine
from worker.exact_cover.layout import MEMBER_SHIFT, OPTION_BITS, Links
from worker.exact_cover.search import enter_root, go_back
from worker.exact_cover.state import Search, Terms

#: columns of the rows that `leave` and `follow` write
DEPTH, ITEM, BRANCHING, OPTION = range(4)
#: no node is this one
NO_NODE: Any = Unsigned(0xFFFFFFFF)


@compiled
def leave(links: Links, search: Search, rows: Integers) -> tuple[Int, Int]:
    """Write the path of a search that stopped, then its untried options, and return to the root.

    A row holds the depth, the item, its branching and an option.  The branching is 0 for the path,
    and that of the item at the search's guess for an untried option; the deepest come first, and
    those of one depth in the order of their numbers.  If the search has left the last node of the
    path already, the path ends above it.  Return how many rows are path, and how many there are.
    """
    state, nodes = search.state, links.nodes
    length, level, trail = state.length, state.level, state.trail
    path = length if state.dead == 0 or level == 0 else search.guesses[level].length
    for k in range(path):
        node = search.chosen[k]
        rows[k, DEPTH], rows[k, ITEM] = k, item_of(links, node)
        rows[k, BRANCHING], rows[k, OPTION] = 0, nodes.option[node]
    count = path
    while level > 0:
        guess = search.guesses[level]
        length = go_back(links, search, level, length, trail)
        trail = guess.trail
        word, rest = Unsigned(guess.word), Unsigned(guess.rest)
        item = nodes.item[word]
        size = size_of(links, item)
        last = nodes.last_word[item]
        while word <= last:
            while rest != ZERO:
                rows[count, DEPTH], rows[count, ITEM], rows[count, BRANCHING] = length, item, size
                rows[count, OPTION] = nodes.option[nodes.first_node[word] + lowest_bit(rest)]
                rest &= rest - ONE
                count += 1
            word += nodes.lanes
            rest = links.mask[word] & OPTION_BITS if word <= last else ZERO
        level -= 1
    go_back(links, search, 0, length, trail)
    return path, count


@compiled
def follow(links: Links, search: Search, terms: Terms, rows: Integers) -> bool:
    """Choose the options of a path from the root on, and write the branching of each level.

    A row is one of `leave`.  Return false, at the root, if the path does not exist in this search.
    """
    state = search.state
    enter_root(links, search)
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    length, dead, exists = 0, state.dead != 0, True
    spent: Int = np.int64(0)
    while exists and length < rows.shape[0]:
        item, branching = Unsigned(rows[length, ITEM]), ONE
        if counts.forced != ZERO and not dead:
            forced = counts.forced - ONE
            counts = Counts(forced, counts.single, counts.pairs, counts.trail, counts.open)
            if not is_open(links, links.forced[forced]):
                continue
            exists = item == links.forced[forced]
        elif not dead:
            compared = state.pairs_compared
            _, common, one, two = best_pair(links, counts.pairs, compared, terms.prune)
            if common != ZERO:
                counts, dead = confine(links, common, one, two, counts)
                continue
            exists = bool(item < links.right.size) and is_open(links, item)
            branching = size_of(links, item) if exists else ONE
        node = node_left(links, item, rows[length, OPTION]) if exists else NO_NODE
        exists = not dead and node != NO_NODE
        if exists:
            rows[length, BRANCHING] = branching
            search.chosen[length] = node
            spent += links.cost[links.nodes.option[node]]
            length += 1
            counts, dead = choose(links, node, counts)
    state.length, state.spent, state.dead = length, spent, dead or spent > state.budget
    state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
    state.trail, state.open = counts.trail, counts.open
    if not exists:
        go_back(links, search, 0, length, counts.trail)
    return exists


@compiled
def node_left(links: Links, item: Int, option: Int) -> Int:
    """Return the node of an option that an item has left, or NO_NODE."""
    nodes = links.nodes
    for word in range(nodes.first_word[item], nodes.last_word[item] + ONE, nodes.lanes):
        rest = links.mask[word] & OPTION_BITS
        while rest != ZERO:
            node = nodes.first_node[word] + lowest_bit(rest)
            if nodes.option[node] == option:
                return node
            rest &= rest - ONE
    return NO_NODE


@compiled
def item_of(links: Links, node: Int) -> Int:
    """Return the item of a node."""
    nodes = links.nodes
    return nodes.item[nodes.members[nodes.others[node] - ONE] >> MEMBER_SHIFT]
