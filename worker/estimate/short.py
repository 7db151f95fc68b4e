"""A short search: it ends after a number of nodes and leaves the tables as they were before it."""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from worker.covers.solve import read
from worker.exact_cover.costs.cheapest import CostRounds
from worker.exact_cover.costs.rounds import Rounds
from worker.exact_cover.layout import Links, links, max_depth, restrict
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Found, run_in_slices
from worker.exact_cover.state import (
    EXHAUSTED,
    LIMITED,
    NODE_LIMITED,
    TIMED_OUT,
    UNBOUNDED,
    Search,
    Terms,
    new_search,
    start_round,
    terms,
)
from worker.options import Options
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, Stopwatch
from worker.sudoku.grids import NEW_ROUND, PRESOLVING, WRITING, Round
from worker.sudoku.rounds import GridRounds
from worker.sudoku.solve import solver_of
from worker.sudoku.solver import GridSolver

#: seconds between two looks at the clock
SLICE_SECONDS = 0.1


class Begun(NamedTuple):
    """What a short search found, and the tables of what it left, at the root of the tree."""

    ended: bool  #: nothing is left to be searched
    nodes: int  #: that the short search visited
    found: int  #: solutions that it found
    ns: int  #: CPU time of the short search, in nanoseconds
    ns_per_node: float  #: of the tree that it left, in nanoseconds
    links: Links
    search: Search
    terms: Terms


@dataclass(frozen=True)
class Allowance:
    """How long a short search may last."""

    nodes: int
    deadline: float  #: by `time.monotonic`

    def left(self, search: Search) -> int:
        """Return how many more nodes may be visited."""
        return 0 if time.monotonic() >= self.deadline else max(0, self.nodes - search.state.nodes)

    def end(self, search: Search) -> None:
        """Let a search that paused end at its next node if nothing is left."""
        search.state.node_limit = min(
            search.state.node_limit, search.state.nodes + self.left(search)
        )


def begin_cover(text: str, options: Options, allowance: Allowance) -> Begun:
    """Search for covers for a short time; raise PuzzleError for a text that is no cover problem."""
    _, problem, has_costs = read(text)
    if options.target and has_costs:
        return _begin_costs(problem, options, allowance)
    problem = problem._replace(cost=problem.cost * 0)
    asked = terms(limit=options.limit, keep=1, costly=False)
    search = new_search(max_depth(problem), problem.members.size, 1)
    tables = links(problem)
    search.state.node_limit = allowance.nodes
    for found in run_in_slices(tables, search, asked, SLICE_SECONDS, Stopwatch()):
        if found:
            ended = found.status in {EXHAUSTED, LIMITED}
            return Begun(ended, *_spent(found), tables, search, asked)
        allowance.end(search)
    raise AssertionError("the last thing that a search yields is its result")


def _begin_costs(problem: Problem, options: Options, allowance: Allowance) -> Begun:
    rounds = ShortCostRounds(problem, options, allowance)
    status = _run(rounds.visit_all() if options.every else rounds.run(), rounds, allowance)
    tables, found = rounds.lay_out_rest(), rounds.result().found
    ended = status == EXHAUSTED
    return Begun(ended, *_spent(found), tables, rounds.search, rounds.terms)


def _spent(found: Found) -> tuple[int, int, int, float]:
    """Return nodes, solutions, CPU time, and the time of a node."""
    return found.nodes, found.found, found.ns, found.ns / max(1, found.nodes)


def begin_grid(text: str, options: Options, allowance: Allowance) -> Begun:
    """Search a grid for a short time; raise PuzzleError for a text that is no grid."""
    keep = options.keep if options.target else 1
    options = replace(options, keep=keep, timeout=LONGEST_TIMEOUT_SECONDS)
    solver = solver_of(text, options, SLICE_SECONDS)
    _advance(solver, allowance)
    lane_nodes = lane_ns = 0
    if solver.stage == PRESOLVING:  # the lanes have other nodes than the tree that is sampled
        lane_nodes, lane_ns = int(solver.report.nodes), int(solver.report.ns)
        allowance = replace(allowance, nodes=allowance.nodes + lane_nodes)
        _advance(solver, allowance)
    ended = _is_over(solver)
    if not ended and solver.terms.prune:
        rounds = ShortGridRounds(solver, allowance)
        ended = _run(rounds.run(), rounds, allowance) == EXHAUSTED
        rounds.lay_out_rest()
    state, ns = solver.search.state, int(solver.grids.report[0].ns)
    nodes, found = int(state.nodes), int(state.found)
    per_node = (ns - lane_ns) / (nodes - lane_nodes) if nodes > lane_nodes else ns / max(1, nodes)
    return Begun(ended, nodes, found, ns, per_node, solver.links, solver.search, solver.terms)


def _advance(solver: GridSolver, allowance: Allowance) -> None:
    """Search until the grid is solved, the stage ends, or the allowance is used up."""
    slice_ns, solver.slice_ns = solver.slice_ns, 1  # the first slice only lays out the grid
    solver.advance()
    solver.slice_ns = slice_ns
    state, stage = solver.search.state, solver.stage
    state.node_limit = min(state.node_limit, allowance.nodes)
    while solver.stage == stage and not _is_over(solver) and solver.status != NODE_LIMITED:
        allowance.end(solver.search)
        solver.make_room()
        solver.advance()


def _is_over(solver: GridSolver) -> bool:
    return solver.at > 0 or solver.stage == WRITING


class ShortCostRounds(CostRounds):
    """Rounds that end after a number of nodes."""

    def __init__(self, problem: Problem, options: Options, allowance: Allowance) -> None:
        super().__init__(problem, options.keep, SLICE_SECONDS, Stopwatch(), prune=not options.every)
        self.watch = Stopwatch()  # the layout takes no part in the time per node
        self._allowance = allowance

    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search within a reach, for as many nodes as are left."""
        limit = min(node_limit, self._allowance.left(self.search))
        return _or_timed_out(super().search_within(reach, limit), self, self._allowance)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover."""
        return _or_timed_out(super().search_near(), self, self._allowance)

    def lay_out_rest(self) -> Links:
        """Return the tables for a search that would prove what is kept, from its root."""
        reach = _proving_reach(self)
        restrict(self._links, self._is_useful & (self._links.cost <= reach))
        start_round(self.search, self.terms, reach, 0)
        return self._links


class ShortGridRounds(GridRounds):
    """Rounds that end after a number of nodes."""

    def __init__(self, solver: GridSolver, allowance: Allowance) -> None:
        super().__init__(solver)
        self._allowance = allowance

    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search within a reach, for as many nodes as are left."""
        limit = min(node_limit, self._allowance.left(self.search))
        return _or_timed_out(super().search_within(reach, limit), self, self._allowance)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover."""
        return _or_timed_out(super().search_near(), self, self._allowance)

    def lay_out_rest(self) -> None:
        """Lay out the solver's grid for a search that would prove what is kept."""
        solver = self._solver
        solver.round = Round(solver.marks.candidates, _proving_reach(self), 0)
        solver.stage = NEW_ROUND
        solver.advance()  # visits no node


def _run(steps: Iterator[None], rounds: Rounds, allowance: Allowance) -> int:
    """Run rounds until the allowance is used up; return why the search stopped."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return int(stop.value)
        allowance.end(rounds.search)


def _or_timed_out(
    steps: Generator[None, None, int], rounds: Rounds, allowance: Allowance
) -> Generator[None, None, int]:
    """Run one search of rounds; return TIMED_OUT, which ends them, if no node is left after it."""
    status = yield from steps
    is_over = status == NODE_LIMITED and allowance.left(rounds.search) == 0
    return TIMED_OUT if is_over else status


def _proving_reach(rounds: Rounds) -> int:
    """Return the least reach that proves that no cover is better than those kept."""
    kept, state = rounds.search.kept, rounds.search.state
    if not rounds.terms.prune or state.kept < rounds.terms.wanted:
        return UNBOUNDED
    return int(kept.cost[kept.heap[0]]) - rounds.terms.step
