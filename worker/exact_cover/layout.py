"""The tables of the search: what Dancing Links keeps in memory for one problem.

A *node* is one item in one option. The nodes are numbered item by item, and those of an item in
the order of the options, so an item's options are a run of nodes. The options that an item has
left are the bits of its *mask*, which takes one word of 30 options, or several.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers, Table, Unsigned
from worker.exact_cover.problem import MAX_ITEMS, Problem

#: options in a word of a mask; the two bits above them mark an item that need not be covered
WORD_BITS = 30
#: the bits of a word that stand for options
OPTION_BITS = Unsigned((1 << WORD_BITS) - 1)
#: marks the mask of an item that is covered already, or secondary. These are two bits, so that
#: such an item never looks like one with no option left, or with one.
NOT_OPEN = Unsigned(3 << WORD_BITS)
#: `members` holds pairs `word << MEMBER_SHIFT | bit`
MEMBER_SHIFT = Unsigned(5)
MEMBER_BIT = Unsigned(31)
#: masks are saved at each guess if the copies for the deepest search fit into so many words
MAX_SNAPSHOT_WORDS = 1 << 24


class Nodes(NamedTuple):
    """The meaning of every bit of the masks; constant during a search."""

    first_word: Table  #: per item: its first word in `mask`; one more entry ends the last item
    item: Table  #: per word: the item that it belongs to
    first_node: Table  #: per word: the node of its lowest bit
    others: Table  #: per node: index in `members` of the option's next node
    members: Table  #: per option, twice in a row: word and bit of its nodes. From any node on, the
    #: others follow until the same one comes again, so a loop needs no test for the end of the list
    option: Table  #: per node: the number of its option, from 0
    colour: Table  #: per node: the number of its colour, 0 for none; empty if there are no colours
    primary: int  #: items 1 to `primary` must be covered
    sizes: Unsigned  #: 0 if every item has one word; else the index in `mask` from which on it
    #: holds, per item, the number of options left


class Links(NamedTuple):
    """Everything that the search changes and restores, and the options' costs."""

    nodes: Nodes
    left: Table  #: per item: its left neighbour in the ring of open items; item 0 is the root
    right: Table  #: per item: its right neighbour
    mask: Table  #: per word: the options left, and `NOT_OPEN`; then the sizes, if there are any
    forced: Table  #: stack of items that have one option left
    pairs: Table  #: stack of items that came to have two options left
    snapshots: Table  #: per level: a copy of `mask`; empty if hidden options are logged instead
    trail: Table  #: log of the nodes by which options were hidden; empty if masks are copied
    cost: Integers  #: per option: its cost, or its reduced cost


def links(problem: Problem, snapshots: bool | None = None) -> Links:
    """Return the tables of a whole problem, with every primary item open.

    The search restores masks from snapshots if `snapshots` is true, from a trail if it is false;
    by default, from snapshots if these take little memory. Raise ValueError if the problem has
    more than MAX_ITEMS items.
    """
    nodes, mask = nodes_of(problem)
    tables = memory(problem, nodes, mask.size, snapshots)
    tables.mask[:] = mask
    primary = np.arange(1, problem.primary + 1)
    tables.right[primary - 1], tables.left[primary] = primary, primary - 1
    tables.left[0] = problem.primary
    secondary = np.arange(problem.primary + 1, problem.items + 1)
    tables.left[secondary] = tables.right[secondary] = secondary
    return tables


def memory(problem: Problem, nodes: Nodes, words: int, snapshots: bool | None = None) -> Links:
    """Return tables for masks of `words` words, filled with zeros: no item is open."""
    items = problem.items + 1
    snapshot_words = words * (max_depth(problem) + 1)
    if snapshots is None:
        snapshots = snapshot_words <= MAX_SNAPSHOT_WORDS
    return Links(
        nodes,
        left=np.zeros(items, np.uint32),
        right=np.zeros(items, np.uint32),
        mask=np.zeros(words, np.uint32),
        forced=np.zeros(items + 1, np.uint32),
        pairs=np.zeros(2 * items + 1, np.uint32),  # `confine` pushes an item a second time
        snapshots=np.zeros(snapshot_words if snapshots else 0, np.uint32),
        trail=np.zeros(0 if snapshots else problem.members.size + 1, np.uint32),
        cost=problem.cost.copy(),
    )


def max_depth(problem: Problem) -> int:
    """Return the largest number of options that a cover can have."""
    return min(problem.primary, problem.cost.size)


def nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the meaning of the masks' bits, and the masks with every option left."""
    if problem.items > MAX_ITEMS:
        raise ValueError(f"there are more than {MAX_ITEMS:,} items")
    members = problem.members.astype(np.int64)
    sizes = np.bincount(members, minlength=problem.items + 1)
    words: Integers = np.maximum(1, (sizes + WORD_BITS - 1) // WORD_BITS)
    first_word = np.concatenate([[0], np.cumsum(words)])
    begins = np.cumsum(sizes) - sizes  # per item: its first node
    item = np.repeat(np.arange(sizes.size), words)
    first_node = begins[item] + WORD_BITS * (np.arange(item.size) - first_word[item])
    mask = (1 << np.clip((begins + sizes)[item] - first_node, 0, WORD_BITS)) - 1
    several = item.size if words.max() > 1 else 0
    (sizes if several else mask)[problem.primary + 1 :] |= int(NOT_OPEN)
    others, twice, option = _doubled(problem, first_word, begins)
    by_item = np.argsort(members, kind="stable")
    colour = problem.colour[by_item] if problem.colour.size else problem.colour
    tables = (first_word, item, first_node, others, twice, option, colour)
    return (
        Nodes._make([*(t.astype(np.uint32) for t in tables), problem.primary, Unsigned(several)]),
        (np.concatenate([mask, sizes]) if several else mask).astype(np.uint32),
    )


def _doubled(
    problem: Problem, first_word: Integers, begins: Integers
) -> tuple[Integers, Integers, Integers]:
    """Return the fields `others`, `members` and `option` of `Nodes`."""
    members = problem.members.astype(np.int64)
    by_item = np.argsort(members, kind="stable")
    rank = np.empty_like(by_item)
    rank[by_item] = np.arange(members.size)
    rank -= begins[members]  # of the option among those of the item
    word = first_word[members] + rank // WORD_BITS
    member = word << int(MEMBER_SHIFT) | rank % WORD_BITS
    first = problem.first.astype(np.int64)
    lengths = first[1:] - first[:-1]
    option = np.repeat(np.arange(lengths.size), lengths)
    at = np.arange(members.size) + first[option]
    twice = np.zeros(2 * members.size + 1, np.int64)
    twice[at] = twice[at + lengths[option]] = member
    return (at + 1)[by_item], twice, option[by_item]


def restrict(tables: Links, options: NDArray[np.bool_]) -> None:
    """Leave each item only the options that are marked true; what is open does not change."""
    nodes = tables.nodes
    left = options[nodes.option]
    member = nodes.members[nodes.others[left] - 1]
    bit = 1 << (member & MEMBER_BIT)
    masks = np.bincount(member >> MEMBER_SHIFT, bit, minlength=nodes.item.size)
    mask, words, first_sizes = tables.mask, nodes.item.size, int(nodes.sizes)
    mask[:words] = mask[:words] & NOT_OPEN | masks.astype(np.uint32)
    if first_sizes:
        sizes = np.bincount(nodes.item[member >> MEMBER_SHIFT], minlength=tables.right.size)
        mask[words:] = mask[words:] & NOT_OPEN | sizes.astype(np.uint32)


def table(tables: Links) -> str:
    """Return the ring and the masks of a small problem as lines of text."""
    items = range(tables.right.size)
    words = [tables.mask[tables.nodes.first_word[item]] & OPTION_BITS for item in items]
    lines: list[tuple[str, Iterable[object]]] = [
        ("item", items),
        ("left", tables.left),
        ("right", tables.right),
        ("mask", ["..", *(f"{word:b}" for word in words[1:])]),
    ]
    return "\n".join(f"{name:6}" + "".join(f"{cell!s:>4}" for cell in row) for name, row in lines)
