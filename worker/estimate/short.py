"""A short search: it ends at a number of nodes, and leaves the tables as they were."""

from collections.abc import Generator
from typing import NamedTuple

from storage.values import Kind
from worker.covers.solve import read as read_cover
from worker.errors import PuzzleError
from worker.exact_cover import stops
from worker.exact_cover.costs.neighbourhood import Flags
from worker.exact_cover.costs.rounds import CostRounds
from worker.exact_cover.exclude import restrict
from worker.exact_cover.layout import Links, links
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Begun
from worker.exact_cover.state import Search, Terms, new_search, start_round, terms
from worker.lasting import Puzzle
from worker.options import Options
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, Stopwatch, nanoseconds
from worker.sudoku.solve import read as read_grid
from worker.sudoku.solve import solver_of

#: seconds between two looks at the clock
SLICE_SECONDS = 0.1
LONGEST_NS = nanoseconds(LONGEST_TIMEOUT_SECONDS)


class Tree(NamedTuple):
    """A search tree, at its root."""

    links: Links
    search: Search
    terms: Terms


class Short(NamedTuple):
    """What a short search found, and the tree of the search that it did not end."""

    nodes: int  #: that the short search visited
    found: int  #: solutions that it found
    ns: int  #: its CPU time, in nanoseconds
    ns_per_node: float  #: of the tree, in nanoseconds
    tree: Tree | None  #: None if the search has ended
    first_nodes: int = 0  #: nodes that are visited in lanes before the search starts again
    ns_per_first_node: float = 0.0  #: of these, in nanoseconds


class Allowance(NamedTuple):
    """How long a short search may last."""

    nodes: int
    watch: Stopwatch  #: with its time limit

    def left(self, search: Search) -> int:
        """Return how many more nodes may be visited."""
        return 0 if self.watch.is_over else max(0, self.nodes - search.state.nodes)

    def run(self, steps: Generator[None, None, int], search: Search) -> int:
        """Run a search until the allowance is used up; return why it stopped."""
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                return int(stop.value)
            nodes = search.state.nodes + self.left(search)
            search.state.node_limit = min(search.state.node_limit, nodes)


def puzzle_of(kind: Kind, text: str, options: Options) -> Puzzle:
    """Return a puzzle as an exact cover problem; raise PuzzleError if the text is none."""
    if kind is Kind.COVER:
        return read_cover(text, options)
    return read_grid(text, options).puzzle


def search_briefly(kind: Kind, text: str, options: Options, allowance: Allowance) -> Short:
    """Search a puzzle for a short time; raise PuzzleError for a text that is none."""
    begun, lanes_ns, first_nodes = None, 0, 0
    if kind is not Kind.COVER and (solver := solver_of(text, options, SLICE_SECONDS)).has_lanes:
        first_nodes = solver.node_limit
        solver.node_limit = min(first_nodes, allowance.nodes)
        while solver.at == 0 and not (solver.goes_on(LONGEST_NS) or allowance.watch.is_over):
            solver.advance()
        report = solver.grids.report[0]
        lanes_ns = int(report.ns)
        if solver.at == 1:
            nodes, found = int(report.nodes), int(report.found)
            return Short(nodes, found, lanes_ns, lanes_ns / max(1, nodes), None)
        begun = solver.begun(read_grid(text, options))
        allowance = allowance._replace(nodes=allowance.nodes + begun.nodes)
    puzzle = puzzle_of(kind, text, options)
    if not puzzle.is_exact:
        raise PuzzleError("no estimate is known where items may be covered several times")
    searching = (
        ShortRounds(puzzle, options.keep, allowance, begun)
        if puzzle.scored and not options.every
        else _any(puzzle.problem.without_costs, options, allowance.nodes, begun)
    )
    search, watch = searching.search, Stopwatch()  # the layout takes no part in the time per node
    status, state = allowance.run(searching.run(), search), search.state
    ns, of_lanes = watch.ns, begun.nodes if begun else 0
    return Short(
        int(state.nodes),
        int(state.found),
        ns + lanes_ns,
        ns / max(1, int(state.nodes) - of_lanes),
        None if status in {stops.EXHAUSTED, stops.LIMITED} else _tree(searching),
        first_nodes,
        lanes_ns / max(1, of_lanes),
    )


def _any(problem: Problem, options: Options, nodes: int, begun: Begun | None) -> PartSearch:
    """Return a search for any covers."""
    asked = terms(limit=None if options.target else options.limit, keep=1, costly=False)
    search = new_search(problem, 1)
    search.state.node_limit = nodes
    watch = Stopwatch(slice_seconds=SLICE_SECONDS)
    part = PartSearch(links(problem), search, asked, (), watch=watch)
    if begun is not None:
        begun._replace(options=begun.options[:1], cost=begun.cost[:1] * 0).go_on(part)
    return part


class ShortRounds(CostRounds):
    """Rounds that end after a number of nodes."""

    def __init__(
        self, puzzle: Puzzle, keep: int, allowance: Allowance, begun: Begun | None
    ) -> None:
        watch = Stopwatch(slice_seconds=SLICE_SECONDS)
        super().__init__(puzzle.problem, keep, prune=True, watch=watch, near=puzzle.near)
        self._allowance = allowance
        if begun is not None:
            self.go_on(begun)

    def search_with(
        self, options: Flags, budget: int, node_limit: int
    ) -> Generator[None, None, int]:
        """Search for as many nodes as are left; return TIMED_OUT, which ends rounds, after them."""
        limit = min(node_limit, self._allowance.left(self.search))
        status = yield from super().search_with(options, budget, limit)
        is_over = status == stops.NODE_LIMITED and self._allowance.left(self.search) == 0
        return stops.TIMED_OUT if is_over else status


def _tree(searching: ShortRounds | PartSearch) -> Tree:
    """Return the tree of a search; for the best covers, that which would prove what is kept."""
    if isinstance(searching, PartSearch):
        return Tree(searching.tables, searching.search, searching.terms)
    slices, reach = searching.slices, searching.gap
    restrict(slices.tables, searching.in_use & (slices.tables.cost <= reach))
    start_round(slices.search, slices.terms, reach, 0)
    return Tree(slices.tables, slices.search, slices.terms)
