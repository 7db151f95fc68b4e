"""Dense problems: their options share items with so many others that each item has a row of bits.

To cover an item is to hide all its options. In a dense problem a *row* says which bits of all
masks stay when an item is covered, so that covering it is a bitwise AND of the masks with its row,
eight words or more per instruction, however many options that hides. Only primary items have
masks. Secondary items have nothing but a row: no search branches on them.
"""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.exact_cover.problem import Problem

#: rows that are applied to the masks at a time
ROWS_AT_A_TIME = 4
#: most words of rows that a choice reads for each node that it hides, in a dense problem
MAX_WORDS_PER_NODE = 4
#: most words of all rows, and most pairs of items of an option, over all options
MAX_ENTRIES = 1 << 20
#: an item of a dense problem has fewer options, so that a size and an item fit into one word
MAX_OPTIONS = 1 << 14


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
    read = lengths.size * _rows_per_option(problem) * words
    hidden = int(sizes @ (sizes - 1)) * (problem.members.size / lengths.size - 1)
    return 0 < read <= MAX_WORDS_PER_NODE * hidden


def without_secondary(problem: Problem) -> Problem:
    """Return the problem without its secondary items."""
    is_primary = problem.members <= problem.primary
    first = np.concatenate([[0], np.cumsum(is_primary)])[problem.first]
    return problem._replace(
        items=problem.primary, members=problem.members[is_primary], first=first.astype(np.uint32)
    )


def rows(problem: Problem, first: Integers, word: Integers, bit: Integers, words: int) -> Integers:
    """Return the rows of all items: for each of `words`, the bits that stay.

    `first`, `word` and `bit` are those of the members of `without_secondary(problem)`.
    """
    option = problem.option_of_member
    count = (first[1:] - first[:-1])[option]  # primary items in the option of each member
    item = np.repeat(problem.members.astype(np.int64), count)
    nth = np.arange(item.size) - np.repeat(np.cumsum(count) - count, count)
    other = np.repeat(first[option], count) + nth
    entries = (problem.items + 1) * words
    hidden = np.bincount(item * words + word[other], 1 << bit[other], entries)
    return 0xFFFFFFFF - hidden.astype(np.int64)


def option_rows(problem: Problem, words: int) -> NDArray[np.uint32]:
    """Return per option where the rows of its items begin.

    The last of its items fills the rest of ROWS_AT_A_TIME: it may be covered twice.
    """
    first = problem.first.astype(np.int64)[:, None]
    at = np.minimum(first[:-1] + np.arange(_rows_per_option(problem)), first[1:] - 1)
    begins: NDArray[np.uint32] = problem.members[at] * np.uint32(words)
    return begins


def _rows_per_option(problem: Problem) -> int:
    longest = int(problem.lengths.max(initial=0))
    return -(-longest // ROWS_AT_A_TIME) * ROWS_AT_A_TIME
