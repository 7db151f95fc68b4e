"""The tables of the search: what Dancing Links keeps in memory for one problem.

A *node* is one item in one option. The nodes are numbered item by item, and those of an item in
the order of the options, so an item's options are a run of nodes. The options that an item has
left are the bits of its *mask*, which takes one word of 30 options, or several.

The masks of a dense problem (see `dense`) are laid out in *planes*: the first words of all items,
then the second words of all, and so on. A plane has a *lane* for the root, one for every primary
item, and padding.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers, Table, Unsigned
from worker.exact_cover.dense import is_dense, option_rows, rows, without_secondary
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
#: a plane has a multiple of so many lanes, so that the rest of a vectorised loop is short
LANE_MULTIPLE = 16
#: masks are saved at each guess if the copies for the deepest search fit into so many words
MAX_SNAPSHOT_WORDS = 1 << 24


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
    form: NDArray[
        np.uint32
    ]  #: empty, of two dimensions; or of one, where there are no sizes and no
    #: colours: numba compiles a search of its own for that, which takes 5 % less time


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
    return tables._replace(nodes=tables.nodes._replace(form=_form(2)))


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
        by_cost=np.zeros(problem.cost.size, np.uint32),
    )


def max_depth(problem: Problem) -> int:
    """Return the largest number of options that a cover can have."""
    return min(problem.primary, problem.cost.size)


def nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the meaning of the masks' bits, and the masks with every option left."""
    sizes = _sizes(problem)
    words: Integers = np.maximum(1, (sizes + WORD_BITS - 1) // WORD_BITS)
    first_word = np.concatenate([[0], np.cumsum(words)])
    item = np.repeat(np.arange(sizes.size), words)
    first_sizes = item.size if words.max() > 1 else 0
    by_item = _by_item(problem)
    place = _places(problem, sizes, by_item, first_word, 1)
    nodes = _nodes(problem, sizes, by_item, place, first_word, item, 1, first_sizes)
    mask = _full(nodes, sizes)
    (sizes if first_sizes else mask)[problem.primary + 1 :] |= int(NOT_OPEN)
    return nodes, _table(np.concatenate([mask, sizes]) if first_sizes else mask)


def dense_nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the same for a dense problem; only primary items have nodes.

    In its masks, the two bits above the options mark an item that is *not* covered, because a row
    can only clear them. In its sizes, NOT_OPEN marks the others, as elsewhere.
    """
    inner = without_secondary(problem)
    sizes, primary = _sizes(inner), np.arange(1, inner.items + 1)
    lanes, planes = _shape(problem, sizes)
    words = lanes * planes
    by_item = _by_item(inner)
    place = _places(inner, sizes, by_item, np.arange(sizes.size), lanes)
    item = np.tile(np.append(np.arange(sizes.size), np.zeros(lanes - sizes.size, np.int64)), planes)
    first_word = np.arange(sizes.size + 1)
    nodes = _nodes(inner, sizes, by_item, place, first_word, item, lanes, words)
    of_items = rows(problem, place >> int(MEMBER_SHIFT), place & int(MEMBER_BIT), words)
    of_items[primary * words + primary] ^= int(NOT_OPEN)
    mask, left = _full(nodes, sizes), np.full(lanes, int(NOT_OPEN))
    mask[primary] |= int(NOT_OPEN)
    left[primary] = sizes[primary]
    nodes = nodes._replace(rows=_table(of_items), option_rows=option_rows(problem, words))
    return nodes, _table(np.concatenate([mask, left]))


def _is_dense(problem: Problem) -> bool:
    """Return whether the search covers items by rows."""
    sizes = _sizes(problem)
    lanes, planes = _shape(problem, sizes)
    snapshots = lanes * (planes + 1) * (max_depth(problem) + 1)
    return snapshots <= MAX_SNAPSHOT_WORDS and is_dense(problem, sizes, lanes * planes)


def _sizes(problem: Problem) -> Integers:
    """Return per item how many options it has."""
    return np.bincount(problem.members, minlength=problem.items + 1)


def _shape(problem: Problem, sizes: Integers) -> tuple[int, int]:
    """Return how many lanes and planes the masks have if the problem is dense."""
    most = int(sizes[1 : problem.primary + 1].max(initial=1))
    lanes = -(-(problem.primary + 1) // LANE_MULTIPLE) * LANE_MULTIPLE
    return lanes, -(-most // WORD_BITS)


def _by_item(problem: Problem) -> Integers:
    """Return the order of the members of all options by their item; 16 bits sort in linear time."""
    members = problem.members
    if problem.items < 2**16:
        members = members.astype(np.uint16)
    return np.argsort(members, kind="stable")


def _places(
    problem: Problem, sizes: Integers, by_item: Integers, first_word: Integers, lanes: int
) -> Integers:
    """Return word and bit of the members of all options, as `Nodes.members` holds them."""
    members = problem.members.astype(np.int64)
    rank = np.empty_like(members)
    rank[by_item] = np.arange(members.size)
    rank -= (np.cumsum(sizes) - sizes)[members]  # of the option among those of the item
    return first_word[members] + lanes * (rank // WORD_BITS) << int(MEMBER_SHIFT) | rank % WORD_BITS


def _nodes(
    problem: Problem,
    sizes: Integers,
    by_item: Integers,
    place: Integers,
    first_word: Integers,
    item: Integers,
    lanes: int,
    first_sizes: int,
) -> Nodes:
    """Return the tables of nodes at these places, without rows."""
    nth = (np.arange(item.size) - first_word[item]) // lanes  # word of its item
    first_node = (np.cumsum(sizes) - sizes)[item] + WORD_BITS * nth
    last_word = first_word[1:] - 1 if lanes == 1 else first_word[:-1] + item.size - lanes
    first = problem.first.astype(np.int64)
    lengths = np.diff(first)
    option = np.repeat(np.arange(lengths.size), lengths)
    at = np.arange(place.size) + first[option]
    twice = np.zeros(2 * place.size + 1, np.int64)
    twice[at] = twice[at + lengths[option]] = place
    return Nodes(
        _table(first_word),
        _table(last_word),
        Unsigned(lanes),
        _table(item),
        _table(first_node),
        _table((at + 1)[by_item]),
        _table(twice),
        _table(option[by_item]),
        problem.colour[by_item] if problem.colour.size else problem.colour,
        problem.primary,
        Unsigned(first_sizes),
        rows=np.zeros(0, np.uint32),
        option_rows=np.zeros((0, 0), np.uint32),
        form=_form(2 if first_sizes or problem.colour.size else 1),
    )


def _form(dimensions: int) -> NDArray[np.uint32]:
    return np.zeros((0,) * dimensions, np.uint32)


def _table(numbers: Integers) -> Table:
    return numbers.astype(np.uint32)


def _full(nodes: Nodes, sizes: Integers) -> Integers:
    """Return the masks with every option of items that have so many."""
    item, ends = nodes.item, np.cumsum(sizes)
    return (1 << np.clip(ends[item] - nodes.first_node.astype(np.int64), 0, WORD_BITS)) - 1


def restrict(tables: Links, options: NDArray[np.bool_]) -> None:
    """Leave each item only the options that are marked true; what is open does not change."""
    nodes = tables.nodes
    member = nodes.members[nodes.others[options[nodes.option]] - 1]
    bit = 1 << (member & MEMBER_BIT)
    masks = np.bincount(member >> MEMBER_SHIFT, bit, minlength=nodes.item.size)
    mask, words, first_sizes = tables.mask, nodes.item.size, int(nodes.sizes)
    mask[:words] = mask[:words] & NOT_OPEN | masks.astype(np.uint32)
    if first_sizes:
        sizes = np.bincount(nodes.item[member >> MEMBER_SHIFT], minlength=mask.size - words)
        mask[words:] = mask[words:] & NOT_OPEN | sizes.astype(np.uint32)
