"""One search for cheap covers, from the first reductions to its result.

Depth-first search with the estimate h() alone solves tiny problems, and one with a bound at every
node that is not the best yet solves small ones. Local search finds set covers. Then the bound is
improved, from whose multipliers covers with multiplicities are found. The cheapest cover of a
sparse problem is found by elimination, if its tables are small. Else depth-first search looks for
covers within `reach` of it, which excludes most options, and in each round twice as far until
what is left is below the best cover that is known. Until then a round has a node limit. If it ends
there, wider rounds follow, one in the first pass and one more in each further pass. Then the next
pass begins at the reach that is proven, with twice the node limit (Walsh, *Search in a small
world*, 1999).
"""

from collections.abc import Generator, Sequence
from math import inf

from worker.compiling.numbers import Record
from worker.exact_cover import stops
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.problem import Problem
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Path, Terms, kept_paths
from worker.set_cover.elimination.eliminate import Elimination
from worker.set_cover.elimination.order import seconds_of
from worker.set_cover.heuristics.approximation import Approximation, fits
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.local import LocalSearch
from worker.set_cover.layout import Multiplicity, levels_of, new_search, tables_of, unit_of
from worker.set_cover.root import FIRST_SWEEPS, Root, dearest
from worker.set_cover.search import search_slice
from worker.set_cover.strategy import DEFAULT, Strategy
from worker.stopwatch import Stopwatch, nanoseconds

#: steps of the local search before the first bound, at most; as many as items if these are fewer
FIRST_STEPS = 200
#: attempts of an approximation after the first bound
FIRST_ATTEMPTS = 6
#: the search gets so many times the time of other ways to find covers, and in the last round
ELSEWHERE, ELSEWHERE_AT_LAST = 2, 4
#: nanoseconds of the first turn of the search; each further turn is twice as long, up to a slice
FIRST_TURN_NS = 500_000
#: the least node limit with which a search with the first multipliers is worth its time
EARLY_NODES = 20
#: how many times its reach a gap may have that is searched at once
REACHES_AT_ONCE = 8


class Run:
    """A search for cheap covers, from the first reductions to its result."""

    def __init__(
        self,
        problem: Problem,
        asked: Terms,
        at_most: int,
        watch: Stopwatch,
        strategy: Strategy = DEFAULT,
        multiplicities: Sequence[Multiplicity] | None = None,
    ) -> None:
        """Look for set covers that cost `at_most`, or for covers with multiplicities."""
        self._problem, self._terms, self._strategy = problem, asked, strategy
        self._multiplicities = multiplicities
        self._unit = unit_of(problem)
        self.tables = tables_of(problem, multiplicities)
        search = new_search(problem, self.tables, asked.first_room)
        most = int(problem.cost[problem.cost > 0].sum())  # of any cover
        search.state.budget = self._at_most = min(at_most, most) * self._unit
        search.state.single = asked.limit == 1 or (asked.prune and asked.wanted == 1)
        search.state.minimal = multiplicities is None
        self._slices = Slices(search_slice, self.tables, search, asked, watch)
        self._best = Best(asked)
        #: looks for covers in other ways; for covers with multiplicities, once there is a bound
        self._local: LocalSearch | Approximation | None = None
        if multiplicities is None:
            self._local = LocalSearch(self._best, self.tables, asked)
        first_cover = search.state.single and problem.items == problem.primary
        is_late = multiplicities is None and not first_cover
        self._walk_after_ns = watch.wall_ns + is_late * nanoseconds(strategy.walk_after)
        self._status = stops.PAUSED
        self._root = Root(problem, self._slices, asked.step)
        self._is_known = False  #: whether other searches know as many covers as are wanted

    @property
    def _state(self) -> Record:
        """The registers of the search."""
        return self._slices.search.state

    def slices(self) -> Generator[None]:
        """Search to the end; yield after each slice."""
        problem = self._problem
        yield from self._search_plainly()
        if self._status == stops.NODE_LIMITED:
            steps, slice_ns = min(FIRST_STEPS, problem.primary), self._slices.watch.slice_ns
            yield from self._walk_on(steps, slice_ns)
            if problem.items > problem.primary:  # these may let no cover exist
                yield from self._limit_cost()
            yield from self._search_early()
        if self._status == stops.NODE_LIMITED:
            yield from self._root.tighten()
            yield from self._approximate()
            if self._state.open == 0:  # any choice leads to a first cover
                yield from self._search_up_to(self._strategy.first_nodes)
            else:
                yield from self._limit_cost()
        if self._status == stops.NODE_LIMITED:
            if isinstance(self._local, LocalSearch) and not self._state.dead:
                self._local.use_cores(problem, self._strategy.many)
            yield from self._eliminate()
        if self._status == stops.NODE_LIMITED:
            yield from self._search_in_rounds()

    def limit_to(self, most: int) -> None:
        """Look only for covers that cost `most` or less, because others are known."""
        self._is_known = True
        self._at_most = min(self._at_most, most * self._unit)
        self._state.budget = min(self._state.budget, self._at_most)

    def result(self) -> Found:
        """Return what was found: where only cheaper covers were looked for, those that were."""
        state = self._state
        covers = self._best.merged(self._kept())
        kept = [(path, cost // self._unit) for path, cost in covers[: self._terms.wanted]]
        number, nodes = max(int(state.found), len(self._best)), int(state.nodes)
        found = Found(self._status, number, kept, nodes, self._slices.watch.ns)
        if not self._terms.prune:
            return found
        if self._status == stops.PAUSED and self._slices.watch.is_to_divide:
            found = self.divided(found)
        return found.bounded(self._root.least // self._unit)

    def divided(self, found: Found) -> Found:
        """Return a result with what is left of the search, and what its parts need."""
        setup = self._root.setup()
        levels = levels_of(self.tables, self._slices.search)
        return found._replace(frontier=Frontier(levels, setup.bound), setup=setup)

    def _search_plainly(self) -> Generator[None]:
        """Search with the estimate h() alone, up to a number of nodes."""
        state, slices = self._state, self._slices
        state.node_limit = self._strategy.first_visits // (self._problem.members.size + 1)
        self._status = yield from slices.run()
        state.sweeps, state.node_limit = self._strategy.sweeps, UNLIMITED
        if self._status == stops.NODE_LIMITED:
            self._take_kept()

    def _limit_cost(self) -> Generator[None]:
        """If no cover is known, lower the budget to a cost that no cover exceeds."""
        if self._terms.prune and self._state.open and not len(self._best):
            bounds, watch = self._multiplicities, self._slices.watch
            most = yield from dearest(self._problem, bounds, self._terms, watch)
            self._state.budget = self._at_most = min(self._at_most, most)

    def _search_early(self) -> Generator[None]:
        """Search with the first multipliers, up to a number of nodes, unless these are few."""
        state, relaxes = self._state, int(self._state.relaxes)
        if self._multiplicities is None:
            state.relaxes = 0  # in small set covers, pivots take more time than they save
        limit = self._strategy.early_visits // (self._problem.members.size + 1)
        if limit >= EARLY_NODES:
            yield from self._root.tighten(FIRST_SWEEPS)
            yield from self._search_up_to(limit)
        state.relaxes = relaxes

    def _approximate(self) -> Generator[None]:
        """Look for covers with multiplicities by pushing multipliers, where that fits."""
        bounds = self._multiplicities
        if bounds is not None and fits(self.tables) and not self._state.dead:
            self._local = Approximation(self._best, self._problem, self.tables, bounds)
            yield from self._walk_on(FIRST_ATTEMPTS, self._slices.watch.left_ns)

    def _eliminate(self) -> Generator[None]:
        """Find the cheapest cover by elimination, after searches that take as long."""
        state, watch, tables = self._state, self._slices.watch, self.tables
        is_one = self._terms.prune and state.single and not self._problem.colour.size
        if not is_one or (seconds := seconds_of(self._problem)) == inf:
            return
        yield from self._search_briefly(seconds)
        if self._status != stops.NODE_LIMITED:
            return
        elimination = Elimination(tables, self._terms.step, watch)
        yield from self._search_briefly(elimination.seconds)
        if self._status == stops.NODE_LIMITED and (yield from elimination.slices()):
            path = elimination.cover()
            if path is not None and (cost := int(tables.cost[list(path)].sum())) <= self._at_most:
                self._best.add(path, cost)
            if self._best.worst is not None:
                state.bound = max(int(state.bound), self._best.worst)
            self._status = stops.EXHAUSTED

    def _search_briefly(self, seconds: float) -> Generator[None]:
        """Search until so much time has passed since the start; then return to the root."""
        watch = self._slices.watch
        yield from self._search_in_rounds(nanoseconds(seconds))
        if self._status == stops.PAUSED and not watch.is_over:
            self._take_kept()
            self._state.node_limit = self._state.nodes
            self._status = self._slices.advance(watch.slice_ns)

    def _search_up_to(self, nodes: int) -> Generator[None]:
        """Search up to a number of nodes; what is found stays with the search if it ends."""
        self._state.node_limit = self._state.nodes + nodes
        yield from self._search_in_turns()
        if self._status == stops.NODE_LIMITED:
            self._take_kept()

    def _search_in_rounds(self, until_ns: int = UNLIMITED) -> Generator[None]:
        """Search near the bound first, then ever further from it, until a wall time."""
        state = self._state
        node_limit, passes, limited = max(1, self._strategy.first_nodes), 1, 0
        reach = self._root.first_reach()
        while True:
            budget, is_last = self._round(reach)
            state.budget = budget
            state.node_limit = UNLIMITED if is_last else state.nodes + node_limit
            self.tables.multiplier[:] = self._root.multiplier
            share = ELSEWHERE_AT_LAST if is_last else ELSEWHERE
            yield from self._search_in_turns(share, until_ns)
            is_proven = self._status == stops.EXHAUSTED
            if is_last or not (is_proven or self._status == stops.NODE_LIMITED):
                return
            self._take_kept()
            if is_proven:
                state.bound = max(int(state.bound), budget + self._terms.step)
            else:
                limited += 1
            reach *= 2
            if limited > passes or (limited and budget == self._most()):
                node_limit, passes, limited = 2 * node_limit, passes + 1, 0
                reach = self._root.first_reach()

    def _round(self, reach: int) -> tuple[int, bool]:
        """Return the budget of a round, and whether nothing is left to be searched after it.

        That is so if the gap is no more than some times the `reach`.
        """
        most, is_known = self._most(), self._is_known or self._best.worst is not None
        if self._root.least > most:
            return -UNBOUNDED, True
        is_near = is_known and most - self._root.least < REACHES_AT_ONCE * reach
        if is_near or self._state.dead or not self._terms.prune:
            return most, True
        budget = min(most, self._root.least + reach - self._terms.step)
        return budget, is_known and budget == most

    def _most(self) -> int:
        """Return the most that a cover may cost that is still wanted."""
        worst = self._best.worst if self._terms.prune else None
        return self._at_most if worst is None else min(self._at_most, worst - self._terms.step)

    def _search_in_turns(
        self, share: int = ELSEWHERE, until_ns: int = UNLIMITED
    ) -> Generator[None]:
        """Search and look for covers elsewhere in turns, ever longer ones, until a wall time."""
        slice_ns = self._slices.watch.slice_ns
        turn_ns = min(slice_ns, FIRST_TURN_NS)
        limit = 0 if self._terms.prune else self._terms.limit
        while not 0 < limit <= len(self._best):
            self._status = self._slices.advance(turn_ns)
            if self._slices.watch.wall_ns > until_ns or self._status not in stops.GOING_ON:
                return
            yield
            if self._status == stops.PAUSED:
                yield from self._walk_on(UNLIMITED, turn_ns // share)
                turn_ns = min(2 * turn_ns, slice_ns)
                if self._terms.prune and self._slices.watch.is_to_divide:
                    return
            if self._root.least > self._state.budget:
                self._state.budget = -UNBOUNDED  # nothing cheaper is left anywhere
        self._status = stops.LIMITED

    def _take_kept(self) -> None:
        """Move the covers that the search keeps to those that were met."""
        for path, cost in self._kept():
            self._best.add(path, cost)
        self._state.kept = self._state.found = 0
        self._state.budget = min(self._state.budget, self._most())

    def _kept(self) -> list[tuple[Path, int]]:
        """Return the covers that the search keeps, and their costs in units."""
        return [(tuple(sorted(path)), cost) for path, cost in kept_paths(self._slices.search)]

    def _walk_on(self, steps: int, turn_ns: int) -> Generator[None]:
        """Look for covers elsewhere for a turn, and collect those that are met."""
        watch, goes_on = self._slices.watch, True
        end = watch.wall_ns + min(turn_ns, watch.left_ns)
        while goes_on and (left := end - watch.wall_ns) > 0 and (local := self._walking):
            most = self._most()
            goal = self._root.least if self._terms.prune else most
            goes_on = local.advance(steps, goal, most, min(left, watch.slice_ns))
            self._state.budget = min(self._state.budget, self._most())
            yield

    @property
    def _walking(self) -> LocalSearch | Approximation | None:
        """What looks for covers elsewhere, unless it is too early, or other covers do not help."""
        found = max(int(self._state.found), len(self._best))
        helps = self._terms.prune or found < self._best.wanted
        is_early = self._slices.watch.wall_ns < self._walk_after_ns
        return self._local if helps and not is_early else None
