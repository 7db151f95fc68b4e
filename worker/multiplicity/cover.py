"""Choosing and hiding options, and undoing it.

Every option is undecided, chosen or hidden. Undecided ones are in the masks of all their items; to
decide on one removes it from them. An item has as many options to *spare* as it has undecided ones
more than it needs. Choosing an option takes one of each and changes nothing; hiding it takes 1.

The law of this file: decisions that are undone in reverse order leave every table as it was.
"""

from typing import Any

from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.form import colour_of, rivals
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT, OPTION_BITS
from worker.exact_cover.state import Search
from worker.multiplicity.layout import Tables

#: marks a node on the trail whose option was chosen; the others were hidden
CHOSEN: Any = Unsigned(1 << 31)


@inlined
def hide(tables: Tables, search: Search, node: Int) -> None:
    """Remove this node's option from all its items; push the items that have nothing to spare."""
    state, links, spare = search.state, tables.links, tables.spare
    members = links.nodes.members
    forced = state.forced
    dead = False
    at = links.nodes.others[node]
    own = members[at - ONE]
    while True:
        member = members[at]
        word = member >> MEMBER_SHIFT
        item = links.nodes.item[word]
        links.mask[word] ^= ONE << (member & MEMBER_BIT)
        left = spare[item] - 1
        spare[item] = left
        links.forced[forced] = item
        forced += Unsigned(left == 0)
        dead |= left < 0
        if member == own:
            break
        at += ONE
    state.forced = forced
    if dead:
        state.dead = 1
    links.trail[state.trail] = node
    state.trail += ONE


@compiled
def choose(tables: Tables, search: Search, node: Int) -> None:
    """Choose this node's option; items that may have no further one lose their other options."""
    state, links, room = search.state, tables.links, tables.room
    members, item_of = links.nodes.members, links.nodes.item
    first = at = links.nodes.others[node]
    own = members[at - ONE]
    while True:
        member = members[at]
        item = item_of[member >> MEMBER_SHIFT]
        links.mask[member >> MEMBER_SHIFT] ^= ONE << (member & MEMBER_BIT)
        room[item] -= 1
        if room[item] == tables.span[item]:
            before, behind = links.left[item], links.right[item]
            links.right[before], links.left[behind] = behind, before
        if member == own:
            break
        at += ONE
    links.trail[state.trail] = node | CHOSEN
    state.trail += ONE
    search.chosen[state.length] = node
    state.length += 1
    state.nodes += 1
    last = at
    at = first
    while at <= last and state.dead == 0:
        item = item_of[members[at] >> MEMBER_SHIFT]
        if room[item] == 0 or item > links.nodes.primary:
            close(tables, search, item, colour_of(links, members[at]))
        at += ONE


@inlined
def close(tables: Tables, search: Search, item: Int, colour: Int) -> None:
    """Hide the options that an item has left, but for those that give it this colour, if any."""
    nodes = tables.links.nodes
    word = nodes.first_word[item]
    while word != nodes.first_word[item + ONE] and search.state.dead == 0:
        rest = rivals(tables.links, word, colour)
        while rest != ZERO:
            hide(tables, search, nodes.first_node[word] + lowest_bit(rest))
            rest &= rest - ONE
        word += ONE


@compiled
def settle(tables: Tables, search: Search) -> None:
    """Choose all options of the items that have nothing to spare."""
    state, links, room = search.state, tables.links, tables.room
    while state.forced != ZERO and state.dead == 0:
        state.forced -= ONE
        item = links.forced[state.forced]
        word = links.nodes.first_word[item]
        while room[item] > tables.span[item] and state.dead == 0:
            while links.mask[word] & OPTION_BITS == ZERO:
                word += ONE
            node = links.nodes.first_node[word] + lowest_bit(links.mask[word] & OPTION_BITS)
            choose(tables, search, node)


@compiled
def undo(tables: Tables, search: Search, trail: Int) -> None:
    """Undo decisions, the latest first, until `trail` are left."""
    state, links = search.state, tables.links
    while state.trail > trail:
        state.trail -= ONE
        entry = links.trail[state.trail]
        if entry & CHOSEN:
            state.length -= 1
            unchoose(tables, entry ^ CHOSEN)
        else:
            unhide(tables, entry)
    state.forced, state.dead = ZERO, 0


@inlined
def unhide(tables: Tables, node: Int) -> None:
    """Return an option to all its items."""
    links, members = tables.links, tables.links.nodes.members
    at = links.nodes.others[node]
    own = members[at - ONE]
    while True:
        member = members[at]
        word = member >> MEMBER_SHIFT
        links.mask[word] ^= ONE << (member & MEMBER_BIT)
        tables.spare[links.nodes.item[word]] += 1
        if member == own:
            break
        at += ONE


@inlined
def unchoose(tables: Tables, node: Int) -> None:
    """Return a chosen option to all its items, the last one first."""
    links, members, room = tables.links, tables.links.nodes.members, tables.room
    first = links.nodes.others[node]
    at = first
    while members[at] != members[first - ONE]:
        at += ONE
    while at >= first:
        member = members[at]
        word = member >> MEMBER_SHIFT
        item = links.nodes.item[word]
        if room[item] == tables.span[item]:
            links.right[links.left[item]] = links.left[links.right[item]] = item
        room[item] += 1
        links.mask[word] ^= ONE << (member & MEMBER_BIT)
        at -= ONE
