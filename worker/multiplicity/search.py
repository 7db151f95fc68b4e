"""Algorithm M: depth-first search for covers with multiplicities (Knuth, TAOCP 7.2.2.1).

An option of the item with the fewest branches is chosen in the first branch and hidden in the
second. An item that has as many options to spare as s can do without s of them, so it has s + 1
branches, and Knuth counts the same. As an option that was tried is hidden for the rest of the node,
no cover is found twice in another order: he calls it tweaking.
"""

import numpy as np

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.nodes import OPTION_BITS
from worker.exact_cover.search import GOING_ON, look_at_clock
from worker.exact_cover.solutions import is_full, offer
from worker.exact_cover.state import Search, Terms
from worker.multiplicity.cover import choose, hide, settle, undo
from worker.multiplicity.layout import Tables

#: no node: nothing is left to decide
NO_NODE = Unsigned(2**32)


@compiled
def enter_root(tables: Tables, search: Search) -> None:
    """M1. Push the items that have nothing to spare."""
    state, links = search.state, tables.links
    state.started, state.level, state.visited = 1, 0, 0
    item = links.right[0]
    while item != 0:
        if tables.spare[item] == 0:
            links.forced[state.forced] = item
            state.forced += ONE
        elif tables.spare[item] < 0:
            state.dead = 1
        item = links.right[item]


@compiled
def smallest(tables: Tables) -> Int:
    """Return the item that has the fewest options to spare, which is at least one."""
    right, spare = tables.links.right, tables.spare
    item = best = right[0]
    while item != 0 and spare[best] > 1:
        if spare[item] < spare[best]:
            best = item
        item = right[item]
    return best


@compiled
def first_node(tables: Tables, item: Int) -> Int:
    """Return the node of an item's first option that is left, NO_NODE if none is."""
    nodes, mask = tables.links.nodes, tables.links.mask
    for word in range(nodes.first_word[item], nodes.first_word[item + ONE]):
        if mask[word] & OPTION_BITS != ZERO:
            return nodes.first_node[word] + lowest_bit(mask[word] & OPTION_BITS)
    return NO_NODE


@compiled
def next_node(tables: Tables) -> Int:
    """Return the node to branch on, or NO_NODE if every option is decided.

    Once no item needs an option, each that is left may be added to the cover or not.
    """
    if tables.links.right[0] != 0:
        return first_node(tables, smallest(tables))
    for item in tables.loose:
        node = first_node(tables, item)
        if node != NO_NODE:
            return node
    return NO_NODE


@inlined
def guess(tables: Tables, search: Search, node: Int) -> None:
    """Choose an option, to hide it later."""
    state = search.state
    saved = search.guesses[state.level]
    saved.node = node
    saved.visited, saved.trail = state.visited, state.trail
    state.level += 1
    state.visited = 0
    choose(tables, search, node)


@inlined
def go_back(tables: Tables, search: Search) -> bool:
    """Undo the latest guess and hide its option; return whether there was one."""
    state = search.state
    if state.level == 0:
        return False
    state.level -= 1
    saved = search.guesses[state.level]
    undo(tables, search, saved.trail)
    state.visited = saved.visited
    hide(tables, search, saved.node)
    return True


@compiled
def visit(tables: Tables, search: Search, terms: Terms) -> Int:
    """Count the cover at this node, and keep it if it is wanted; return FULL, LIMITED or GOING_ON.

    Options that are left are not in it.
    """
    state = search.state
    if is_full(search, terms):
        return stops.FULL
    state.visited = 1
    cost = np.int64(0)
    for place in range(state.length):
        cost += tables.links.cost[tables.links.nodes.option[search.chosen[place]]]
    offer(tables.links, search, terms, state.length, cost)
    return stops.LIMITED if state.found == terms.limit else GOING_ON


@compiled
def run(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Continue the search, and return why it stopped: a constant of `exact_cover.state`.

    It pauses at the time `pause` and ends at the time `deadline`, both in nanoseconds of `now`.
    Unless it is PAUSED or FULL, every table is as it was at the start.
    """
    state = search.state
    if state.started == 0:
        enter_root(tables, search)
    entered = next_check = state.nodes
    status = GOING_ON
    while True:
        if state.nodes >= next_check:
            status = look_at_clock(search, entered, pause, deadline)
            next_check = state.nodes + state.clock_interval
        # M2. Enter the level. A cover is visited once, whatever may be added to it later.
        settle(tables, search)
        is_cover = state.dead == 0 and tables.links.right[0] == 0
        if is_cover and state.visited == 0 and status == GOING_ON:
            status = visit(tables, search, terms)
        if status == stops.PAUSED or status == stops.FULL:  # noqa: PLR1714 # `in` compiles a loop
            return status
        if status != GOING_ON:
            undo(tables, search, ZERO)
            return status
        # M3 to M5. Choose an item and one of its options.
        node = NO_NODE if state.dead != 0 else next_node(tables)
        if node != NO_NODE:
            guess(tables, search, node)
        elif not go_back(tables, search):  # M6 to M8. Try the next option; leave the level.
            undo(tables, search, ZERO)
            return stops.EXHAUSTED


@entry(exact_cover.__file__, __file__)
def search_slice(
    tables: Tables, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Continue a search for `slice_ns` nanoseconds.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = run(tables, search, terms, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began
