"""Search trees for the simulation: recorded with the kernel, and enlarged to searches of hours.

Each node of a recorded tree is an option that was chosen, with the search nodes below it.  A
subtree of few search nodes is one leaf.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

from worker.exact_cover import stops
from worker.exact_cover.layout import Links, links
from worker.exact_cover.parts.frontier import Level, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import in_slices
from worker.exact_cover.state import UNLIMITED, Search, Terms, new_search, terms
from worker.stopwatch import Stopwatch

#: seconds after which the search for a problem is left, to learn what its parts share
BUDGET_SECONDS = 0.05
#: later than any slice ends, in nanoseconds
NEVER = 2**60
#: the option that stands for one that the kernel chose and left before it could be asked
DEAD = -1


@dataclass(frozen=True)
class Tree:
    """A search tree; its nodes are numbered from 0, the root, and siblings have adjacent numbers.

    A node is the item `0` and its own number wherever parts are described.
    """

    first: list[int]  #: per node: its first child; 0 for a leaf
    children: list[int]  #: per node: their number
    nodes: list[int]  #: per node: search nodes in its subtree, itself included but for the root

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return self.children.count(0)


@dataclass
class _Recorder:
    """Searches one subtree after another, on the same tables."""

    tables: Links
    search: Search
    terms: Terms
    pairs_compared: int
    leaf_nodes: int  #: a subtree of at most so many search nodes is a leaf
    interval: int = field(init=False)

    def __post_init__(self) -> None:
        self.interval = int(self.search.state.clock_interval)

    @classmethod
    def of(cls, problem: Problem, leaf_nodes: int) -> Self:
        found = next(f for f in in_slices(problem, watch=Stopwatch(60.0, BUDGET_SECONDS)) if f)
        search = new_search(problem, 1)
        asked = terms(limit=None, keep=1, costly=False)
        return cls(links(problem), search, asked, found.setup.pairs_compared, leaf_nodes)

    def nodes_of_leaf(self, levels: Levels) -> int | None:
        """Return the search nodes below a path; None if they are too many for a leaf."""
        state = self.search.state
        before = int(state.nodes)
        state.node_limit = before + self.leaf_nodes
        ended = self._part(levels).advance(NEVER) == stops.EXHAUSTED
        state.node_limit = UNLIMITED
        return int(state.nodes) - before if ended else None

    def children_of(self, levels: Levels) -> list[Level]:
        """Return the levels, of one option each, that may follow a path."""
        part, state = self._part(levels), self.search.state
        state.clock_interval = 1
        part.advance(0)
        state.clock_interval = self.interval
        frontier = part.frontier()
        assert frontier is not None, "the path has no leaf"
        ((item, branching, options, _), *_) = frontier.levels[len(levels) :]
        dead = branching - len(options)
        return [
            *[Level(item, branching, (DEAD,))] * dead,
            *(Level(item, branching, (option,)) for option in options),
        ]

    def _part(self, levels: Levels) -> PartSearch:
        return PartSearch(self.tables, self.search, self.terms, levels, self.pairs_compared)


def record(problem: Problem, leaf_nodes: int) -> Tree:
    """Return the search tree of a problem with all subtrees of at most `leaf_nodes` as leaves."""
    recorder = _Recorder.of(problem, leaf_nodes)
    first, children, nodes = [0], [0], [0]
    parents, stack = [0], list[tuple[int, Levels]]([(0, ())])
    while stack:
        node, levels = stack.pop()
        if levels and levels[-1].options == (DEAD,):
            nodes[node] = 1
            continue
        if (few := recorder.nodes_of_leaf(levels)) is not None:
            nodes[node] = few
            continue
        below = recorder.children_of(levels)
        first[node], children[node], nodes[node] = len(first), len(below), len(levels) > 0
        for level in below:
            stack.append((len(first), (*levels, level)))
            parents.append(node)
            first.append(0)
            children.append(0)
            nodes.append(0)
    for node in range(len(first) - 1, 0, -1):
        nodes[parents[node]] += nodes[node]
    return Tree(first, children, nodes)


class Below(NamedTuple):
    """The children of a node, and the seconds that the node itself takes."""

    children: range
    own: float


@dataclass(frozen=True)
class Enlarged:
    """A tree in which each leaf of more than one search node is a copy of the tree itself.

    The copy takes as long as the leaf.  So a search of hours is a tree of 10⁸ leaves and more, of
    which only those are made that the simulation comes to.
    """

    tree: Tree
    seconds: float  #: that one process takes for the whole tree

    @cached_property
    def size(self) -> int:
        """The number of nodes of the recorded tree."""
        return len(self.tree.first)

    @cached_property
    def rate(self) -> float:
        """Seconds for each search node of the recorded tree."""
        return self.seconds / self.tree.nodes[0]

    def time(self, node: int) -> float:
        """Return the seconds that one process takes for the subtree of a node."""
        outer, inner = divmod(node, self.size)
        whole = self.tree.nodes[outer] * self.rate
        return whole * self.tree.nodes[inner] / self.tree.nodes[0] if inner else whole

    def below(self, node: int) -> Below:
        """Return the children of a node; none if it cannot be divided."""
        outer, inner = divmod(node, self.size)
        first, children, nodes = self.tree.first, self.tree.children, self.tree.nodes
        if not inner and children[outer]:
            start, stop = (k * self.size for k in (first[outer], first[outer] + children[outer]))
            return Below(range(start, stop, self.size), self.rate if outer else 0.0)
        if nodes[outer] == 1 or not children[inner]:
            return Below(range(0), self.time(node))
        start = outer * self.size + first[inner]
        own = nodes[outer] * self.rate / nodes[0] if inner else 0.0
        return Below(range(start, start + children[inner]), own)
