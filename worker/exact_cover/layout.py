"""The tables of the search: what Dancing Links keeps in memory for one problem.

A *node* is one item in one option. The nodes are numbered item by item, and those of an item in
the order of the options, so an item's options are a run of nodes. The options that an item has
left are the bits of its *mask*, which takes one word of 30 options, or several.

The masks of a dense problem (see `dense`) are laid out in *planes*: the first words of all items,
then the second words of all, and so on. A plane has a *lane* for the root, one for every primary
item, and padding.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Table, Unsigned
from worker.exact_cover.dense import is_dense, option_rows, rows, without_secondary
from worker.exact_cover.problem import MAX_ITEMS, Problem, number

#: options in a word of a mask; the two bits above them mark an item that need not be covered
WORD_BITS = 30
_BITS = Unsigned(WORD_BITS)
#: the bits of a word that stand for options
OPTION_BITS = Unsigned((1 << WORD_BITS) - 1)
#: marks the mask of an item that is covered already, or secondary. These are two bits, so that
#: such an item never looks like one with no option left, or with one.
NOT_OPEN = Unsigned(3 << WORD_BITS)
#: `members` holds pairs `word << MEMBER_SHIFT | bit`
MEMBER_SHIFT = Unsigned(5)
MEMBER_BIT = Unsigned(31)
#: the lanes of a plane are a multiple of this, so that the rest of a vectorised loop is short
LANE_MULTIPLE = 16
#: most words of the copies for the deepest search with which masks are saved at each guess
MAX_SNAPSHOT_WORDS = 1 << 24
_PLAIN, _GENERAL = np.zeros(0, np.uint32), np.zeros((0, 0), np.uint32)


class Nodes(NamedTuple):
    """The meaning of every bit of the masks; constant during a search."""

    first_word: Table  #: per item: its first word in `mask`; one more entry ends the last item
    last_word: Table  #: per item: its last word
    lanes: Unsigned  #: in a dense problem, how many; elsewhere 1. An item's words are so far apart
    item: Table  #: per word: the item that it belongs to
    first_node: Table  #: per word: the node of its lowest bit
    others: Table  #: per node: index in `members` of the option's next node
    members: Table  #: per option, twice in a row: word and bit of its nodes. From any node on, the
    #: others follow until the same one comes again, so a loop needs no test for the end of the list
    option: Table  #: per node: the number of its option, from 0
    colour: Table  #: per node: the number of its colour, 0 for none; empty if there are no colours
    primary: int  #: items 1 to `primary` must be covered
    sizes: Unsigned  #: 0 if every item has one word; else the index in `mask` from which on it
    #: holds, per item, the number of options left. A dense problem has sizes in any case
    rows: Table  #: per item of a dense problem, for each word: the bits that stay if it is covered
    option_rows: NDArray[np.uint32]  #: per option of a dense problem: where its items' rows begin
    form: Table  #: empty, of two dimensions; or of one, where there are no sizes and no colours:
    #: numba compiles a search of its own for that, which takes 5 % less time


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
    by_cost: Table  #: a node of each option, the most expensive first; see `exclude`


def links(problem: Problem, snapshots: bool | None = None, dense: bool | None = None) -> Links:
    """Return the tables of a whole problem, with every primary item open.

    The search restores masks from snapshots if `snapshots` is true, from a trail if it is false;
    by default, from snapshots if these take little memory. It covers items by rows if `dense` is
    true, which needs snapshots and a problem without colours; by default, if the problem is dense.
    Raise ValueError if the problem has more than MAX_ITEMS items.
    """
    if problem.items > MAX_ITEMS:
        raise ValueError(f"there are more than {MAX_ITEMS:,} items")
    if dense is None:
        dense = snapshots is not False and _is_dense(problem)
    nodes, mask = _laid_out(problem, dense=dense)
    tables = memory(problem, nodes, mask.size, dense or snapshots)
    tables.mask[:] = mask
    primary = np.arange(1, problem.primary + 1)
    tables.right[primary - 1], tables.left[primary] = primary, primary - 1
    tables.left[0] = problem.primary
    secondary = np.arange(problem.primary + 1, problem.items + 1)
    tables.left[secondary] = tables.right[secondary] = secondary
    return general(tables) if snapshots is False else tables  # kernels that need the trail


class _LaidOut(NamedTuple):
    problem: Problem
    dense: bool
    made: tuple[Nodes, Table]  #: nodes and masks


#: the problem that was laid out last, for the next turn of a search that is divided
_last: _LaidOut | None = None


def _laid_out(problem: Problem, *, dense: bool) -> tuple[Nodes, Table]:
    """Return the nodes and masks of a problem; those of the last one if only its costs differ."""
    global _last  # noqa: PLW0603 # one value, replaced as a whole
    last = _last
    if last is None or last.dense != dense or not _are_alike(last.problem, problem):
        last = _LaidOut(problem, dense, dense_nodes_of(problem) if dense else nodes_of(problem))
        _last = last
    return last.made


def _are_alike(one: Problem, other: Problem) -> bool:
    """Return whether two problems have the same arrays, whatever their costs are."""
    return all(a is b for a, b in zip(one, other._replace(cost=one.cost), strict=True))


def general(tables: Links) -> Links:
    """Return the same tables in the form for all problems.

    What does not take much time is compiled for this form only.
    """
    return tables._replace(nodes=tables.nodes._replace(form=_GENERAL))


def memory(problem: Problem, nodes: Nodes, words: int, snapshots: bool | None = None) -> Links:
    """Return tables for masks of `words` words, filled with zeros: no item is open."""
    items = problem.items + 1
    snapshot_words = words * (problem.max_depth + 1)
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
        by_cost=np.zeros(problem.cost.size, np.uint32),
    )


def nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the meaning of the masks' bits, and the masks with every option left."""
    sizes = _sizes(problem)
    words: Integers = np.maximum(1, -(-sizes // WORD_BITS))
    first_word = np.concatenate([[0], np.cumsum(words)])
    first_sizes = int(first_word[-1]) if words.max() > 1 else 0
    nodes, mask = _numbered(problem, sizes, first_word, first_word[1:] - 1, 1, first_sizes)
    left = _table(sizes)
    (left if first_sizes else mask)[problem.primary + 1 :] |= int(NOT_OPEN)
    return nodes, np.concatenate([mask, left]) if first_sizes else mask


def dense_nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the same for a dense problem; only primary items have nodes.

    In its masks, the two bits above the options mark an item that is *not* covered, because a row
    can only clear them. In its sizes, NOT_OPEN marks the others, as elsewhere.
    """
    inner = without_secondary(problem)
    sizes, primary = _sizes(inner), np.arange(1, inner.items + 1)
    lanes, planes = _shape(problem, sizes)
    words = lanes * planes
    first_word = np.arange(sizes.size + 1)
    last_word = first_word[:-1] + words - lanes
    nodes, mask = _numbered(inner, sizes, first_word, last_word, lanes, words)
    first = inner.first.astype(np.int64)
    place = nodes.members[np.arange(first[-1]) + np.repeat(first[:-1], inner.lengths)]
    place = place.astype(np.int64)
    of_items = rows(problem, first, place >> int(MEMBER_SHIFT), place & int(MEMBER_BIT), words)
    of_items[primary * words + primary] ^= int(NOT_OPEN)
    left = np.full(lanes, int(NOT_OPEN), np.uint32)
    mask[primary] |= int(NOT_OPEN)
    left[primary] = sizes[primary]
    nodes = nodes._replace(rows=_table(of_items), option_rows=option_rows(problem, words))
    return nodes, np.concatenate([mask, left])


def _is_dense(problem: Problem) -> bool:
    """Return whether the search covers items by rows."""
    sizes = _sizes(problem)
    lanes, planes = _shape(problem, sizes)
    snapshots = lanes * (planes + 1) * (problem.max_depth + 1)
    return snapshots <= MAX_SNAPSHOT_WORDS and is_dense(problem, sizes, lanes * planes)


def _sizes(problem: Problem) -> Integers:
    """Return per item how many options it has."""
    return np.bincount(problem.members, minlength=problem.items + 1)


def _shape(problem: Problem, sizes: Integers) -> tuple[int, int]:
    """Return how many lanes and planes the masks have if the problem is dense."""
    most = int(sizes[1 : problem.primary + 1].max(initial=1))
    lanes = -(-(problem.primary + 1) // LANE_MULTIPLE) * LANE_MULTIPLE
    return lanes, -(-most // WORD_BITS)


def _numbered(
    problem: Problem,
    sizes: Integers,
    first_word: Integers,
    last_word: Integers,
    lanes: int,
    first_sizes: int,
) -> tuple[Nodes, Table]:
    """Return the tables of nodes in masks of these words, without rows, and the masks."""
    words, members = first_sizes or int(first_word[-1]), problem.members.size
    nodes = Nodes(
        _table(first_word),
        _table(last_word),
        Unsigned(lanes),
        item=np.zeros(words, np.uint32),
        first_node=np.zeros(words, np.uint32),
        others=np.zeros(members, np.uint32),
        members=np.zeros(2 * members + 1, np.uint32),
        option=np.zeros(members, np.uint32),
        colour=np.zeros_like(problem.colour),
        primary=problem.primary,
        sizes=Unsigned(first_sizes),
        rows=_PLAIN,
        option_rows=_GENERAL,
        form=_GENERAL,
    )
    mask = np.zeros(words, np.uint32)
    number_nodes(problem.first, problem.members, problem.colour, _table(sizes), nodes, mask)
    return nodes if first_sizes or problem.colour.size else nodes._replace(form=_PLAIN), mask


@cache
def load() -> None:
    """Load the compiled part of the layout, so that the time of a layout does not include it."""
    nodes_of(number(1, 0, [[1]]))


@entry(__file__)
def number_nodes(
    first: Table, members: Table, colour: Table, count: Table, nodes: Nodes, mask: Table
) -> None:
    """Number the nodes item by item, and fill the masks; `count`, of options, is changed."""
    fill_masks(nodes, mask, count)
    count[:] = 0
    for option in range(Unsigned(first.size - 1)):
        begin, end = Unsigned(first[option]), Unsigned(first[option + ONE])
        for at in range(begin, end):
            item = Unsigned(members[at])
            word, rank = Unsigned(nodes.first_word[item]), Unsigned(count[item])
            node = nodes.first_node[word] + rank
            count[item] = rank + ONE
            place = word + nodes.lanes * (rank // _BITS) << MEMBER_SHIFT | rank % _BITS
            nodes.members[begin + at] = nodes.members[end + at] = place
            nodes.others[node], nodes.option[node] = begin + at + ONE, option
            if colour.size != 0:
                nodes.colour[node] = colour[at]


@compiled
def fill_masks(nodes: Nodes, mask: Table, count: Table) -> None:
    """Let each item have all its options, which are `count`, in its words."""
    node = ZERO
    for item in range(Unsigned(count.size)):
        left: Int = Unsigned(count[item])
        for word in range(nodes.first_word[item], nodes.last_word[item] + ONE, nodes.lanes):
            options = min(left, _BITS)
            nodes.item[word], nodes.first_node[word] = item, node
            mask[word] = (ONE << options) - ONE
            node, left = node + options, left - options


def _table(numbers: Integers) -> Table:
    return numbers.astype(np.uint32)
