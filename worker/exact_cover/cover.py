"""Choosing an option and undoing it: the operations of Dancing Links on masks.

To *choose* an option is to *cover* each of its items: the item leaves the ring of open items, and
each of its other options is *hidden*, that is, removed from the masks of that option's other
items. An item to which the option gives a colour is *purified*: only options that do not give it
the same colour are hidden. An item that leaves the ring keeps its own two links, so relinking the
items in reverse order restores the ring without any other record (Knuth, *Dancing Links*, 2000).
Masks are restored from a snapshot, or by flipping the bits of hidden options again, in any order.

In a dense problem, rows cover the items, the ring stays as it is, and snapshots restore the rest.

The law of this file: operations that are undone in reverse order leave every table as it was.
"""

from typing import Any, NamedTuple

from worker.compiling.jit import bit_count, compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Unsigned
from worker.exact_cover.form import (
    apply_rows,
    colour_of,
    first_size,
    has_colours,
    has_rows,
    next_word,
    rivals,
    survey,
)
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT, NOT_OPEN, OPTION_BITS

#: marks a node on the trail whose option was also removed from the node's own item
OWN_ITEM: Any = Unsigned(1 << 31)


class Counts(NamedTuple):
    """How full the stacks of `Links` are, and how many items are left to cover; all unsigned."""

    forced: Int  #: items on the stack `forced`
    single: Int  #: open items that have one option left
    pairs: Int  #: items on the stack `pairs`
    trail: Int  #: nodes on the trail
    open: Int  #: items that must still be covered


@inlined
def size_of(links: Links, item: Int) -> Int:
    """Return how many options an item has left."""
    mask, sizes = links.mask, first_size(links)
    return mask[sizes + item] & OPTION_BITS if sizes else bit_count(mask[item] & OPTION_BITS)


@inlined
def is_open(links: Links, item: Int) -> bool:
    """Return whether an item must still be covered."""
    return bool(links.mask[first_size(links) + item] < NOT_OPEN)


@inlined
def first_word_left(links: Links, item: Int) -> Int:
    """Return the first word of an item's mask that has an option left; there must be one."""
    word = links.nodes.first_word[item]
    while links.mask[word] & OPTION_BITS == ZERO:
        word = next_word(links, word)
    return word


@inlined
def hide(links: Links, node: Int, own_item: Int, counts: Counts) -> tuple[Counts, bool]:
    """Remove this node's option from its other items, and push items left with one option or two.

    `own_item` is OWN_ITEM if the option has left the node's own item as well, else ZERO. Also
    return whether an item has no option left. The loop has no other branch: a branch that the
    processor cannot predict takes longer than writing an entry that is then not counted.
    """
    mask, members, sizes = links.mask, links.nodes.members, first_size(links)
    forced, single, pairs, trail, open_ = counts
    at = links.nodes.others[node]
    own, member = members[at - ONE], members[at]
    empty = False
    while member != own:
        word = member >> MEMBER_SHIFT
        options = mask[word] ^ (ONE << (member & MEMBER_BIT))
        mask[word] = options
        if sizes:
            item = links.nodes.item[word]
            left = mask[sizes + item] - ONE
            mask[sizes + item] = left
        else:
            item = word
            left = bit_count(options)
        links.forced[forced] = item
        links.pairs[pairs] = item
        forced += Unsigned(left == ONE)
        single += Unsigned(left == ONE)
        pairs += Unsigned(left == TWO)
        empty |= left == ZERO
        at += ONE
        member = members[at]
    if links.trail.size:  # masks are restored from it
        links.trail[trail] = node | own_item
        trail += ONE
    return Counts(forced, single, pairs, trail, open_), empty


@compiled
def unhide(links: Links, node: Int) -> None:
    """Undo `hide` in the masks."""
    at, members = links.nodes.others[node], links.nodes.members
    own = members[at - ONE]
    while members[at] != own:
        restore(links, members[at])
        at += ONE


@compiled
def restore(links: Links, member: Int) -> None:
    """Return an option to one item's mask."""
    word, sizes = member >> MEMBER_SHIFT, first_size(links)
    links.mask[word] ^= ONE << (member & MEMBER_BIT)
    if sizes:
        links.mask[sizes + links.nodes.item[word]] += ONE


@inlined
def unlink(links: Links, node: Int, counts: Counts) -> tuple[Counts, Int]:
    """Take the items of this node's option out of the ring, its own first, and mark them covered.

    Also return where the nodes of the option end in `members`. All items are marked before any
    option is hidden, because it is no contradiction if they lose their options to each other.
    """
    left, right, mask, sizes = links.left, links.right, links.mask, first_size(links)
    forced, single, pairs, trail, open_ = counts
    members = links.nodes.members
    at = links.nodes.others[node]
    own = member = members[at - ONE]
    while True:
        item = word = member >> MEMBER_SHIFT
        if sizes:
            item = links.nodes.item[word]
            size = mask[sizes + item]
            mask[word] ^= ONE << (member & MEMBER_BIT)
            mask[sizes + item] = (size | NOT_OPEN) - ONE
            single -= Unsigned(size == ONE)
            open_ -= Unsigned(size < NOT_OPEN)
        else:
            options = mask[word]
            mask[word] = (options | NOT_OPEN) ^ (ONE << (member & MEMBER_BIT))
            single -= Unsigned(bit_count(options) == ONE)
            open_ -= Unsigned(options < NOT_OPEN)
        before, behind = left[item], right[item]
        right[before] = behind
        left[behind] = before
        member = members[at]
        at += ONE
        if member == own:
            return Counts(forced, single, pairs, trail, open_), at - ONE


@inlined
def take_stock(links: Links, trail: Int) -> tuple[Counts, bool]:
    """Return what is left in a dense problem, and whether an open item has no option left."""
    least, single, open_ = survey(links)
    counts = Counts(Unsigned(least == ONE), single, Unsigned(least == TWO), trail, open_)
    return counts, bool(least == ZERO)


@inlined
def choose(links: Links, node: Int, counts: Counts) -> tuple[Counts, bool]:
    """Cover the items of this node's option, its own first; purify those that it gives a colour.

    Also return whether an open item has no option left; then the rest of the work is skipped.
    """
    if has_rows(links):
        apply_rows(links, node)
        return take_stock(links, counts.trail)
    counts, end = unlink(links, node, counts)
    at = links.nodes.others[node] - ONE
    if has_colours(links):
        return hide_rivals(links, at, end, counts)
    dead = False
    while at != end and not dead:
        counts, dead = cover(links, links.nodes.members[at], counts)
        at += ONE
    return counts, dead


@compiled
def hide_rivals(links: Links, at: Int, end: Int, counts: Counts) -> tuple[Counts, bool]:
    """Cover or purify the items of a chosen option, as `choose` does."""
    dead = False
    while at != end and not dead:
        member = links.nodes.members[at]
        if colour_of(links, member) == ZERO:
            counts, dead = cover(links, member, counts)
        else:
            counts, dead = purify(links, member, counts)
        at += ONE
    return counts, dead


@inlined
def cover(links: Links, member: Int, counts: Counts) -> tuple[Counts, bool]:
    """Hide the options that an item has left; also return whether an open item has none left."""
    mask, sizes = links.mask, first_size(links)
    word, dead = member >> MEMBER_SHIFT, False
    last = word + ONE
    if sizes:
        item = links.nodes.item[word]
        word, last = links.nodes.first_word[item], links.nodes.last_word[item] + ONE
    while word != last and not dead:
        rest = mask[word] & OPTION_BITS
        first_node = links.nodes.first_node[word]
        while rest != ZERO:
            counts, empty = hide(links, first_node + lowest_bit(rest), ZERO, counts)
            rest &= rest - ONE
            dead |= empty
        word += ONE
    return counts, dead


@compiled
def purify(links: Links, member: Int, counts: Counts) -> tuple[Counts, bool]:
    """Hide the options that do not give an item the colour that this member of an option gives it.

    They leave the item's own mask as well, because it is read again when a further option with this
    colour is chosen. Also return whether an open item has no option left.
    """
    nodes, colour, dead = links.nodes, colour_of(links, member), False
    item = nodes.item[member >> MEMBER_SHIFT]
    for word in range(nodes.first_word[item], nodes.last_word[item] + ONE):
        rest = rivals(links, word, colour)
        while rest != ZERO:
            bit = lowest_bit(rest)
            rest &= rest - ONE
            remove(links, item, word, bit)
            counts, empty = hide(links, nodes.first_node[word] + bit, OWN_ITEM, counts)
            dead |= empty
    return counts, dead


@inlined
def remove(links: Links, item: Int, word: Int, bit: Int) -> None:
    """Remove an option from the mask of one item; `hide` removes it from the others."""
    links.mask[word] ^= ONE << bit
    if first_size(links):
        links.mask[first_size(links) + item] -= ONE


@inlined
def relink(links: Links, node: Int) -> None:
    """Undo `unlink` in the ring: insert the items of a chosen option again, the last one first."""
    left, right, members = links.left, links.right, links.nodes.members
    first = links.nodes.others[node] - ONE
    at = first + ONE
    while members[at] != members[first]:
        at += ONE
    while at != first:
        at -= ONE
        item = links.nodes.item[members[at] >> MEMBER_SHIFT]
        right[left[item]] = item
        left[right[item]] = item


@compiled
def unmark(links: Links, node: Int) -> None:
    """Undo `unlink` in the masks: return a chosen option to its items; primary ones are open."""
    at, members, sizes = links.nodes.others[node] - ONE, links.nodes.members, first_size(links)
    own = member = members[at]
    while True:
        item = links.nodes.item[member >> MEMBER_SHIFT]
        restore(links, member)
        if item <= links.nodes.primary:
            links.mask[sizes + item] &= OPTION_BITS
        at += ONE
        member = members[at]
        if member == own:
            break


@compiled
def undo_trail(links: Links, start: Int, end: Int) -> None:
    """Return to the masks the options that the trail names from `start` to `end`."""
    for k in range(start, end):
        node = links.trail[k] & ~OWN_ITEM
        unhide(links, node)
        if links.trail[k] & OWN_ITEM:
            restore(links, links.nodes.members[links.nodes.others[node] - ONE])
