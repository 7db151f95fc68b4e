"""Keeping the best solutions that a search finds."""

import numpy as np

from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import Int
from worker.exact_cover.cover import first_word_left, is_open
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_SHIFT, OPTION_BITS
from worker.exact_cover.state import Kept, Search, Terms


@compiled
def record_solution(links: Links, search: Search, terms: Terms, length: Int, spent: Int) -> None:
    """Count the solution at this node if it is within the budget, and keep it if it is wanted.

    `length` options are chosen and cost `spent`; every open item has one option left.
    """
    length, rest = append_single_options(links, search, length)
    offer(links, search, terms, length, spent + rest)


@compiled
def offer(links: Links, search: Search, terms: Terms, length: Int, cost: Int) -> None:
    """Count the solution in `search.chosen` if it is within the budget; keep it if it is wanted."""
    state = search.state
    if cost <= state.budget:
        state.found += 1
        is_better = is_wanted(search, terms, cost)
        if is_better and not (state.revisits and is_kept(links, search, length, cost)):
            keep(links, search, terms, length, cost)


@compiled
def append_single_options(links: Links, search: Search, length: Int) -> tuple[Int, Int]:
    """Append to the chosen options the one that each open item has left.

    Return the number of options in the solution, and the cost of those that were appended.
    """
    members, item_of = links.nodes.members, links.nodes.item
    cost = np.int64(0)
    item = links.right[0]
    while item != 0:
        if is_open(links, item):  # in a dense problem, the ring has covered items as well
            word = first_word_left(links, item)
            node = links.nodes.first_node[word] + lowest_bit(links.mask[word] & OPTION_BITS)
            at = links.nodes.others[node]
            own = members[at - 1]
            while members[at] != own and item_of[members[at] >> MEMBER_SHIFT] > item:
                at += 1
            if members[at] == own:  # the item is the first of the option's items
                search.chosen[length] = node
                length += 1
                cost += links.cost[links.nodes.option[node]]
        item = links.right[item]
    return length, cost


@inlined
def is_full(search: Search, terms: Terms) -> bool:
    """Return whether there is no room for another solution that is wanted."""
    state = search.state
    return bool(state.kept == search.kept.cost.size and state.kept < terms.wanted)


@inlined
def is_wanted(search: Search, terms: Terms, cost: Int) -> bool:
    """Return whether a solution of this cost is among the best so far."""
    state, kept = search.state, search.kept
    return bool(state.kept < terms.wanted or cost < kept.cost[kept.heap[0]])


@compiled
def keep(links: Links, search: Search, terms: Terms, length: Int, cost: Int) -> None:
    """Keep the solution in `search.chosen`, if need be in place of the worst."""
    slot = next_slot(search, terms)
    for place in range(length):
        search.kept.options[slot, place] = links.nodes.option[search.chosen[place]]
    rank(search, terms, slot, length, cost)


@compiled
def next_slot(search: Search, terms: Terms) -> Int:
    """Return the slot for another solution: that of the worst, if as many are kept as wanted."""
    state, kept = search.state, search.kept
    return kept.heap[0] if state.kept == terms.wanted else state.kept


@compiled
def rank(search: Search, terms: Terms, slot: Int, length: Int, cost: Int) -> None:
    """Count the solution whose options are in this slot as kept, and put it into the heap.

    With pruning, look only for solutions cheaper than the worst, once enough are kept.
    """
    state, kept = search.state, search.kept
    kept.cost[slot], kept.length[slot], kept.order[slot] = cost, length, state.found
    if state.kept == terms.wanted:
        sift_down(kept, 0, terms.wanted)
    else:
        kept.heap[slot] = slot
        state.kept += 1
        if state.kept == terms.wanted:
            heapify(kept, terms.wanted)
    if terms.prune and state.kept == terms.wanted:
        state.budget = min(state.budget, kept.cost[kept.heap[0]] - terms.step)


@compiled
def is_kept(links: Links, search: Search, length: Int, cost: Int) -> bool:
    """Return whether the solution in `search.chosen` is kept already."""
    kept = search.kept
    for slot in range(search.state.kept):
        if kept.cost[slot] == cost and kept.length[slot] == length:
            place = 0
            while place < length and is_in(kept, slot, links.nodes.option[search.chosen[place]]):
                place += 1
            if place == length:
                return True
    return False


@compiled
def is_in(kept: Kept, slot: Int, option: Int) -> bool:
    """Return whether the solution in this slot has this option."""
    place, length = 0, kept.length[slot]
    while place < length and kept.options[slot, place] != option:
        place += 1
    return bool(place < length)


@compiled
def sift_down(kept: Kept, at: Int, count: Int) -> None:
    """Move the slot at this place of the heap below all worse ones."""
    heap, cost, order = kept.heap, kept.cost, kept.order
    while 2 * at + 1 < count:
        top = at
        for child in range(2 * at + 1, min(2 * at + 3, count)):
            a, b = heap[child], heap[top]
            if cost[a] > cost[b] or (cost[a] == cost[b] and order[a] > order[b]):
                top = child
        if top == at:
            return
        heap[at], heap[top] = heap[top], heap[at]
        at = top


@compiled
def heapify(kept: Kept, count: Int) -> None:
    """Order the first `count` slots as a heap."""
    for at in range(count // 2 - 1, -1, -1):
        sift_down(kept, at, count)


@compiled
def sort(kept: Kept, count: Int) -> None:
    """Sort `heap`: the slot of the cheapest solution first, of equal ones the first found."""
    heapify(kept, count)
    for last in range(count - 1, 0, -1):
        kept.heap[0], kept.heap[last] = kept.heap[last], kept.heap[0]
        sift_down(kept, 0, last)
