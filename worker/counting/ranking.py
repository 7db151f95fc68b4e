"""The covers of decision diagrams in the order of their costs.

A path from the root that takes the branch of the lesser cost at each node is the cheapest cover. It
leaves behind it, at each node, the branch that costs more; the next cheapest cover begins with the
least of all branches that were left (Lawler, *A procedure for computing the K best solutions to
discrete optimization problems*, 1972).
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush, nsmallest
from itertools import accumulate
from typing import NamedTuple

from worker.compiling.jit import Integers
from worker.counting.diagram import NO_COVER, Diagram
from worker.exact_cover.state import Path

#: bytes that a branch that was left takes at most, and the list has two of them per wanted cover
BRANCH_BYTES = 512
#: branches that the list has at most beyond those
SPARE_BRANCHES = 1024

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
