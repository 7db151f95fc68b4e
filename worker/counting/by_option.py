"""In how many covers of a piece each option is.

The search with a table is made once more. This time it writes the covers to a decision diagram, in
which each state has one node however many paths lead to it. The covers below a node, times the
paths to it from the root, are then added up for the option of each node.
"""

from collections.abc import Iterator

import numpy as np

from worker.counting.diagram import count_nodes, count_options, new_diagram
from worker.counting.numbers import to_int, to_words
from worker.counting.order import Piece, pieces
from worker.counting.ways import Remembering, States
from worker.exact_cover.problem import number

#: nodes of a diagram between two returns to the caller
PORTION = 1 << 20
#: bits of a word
WORD_BITS = 64


def covers_by_option(
    piece: Piece, covers: int, memory: int, *, by_size: bool, slice_ns: int
) -> Iterator[list[int] | None]:
    """Yield None after each slice of time, then for each option the number of covers that have it.

    `covers` is the number of all covers. The table takes at most half of `memory`, and so does the
    diagram: TooLarge is raised if that is not enough.
    """
    size = max(-(-covers.bit_length() // WORD_BITS), 1)
    half = memory // 2
    way = Remembering(piece, States(piece, half), by_size=by_size, diagram=new_diagram(half, size))
    while not way.advance(slice_ns):
        yield None
    diagram, root = way.diagram
    counts, above = (np.zeros((root + 2) * size, np.uint64) for _ in range(2))
    uses = np.zeros(piece.options.size * size, np.uint64)
    counts[size] = 1
    above[root * size : (root + 1) * size] = to_words(1, size)
    for begin in range(2, root + 1, PORTION):
        count_nodes(diagram, counts, size, begin, min(begin + PORTION, root + 1))
        yield None
    for end in range(root + 1, 2, -PORTION):
        count_options(diagram, counts, above, uses, size, max(end - PORTION, 2), end)
        yield None
    yield [to_int(words) for words in uses.reshape(-1, size)]


def warm_up() -> None:
    """Compile what counting from a table needs, or load it from the cache."""
    (piece,) = pieces(number(1, 0, [[1]]))
    list(covers_by_option(piece, 1, 1 << 12, by_size=True, slice_ns=1))
    States(piece, 0).enlarge()
