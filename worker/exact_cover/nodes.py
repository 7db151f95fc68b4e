"""The nodes of a problem, and the rows of a dense one: the meaning of every bit of the masks.

A *node* is one item in one option. The nodes are numbered item by item, and those of an item in
the order of the options, so an item's options are a run of nodes. The options that an item has
left are the bits of its *mask*, which takes one word of 30 options, or several.

To cover an item is to hide all its options. A problem is *dense* if its options share items with
many others. Then each item has a *row*, which says which bits of all masks stay when it is covered,
so that covering it is a bitwise AND of the masks with its row, eight words or more per instruction,
however many options that hides. Only primary items have masks. Secondary items have nothing but a
row: no search branches on them.

The masks of a dense problem are laid out in *planes*: the first words of all items, then the second
words of all, and so on. A plane has a *lane* for the root, one for every primary item, and padding.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Table, Unsigned
from worker.exact_cover.problem import Problem

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
#: rows that are applied to the masks at a time
ROWS_AT_A_TIME = 4
#: most words of rows that a choice reads for each node that it hides, in a dense problem
MAX_WORDS_PER_NODE = 4
#: most words of all rows, and most pairs of items of an option, over all options
MAX_ENTRIES = 1 << 20
#: an item of a dense problem has fewer options, so that a size and an item fit into one word
MAX_OPTIONS = 1 << 14
#: the values of `Nodes.form`
PLAIN, GENERAL = np.zeros(0, np.uint32), np.zeros((0, 0), np.uint32)


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


def nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return the meaning of the masks' bits, and the masks with every option left."""
    sizes = sizes_of(problem)
    words: Integers = np.maximum(1, -(-sizes // WORD_BITS))
    first_word = np.concatenate([[0], np.cumsum(words)])
    first_sizes = int(first_word[-1]) if words.max() > 1 else 0
    nodes, mask = _numbered(problem, sizes, first_word, first_word[1:] - 1, 1, first_sizes)
    left = _table(sizes)
    (left if first_sizes else mask)[problem.primary + 1 :] |= int(NOT_OPEN)
    return nodes, np.concatenate([mask, left]) if first_sizes else mask


def dense_nodes_of(problem: Problem) -> tuple[Nodes, Table]:
    """Return what the masks' bits of a dense problem mean, and the masks with every option left.

    Only primary items have nodes.  In the masks, the two bits above the options mark an item that
    is *not* covered, because a row can only clear them.  In its sizes, NOT_OPEN marks the others,
    as elsewhere.
    """
    sizes = sizes_of(problem)[: problem.primary + 1]
    lanes, planes = shape(problem, sizes)
    words = lanes * planes
    first_word = np.arange(sizes.size + 1)
    last_word = first_word[:-1] + words - lanes
    nodes, mask = _numbered(problem, sizes, first_word, last_word, lanes, words)
    nodes = nodes._replace(
        rows=np.full((problem.items + 1) * words, 0xFFFFFFFF, np.uint32),
        option_rows=np.zeros((problem.lengths.size, rows_per_option(problem)), np.uint32),
    )
    fill_rows(problem.first, problem.members, nodes)
    left = np.full(lanes, int(NOT_OPEN), np.uint32)
    mask[1 : sizes.size] |= int(NOT_OPEN)
    left[1 : sizes.size] = sizes[1:]
    return nodes, np.concatenate([mask, left])


def is_dense(problem: Problem, sizes: Integers, words: int) -> bool:
    """Return whether covering items by rows of `words` takes less time than hiding options.

    An item has `sizes` options. The comparison is for the first choice; later ones hide fewer
    options, but in the same proportion if problems are alike. Large problems are not dense, nor
    are those with colours.
    """
    lengths = problem.lengths.astype(np.int64)
    if problem.colour.size or not lengths.size or sizes.max() >= MAX_OPTIONS:
        return False
    if max(sizes.size * words, int(lengths @ lengths)) > MAX_ENTRIES:
        return False
    read = lengths.size * rows_per_option(problem) * words
    hidden = int(sizes @ (sizes - 1)) * (problem.members.size / lengths.size - 1)
    return 0 < read <= MAX_WORDS_PER_NODE * hidden


def rows_per_option(problem: Problem) -> int:
    """Return how many rows are applied for an option: those of its items, and of some twice."""
    longest = int(problem.lengths.max(initial=0))
    return -(-longest // ROWS_AT_A_TIME) * ROWS_AT_A_TIME


def sizes_of(problem: Problem) -> Integers:
    """Return per item how many options it has."""
    return np.bincount(problem.members, minlength=problem.items + 1)


def shape(problem: Problem, sizes: Integers) -> tuple[int, int]:
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
    """Return the tables of nodes in masks of these words, without rows, and the masks.

    Items beyond those whose `sizes` are given have no nodes.
    """
    words, members = first_sizes or int(first_word[-1]), int(sizes.sum())
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
        rows=PLAIN,
        option_rows=GENERAL,
        form=GENERAL,
    )
    mask = np.zeros(words, np.uint32)
    number_nodes(problem.first, problem.members, problem.colour, _table(sizes), nodes, mask)
    return nodes if first_sizes or problem.colour.size else nodes._replace(form=PLAIN), mask


@entry(__file__)
def number_nodes(
    first: Table, members: Table, colour: Table, count: Table, nodes: Nodes, mask: Table
) -> None:
    """Number the nodes item by item, and fill the masks; `count`, of options, is changed.

    Items beyond those with a `count` have no nodes.
    """
    fill_masks(nodes, mask, count)
    count[:] = 0
    place = ZERO
    for option in range(Unsigned(first.size - 1)):
        begin, end = Unsigned(first[option]), Unsigned(first[option + ONE])
        length = numbered(members, begin, end, Unsigned(count.size))
        for at in range(begin, end):
            item = Unsigned(members[at])
            if item < Unsigned(count.size):
                word, rank = Unsigned(nodes.first_word[item]), Unsigned(count[item])
                node = nodes.first_node[word] + rank
                count[item] = rank + ONE
                member = word + nodes.lanes * (rank // _BITS) << MEMBER_SHIFT | rank % _BITS
                nodes.members[place] = nodes.members[place + length] = member
                place += ONE
                nodes.others[node], nodes.option[node] = place, option
                if colour.size != 0:
                    nodes.colour[node] = colour[at]
        place += length


@entry(__file__)
def fill_rows(first: Table, members: Table, nodes: Nodes) -> None:
    """Fill the rows of a dense problem, in which all bits are 1, and where those of options begin.

    The row of an item hides the options with it, and marks a primary item as covered.  The last
    item of an option fills the rest of its `option_rows`: it may be covered twice.
    """
    words, primary, place = nodes.sizes, Unsigned(nodes.primary), ZERO
    for option in range(Unsigned(first.size - 1)):
        begin, end = Unsigned(first[option]), Unsigned(first[option + ONE])
        length = numbered(members, begin, end, primary + ONE)
        for at in range(begin, end):
            row = members[at] * words
            for other in range(place, place + length):
                member = Unsigned(nodes.members[other])
                hidden = ONE << (member & MEMBER_BIT)
                nodes.rows[row + (member >> MEMBER_SHIFT)] &= ~hidden
        place += length + length
        for k in range(Unsigned(nodes.option_rows.shape[1])):
            if begin < end:
                nodes.option_rows[option, k] = members[min(begin + k, end - ONE)] * words
    for item in range(ONE, primary + ONE):
        nodes.rows[item * words + item] ^= NOT_OPEN


@compiled
def numbered(members: Table, begin: Int, end: Int, items: Int) -> Int:
    """Return how many of the members from `begin` to `end` are below `items`."""
    count = ZERO
    for at in range(begin, end):
        if members[at] < items:
            count += ONE
    return count


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
