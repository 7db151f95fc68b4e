"""What a decision diagram of all covers tells: how many have each option, and which are cheapest.

The diagram is written by the search with a table: each state has one node, however many paths lead
to it. The covers below a node, times the paths to it from the root, are added up for the option of
each node.

A path from the root that takes the branch of the lesser cost at each node is the cheapest cover. It
leaves behind it, at each node, the branch that costs more; the next cheapest cover begins with the
least of all branches that were left (Lawler, *A procedure for computing the K best solutions to
discrete optimization problems*, 1972).
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush, nsmallest
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np

from worker.compiling.numbers import Integers
from worker.counting.diagram import (
    NO_COVER,
    Diagram,
    TooLarge,
    count_nodes,
    count_options,
    least_costs,
    new_diagram,
)
from worker.counting.numbers import to_int, to_words
from worker.counting.order import Piece, pieces, whole
from worker.counting.table import default_memory
from worker.counting.ways import Remembering, States
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.state import Path
from worker.stopwatch import Stopwatch

#: nodes of a diagram between two returns to the caller
PORTION = 1 << 20
#: bits of a word
WORD_BITS = 64
#: covers that are listed between two returns to the caller
COVERS_PER_RETURN = 64
#: bytes that a branch that was left takes at most, and the list has two of them per wanted cover
BRANCH_BYTES = 512
#: branches that the list has at most beyond those
SPARE_BRANCHES = 1024


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


#: the options of a path, the last one first
Chosen = tuple[int, "Chosen"] | None


class Priced(NamedTuple):
    """The diagram of a piece, with costs."""

    diagram: Diagram
    root: int  #: the node that has all covers
    least: Integers  #: per node: the least cost of its covers; NO_COVER if it has none
    options: Integers  #: per option of the piece: its number in the whole problem
    cost: Integers  #: per option of the piece


class Branch(NamedTuple):
    """A branch that was left, in the order in which they are taken."""

    total: int  #: the least cost of a cover that takes it
    number: int  #: how many were left before
    piece: int
    node: int  #: where it leads
    spent: int  #: the cost of the options before
    chosen: Chosen  #: these options


class FromDiagram:
    """A search for the `keep` cheapest covers, which can be stopped and continued.

    The tables take at most half of `memory`, and so do the diagrams. It fails if that is not
    enough, or if more covers are wanted than it can list with that memory.
    """

    def __init__(self, problem: Problem, keep: int, memory: int | None) -> None:
        self.kept: list[tuple[Path, int]] = []  #: the cheapest first: option numbers from 0; cost
        self.nodes = 0  #: search nodes
        self.ns = self.wall_ns = 0  #: CPU time and wall time in nanoseconds
        self.failed = False
        self._slice_ns = 0
        self._steps = self._run(problem, keep, default_memory() if memory is None else memory)

    @property
    def found(self) -> Found:
        """The cheapest covers, once all that are wanted are kept."""
        status = stops.EXHAUSTED if self.kept else stops.PAUSED
        return Found(status, len(self.kept), self.kept, self.nodes, self.ns, bound=0)

    def divided(self, found: Found) -> Found:
        """Return a result as it is: nothing of this search can be divided."""
        return found

    def advance(self, slice_ns: int, _most: int | None = None) -> bool:
        """Search for about `slice_ns`; return whether all wanted covers are kept."""
        watch = Stopwatch()
        ended, self._slice_ns = self.failed, slice_ns
        try:
            while not ended and self._slice_ns > 0:
                ended = next(self._steps, True)
                self._slice_ns = slice_ns - watch.wall_ns
        except (TooLarge, MemoryError):
            self.failed = True
        self.wall_ns += watch.wall_ns
        self.ns += watch.ns
        return ended and not self.failed

    def _run(self, problem: Problem, keep: int, memory: int) -> Iterator[bool]:
        """Yield False after each slice of time or less; end when all wanted covers are kept."""
        if 2 * keep * BRANCH_BYTES > memory:
            raise TooLarge
        priced = []
        for piece in pieces(problem):
            share = memory // 2 * piece.options.size // max(1, problem.cost.size)
            way = Remembering(
                piece, States(piece, share), by_size=False, diagram=new_diagram(share, 1)
            )
            nodes = self.nodes
            while not way.advance(self._slice_ns):
                self.nodes = nodes + way.nodes
                yield False
            self.nodes = nodes + way.nodes
            (diagram, root), cost = way.diagram, problem.cost[piece.options]
            least = np.full(root + 2, NO_COVER, np.int64)
            least[1] = 0
            for begin in range(2, root + 1, PORTION):
                least_costs(diagram, least, cost, begin, min(begin + PORTION, root + 1))
                yield False
            priced.append(Priced(diagram, root, least, piece.options, cost))
        covers = ranked(priced, keep)
        while some := list(islice(covers, COVERS_PER_RETURN)):
            self.kept += some
            yield False


def ranked(pieces: Sequence[Priced], keep: int) -> Iterator[tuple[Path, int]]:
    """Yield the `keep` cheapest covers of a problem, each with its cost, the cheapest first."""
    roots = [int(piece.least[piece.root]) for piece in pieces]
    after = [*accumulate(reversed(roots), initial=0)][::-1]  # per piece: with those after it
    if NO_COVER in roots:
        return
    left, number = [Branch(after[0], 0, -1, 1, 0, None)], 1
    for wanted in range(keep, 0, -1):
        if not left:
            return
        total, _, k, node, spent, chosen = heappop(left)
        while node != 1 or k + 1 < len(pieces):
            if node == 1:  # The piece is covered: begin with the next.
                k, node = k + 1, pieces[k + 1].root
                continue
            (diagram, _, least, options, cost), rest = pieces[k], after[k + 1]
            option, low, high = (int(column[node]) for column in diagram[:3])
            taken: Chosen = (int(options[option]), chosen)
            paid = spent + int(cost[option])
            low_total, high_total = spent + int(least[low]) + rest, paid + int(least[high]) + rest
            if low_total <= high_total:
                node, other = low, Branch(high_total, number, k, high, paid, taken)
            else:
                other = Branch(low_total, number, k, low, spent, chosen)
                node, spent, chosen = high, paid, taken
            if other.total < NO_COVER:
                heappush(left, other)
                number += 1
        if len(left) > 2 * wanted + SPARE_BRANCHES:
            left = nsmallest(wanted, left)
            heapify(left)
        yield tuple(sorted(_options(chosen))), total


def _options(chosen: Chosen) -> Iterator[int]:
    """Yield the options of a path."""
    while chosen is not None:
        option, chosen = chosen
        yield option


def warm_up() -> None:
    """Compile what counting and diagrams need, or load it from the cache."""
    problem = number(1, 0, [[1]])
    list(covers_by_option(whole(problem), 1, 1 << 12, by_size=True, slice_ns=1))
    States(whole(problem), 0).enlarge()
    FromDiagram(problem, 1, 1 << 12).advance(10**9)
