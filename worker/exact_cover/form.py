"""The two forms of the tables: for all problems, and for those without sizes, colours and rows.

numba compiles functions once for each form. In the second, it removes the branches for what such
problems do not have.

Colours are those of secondary items. Options of a cover may share such an item if all of them give
it the same colour (Knuth, TAOCP 7.2.2.1, "color-controlled covering"). So an option that is chosen
*purifies* the item: the options that give it another colour, or none, are hidden, the others stay.
"""

from worker.compiling.jit import ONE, ZERO, Int, Unsigned, inlined, lowest_bit
from worker.exact_cover.layout import MEMBER_BIT, MEMBER_SHIFT, OPTION_BITS, Links


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
