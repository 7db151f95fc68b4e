"""Where a stopped search is in its tree, and how to go back there.

`leave` reads the path and the untried options from the stack of a search that stopped, and undoes
everything.  `follow` makes the guesses of a path again, and between them whatever `search.run`
does there: it chooses what is forced, and excludes what cannot be tried.  So a path needs to name
its guesses only, and the search goes on exactly as if it had not stopped.
"""

from typing import Any

import numpy as np

from worker import exact_cover
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Record, Unsigned, record
from worker.exact_cover.cover import Counts, choose, first_word_left, is_open, size_of
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_SHIFT, OPTION_BITS
from worker.exact_cover.search import enter_root, go_back, next_item
from worker.exact_cover.state import Search, Terms

_INT = np.int64
#: an option on a path, or one below it that is still to be tried
Step: Any = record(
    ("depth", _INT),  # options that are chosen before it
    ("branch", _INT),  # its item
    ("option", _INT),
    ("branching", _INT),  # options that the item has; 0 if the option is chosen already
)
#: no node is this one
NO_NODE: Any = Unsigned(0xFFFFFFFF)


def new_steps(count: int) -> Record:
    """Return memory for steps."""
    return np.zeros(count, Step)


@entry(exact_cover.__file__)
def leave(links: Links, search: Search, steps: Record) -> tuple[Int, Int]:
    """Write the path of a search that stopped, then its untried options, and return to the root.

    The deepest of the untried come first, and those of one depth in the order of their numbers.
    If the search has left the last node of the path already, the path ends above it.  Return how
    many steps are path, and how many there are.
    """
    state, nodes = search.state, links.nodes
    length, level, trail = state.length, state.level, state.trail
    path = length if state.dead == 0 or level == 0 else search.guesses[level].length
    for k in range(path):
        node, step = search.chosen[k], steps[k]
        step.depth, step.branch, step.option = k, item_of(links, node), nodes.option[node]
    count = path
    while level > 0:
        guess = search.guesses[level]
        length = go_back(links, search, level, length, trail)
        trail = guess.trail
        word, rest = Unsigned(guess.word), Unsigned(guess.rest)
        item = nodes.item[word]
        last = nodes.last_word[item]
        while word <= last:
            while rest != ZERO:
                step, node = steps[count], nodes.first_node[word] + lowest_bit(rest)
                step.depth, step.branch, step.option = length, item, nodes.option[node]
                rest &= rest - ONE
                count += 1
            word += nodes.lanes
            rest = links.mask[word] & OPTION_BITS if word <= last else ZERO
        level -= 1
    go_back(links, search, 0, length, trail)
    return path, count


@entry(exact_cover.__file__)
def follow(links: Links, search: Search, terms: Terms, steps: Record) -> Int:
    """Choose the options of a path from the root on, and write the branching of each.

    Steps of a negative depth are not chosen: their branching is -1 if they cannot be.
    Return how many of them can be chosen.  Unless these are all, the search is at the root then.
    """
    state = search.state
    enter_root(links, search)
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    at, length, dead = 0, 0, state.dead != 0
    spent: Int = np.int64(0)
    while at < steps.size and not dead:
        item, is_forced = ZERO, False
        if counts.open != ZERO:
            compared = state.pairs_compared
            counts, item, is_forced, dead = next_item(links, counts, compared, terms.prune)
            if item == ZERO:
                continue
        if is_forced:
            word = first_word_left(links, item)
            node = links.nodes.first_node[word] + lowest_bit(links.mask[word] & OPTION_BITS)
        else:
            step = steps[at]
            step.branching = 0
            if is_chosen(links, search, length, step.option):
                at += 1
                continue
            item = Unsigned(step.branch)
            node = NO_NODE
            if item < links.right.size and is_open(links, item):
                node = node_left(links, item, step.option)
            if node != NO_NODE:
                step.branching = size_of(links, item)
            elif step.depth >= 0:
                break
            else:
                step.branching = -1
            at += 1
            if step.depth < 0:
                continue
        search.chosen[length] = node
        spent += links.cost[links.nodes.option[node]]
        length += 1
        counts, dead = choose(links, node, counts)
    state.length, state.spent, state.dead = length, spent, dead or spent > state.budget
    state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
    state.trail, state.open = counts.trail, counts.open
    if at < steps.size:
        go_back(links, search, 0, length, counts.trail)
    return at


@compiled
def is_chosen(links: Links, search: Search, length: Int, option: Int) -> bool:
    """Return whether an option is among the first `length` that are chosen."""
    k = 0
    while k < length and links.nodes.option[search.chosen[k]] != option:
        k += 1
    return bool(k < length)


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
