"""The two forms of the tables: for all problems, and for those without sizes, colours and rows.

numba compiles functions once for each form. In the second, it removes the branches for what such
problems do not have.
"""

from worker.compiling.jit import ONE, ZERO, Int, inlined
from worker.exact_cover.layout import Links


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
