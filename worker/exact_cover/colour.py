"""Colours of secondary items, and the options that they rule out.

Options of a cover may share a secondary item if all of them give it the same colour (Knuth, TAOCP
7.2.2.1, "color-controlled covering"). So an option that is chosen *purifies* such an item: the
options that give it another colour, or none, are hidden, and the others stay.
"""

from worker.compiling.jit import ONE, ZERO, Int, Unsigned, inlined, lowest_bit
from worker.exact_cover.form import has_colours
from worker.exact_cover.layout import MEMBER_BIT, MEMBER_SHIFT, OPTION_BITS, Links


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
