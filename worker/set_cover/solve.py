"""Find set covers of a problem, in slices of time: the cheapest, or any that are cheap enough."""

from collections.abc import Generator, Iterator
from functools import cached_property
from heapq import heappush, heappushpop
from typing import NamedTuple

import numpy as np

from worker.compiling.numbers import Record
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Path, Terms, kept_paths, terms
from worker.set_cover.layout import new_search, step_of, tables_of, unit_of
from worker.set_cover.neighbourhood import walk_slice
from worker.set_cover.search import search_slice
from worker.set_cover.walk import Walk, new_walk
from worker.stopwatch import Stopwatch, nanoseconds

#: sweeps that improve the multipliers at the root
ROOT_SWEEPS = 400
#: nodes of options that all sweeps of a slice together visit at most, about, in 0.1 s
MAX_VISITS = 20_000_000
#: steps of the local search before the first bound, at most; as many as items if these are fewer
FIRST_STEPS = 200
#: nanoseconds of the first turn of the search; each further turn is twice as long, up to a slice
FIRST_TURN_NS = 500_000


class Strategy(NamedTuple):
    """How much work is done before other work is tried."""

    #: nodes of the search with the estimate h() alone, times nodes of options: 0.2 ms, in which
    #: tiny problems are solved
    first_visits: int = 400_000
    #: sweeps that improve the multipliers at a node other than the root, at most
    sweeps: int = 12
    #: seconds after which local search looks for several covers, or for one with secondary items;
    #: in small problems the search finds them sooner
    walk_after: float = 0.016


DEFAULT = Strategy()


def cheapest(
    problem: Problem, *, keep: int = 1, watch: Stopwatch | None = None, strategy: Strategy = DEFAULT
) -> Iterator[Found | None]:
    """Find the `keep` cheapest set covers from which no option can be left out.

    Yield None after each slice of time but the last, then the result.
    """
    asked = terms(limit=None, keep=keep, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, watch or Stopwatch(), strategy)
    yield from run.slices()
    yield run.result()


def within(
    problem: Problem,
    at_most: int,
    *,
    limit: int | None = 1,
    keep: int = 1,
    watch: Stopwatch | None = None,
    strategy: Strategy = DEFAULT,
) -> Iterator[Found | None]:
    """Find set covers that cost at most `at_most`, and yield as `cheapest` does.

    Stop after `limit` covers, and keep `keep` of them, the first that were found.
    """
    asked = terms(limit=limit, keep=keep, step=step_of(problem))
    run = Run(problem, asked, at_most, watch or Stopwatch(), strategy)
    yield from run.slices()
    yield run.result()


def warm_up() -> None:
    """Compile what set covers need, or load it from the cache."""
    for _ in cheapest(number(1, 0, [[1]], [1]), strategy=Strategy(first_visits=0)):
        pass


class MetCovers:
    """The cheapest covers that the local search has met: option numbers from 0, ascending."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self._heap: list[tuple[int, Path]] = []  #: the dearest first, by their costs negated
        self._paths: set[Path] = set()

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def worst(self) -> int | None:
        """What the dearest costs if there are as many as wanted; only cheaper ones matter then."""
        return -self._heap[0][0] if len(self._heap) == self.wanted else None

    def add(self, path: Path, cost: int) -> None:
        """Add a cover unless it is here; if there are too many, remove the dearest."""
        if path in self._paths:
            return
        self._paths.add(path)
        if len(self._heap) < self.wanted:
            heappush(self._heap, (-cost, path))
        else:
            self._paths.remove(heappushpop(self._heap, (-cost, path))[1])

    def merged(self, others: list[tuple[Path, int]]) -> list[tuple[Path, int]]:
        """Return these covers and others, each once, the cheapest first."""
        every = {path: -cost for cost, path in self._heap} | dict(others)
        return sorted(every.items(), key=lambda one: (one[1], one[0]))


class Run:
    """A search for set covers, from the first reductions to its result."""

    def __init__(
        self,
        problem: Problem,
        asked: Terms,
        at_most: int,
        watch: Stopwatch,
        strategy: Strategy = DEFAULT,
    ) -> None:
        self._problem, self._terms, self._strategy = problem, asked, strategy
        self._unit = unit_of(problem)
        self.tables = tables_of(problem)
        search = new_search(problem, asked.first_room)
        total = int(problem.cost.sum())
        search.state.budget = UNBOUNDED if at_most > total else at_most * self._unit
        search.state.single = asked.limit == 1 or (asked.prune and asked.wanted == 1)
        self._slices = Slices(search_slice, self.tables, search, asked, watch)
        # If all covers are counted, one from the local search is enough until time runs out.
        self._met = MetCovers(asked.wanted if asked.prune else max(1, asked.limit))
        first_cover = search.state.single and problem.items == problem.primary
        walk_after = 0 if first_cover else nanoseconds(strategy.walk_after)
        self._walk_after_ns = watch.wall_ns + walk_after
        self._status = stops.PAUSED

    @property
    def _state(self) -> Record:
        """The registers of the search."""
        return self._slices.search.state

    @cached_property
    def _walk(self) -> Walk:
        """The local search; most problems are solved without one."""
        walk = new_walk(self.tables, self._met.wanted)
        if not self._terms.prune and self._met.wanted > 1:
            walk.state.floor = min(self._state.budget + 1, UNBOUNDED)
        return walk

    def slices(self) -> Generator[None]:
        """Search to the end; yield after each slice."""
        yield from self._search_plainly()
        if self._status == stops.NODE_LIMITED:
            steps, slice_ns = min(FIRST_STEPS, self._problem.primary), self._slices.watch.slice_ns
            yield from self._walk_on(steps, slice_ns)
            yield from self._tighten()
            yield from self._search_in_turns()

    def result(self) -> Found:
        """Return what was found: where only cheaper covers were looked for, those that were."""
        state = self._state
        covers = self._met.merged(self._kept())
        kept = [(path, cost // self._unit) for path, cost in covers[: self._terms.wanted]]
        number, nodes = max(int(state.found), len(self._met)), int(state.nodes)
        found = Found(self._status, number, kept, nodes, self._slices.watch.ns)
        return found.bounded(self._least() // self._unit) if self._terms.prune else found

    def _search_plainly(self) -> Generator[None]:
        """Search with the estimate h() alone, up to a number of nodes."""
        state, slices = self._state, self._slices
        state.node_limit = self._strategy.first_visits // (self._problem.members.size + 1)
        self._status = yield from slices.run()
        state.sweeps, state.node_limit = self._strategy.sweeps, UNLIMITED
        if self._status == stops.NODE_LIMITED:
            for path, cost in self._kept():
                self._met.add(path, cost)
            state.kept = state.found = 0
            self._want_cheaper()

    def _search_in_turns(self) -> Generator[None]:
        """Search and continue the local search in turns, ever longer ones."""
        slice_ns = self._slices.watch.slice_ns
        turn_ns = min(slice_ns, FIRST_TURN_NS)
        limit = 0 if self._terms.prune else self._terms.limit
        while not 0 < limit <= len(self._met):
            self._status = self._slices.advance(turn_ns)
            if self._status not in stops.GOING_ON:
                return
            yield
            if self._status == stops.PAUSED:
                yield from self._walk_on(UNLIMITED, turn_ns // 2)
                turn_ns = min(2 * turn_ns, slice_ns)
        self._status = stops.LIMITED

    def _kept(self) -> list[tuple[Path, int]]:
        """Return the covers that the search keeps, and their costs in units."""
        return [(tuple(sorted(path)), cost) for path, cost in kept_paths(self._slices.search)]

    def _tighten(self) -> Generator[None]:
        """Improve the bound at the root."""
        slices, left = self._slices, ROOT_SWEEPS
        most = max(1, MAX_VISITS // (self._problem.members.size + 1))
        while left > 0 and not self._state.dead and not slices.watch.is_over:
            self._state.root_sweeps = min(left, most)
            slices.advance(slices.watch.slice_ns)
            left -= most
            yield

    def _walk_on(self, steps: int, turn_ns: int) -> Generator[None]:
        """Continue the local search for a turn, and collect the covers that it meets."""
        watch = self._slices.watch
        end = watch.wall_ns + min(turn_ns, watch.left_ns)
        is_full = True
        while is_full and (left := end - watch.wall_ns) > 0 and self._is_worth_walking():
            goal = self._least() if self._terms.prune else int(self._state.budget)
            is_full = walk_slice(self.tables, self._walk, steps, goal, left) == stops.FULL
            self._collect()
            yield

    def _is_worth_walking(self) -> bool:
        """Return whether other covers from the local search would help."""
        if self._slices.watch.wall_ns < self._walk_after_ns:
            return False
        found = max(int(self._state.found), len(self._met))
        return self._terms.prune or found < self._met.wanted

    def _collect(self) -> None:
        """Move the covers of the local search to those that it has met."""
        state, walk, met = self._state, self._walk, self._met
        for row in range(walk.state.covers):
            path = np.sort(walk.covers[row, : walk.length[row]])
            cost = int(self.tables.cost[path].sum())
            if self._terms.prune or cost <= state.budget:
                met.add(tuple(path.tolist()), cost)
        walk.state.covers = 0
        self._want_cheaper()

    def _want_cheaper(self) -> None:
        """If only the cheapest matter and enough are met, want cheaper ones than the worst."""
        state, worst, walk = self._state, self._met.worst, self._walk.state
        if self._terms.prune and worst is not None:
            state.budget = min(state.budget, worst - self._terms.step)
            walk.limit = state.budget + 1
        elif self._terms.prune:
            walk.limit = UNBOUNDED

    def _least(self) -> int:
        """Return the least cost that the bound allows, in units; costs are multiples of a step."""
        return -(-int(self._state.bound) // self._terms.step) * self._terms.step
