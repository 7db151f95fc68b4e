"""The best score, proven by rounds of search below a bound that dual multipliers give.

A round visits the covers whose score is within `reach` of the bound, and leaves out every option
whose reduced cost exceeds that. The first reach is about one point, and each round doubles it,
until as many covers are kept as are wanted and no better one can exist. The last round looks as
far as the *gap*, the highest reduced cost of a cover that is better than the kept ones. A round
also has a node limit. If it ends there, short searches look near the best cover so far, the options
that cost more than the gap are left out for good, the multipliers of the others are improved, at a
temperature relative to the gap, and the rounds begin again, a little above the last reach that is
proven, with twice the node limit: restarts with a node limit (Walsh, *Search in a small world*,
1999). A round that ends at its node limit, and a search near a cover, prove nothing.
"""

import random
from collections.abc import Callable, Generator

import numpy as np
from numpy.typing import ArrayLike

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.costs.dual import new_dual, tighten
from worker.exact_cover.costs.neighbourhood import Flags, neighbourhood
from worker.exact_cover.exclude import list_by_cost, restrict
from worker.exact_cover.layout import general, links
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Scores, Setup
from worker.exact_cover.search import search_slice
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Begun, Found
from worker.exact_cover.state import (
    UNBOUNDED,
    Search,
    keep_first,
    most_wanted,
    new_search,
    start_round,
    terms,
)
from worker.stopwatch import Stopwatch

#: which options a search near a cover may choose from, given the options of the cover, their
#: reduced costs, and how many parts of it are set free
Near = Callable[[Integers, Integers, int, random.Random], Flags]
#: the node limit of the first rounds
FIRST_NODE_LIMIT = 1 << 12
#: searches near the best cover for each FIRST_NODE_LIMIT nodes that a round has beyond the first
NEAR_SEARCHES = 8
#: and the most nodes of all of them together, as a multiple of the node limit of the next round
NEAR_SHARE = 2
#: the node limit of a search near the best cover
NEAR_NODE_LIMIT = 1 << 12
#: parts of the best cover that the first search near it sets free
FIRST_FREED = 4
#: sweeps that improve the multipliers, and the fraction of the gap at which their temperature
#: begins, once it is known
SWEEPS, GAP_FRACTION = 80, 1 / 20
#: the first reach is no less than this fraction of the highest reduced cost, so that weights of
#: any scale take a bounded number of rounds
LEAST_REACH = 1 / 2**16
#: by what the reach that is proven is multiplied for the next round with more nodes
REACH_GROWTH = 1.25


class CostRounds:
    """A search for the cheapest covers of a problem."""

    def __init__(
        self,
        problem: Problem,
        keep: int,
        *,
        prune: bool,
        watch: Stopwatch | None = None,
        seed: str = "",
        near: Near | None = None,
    ) -> None:
        times = max(1, int(np.gcd.reduce(problem.cost)))
        small = problem._replace(cost=problem.cost // times)
        unit = small.unit
        self.scores = Scores(0, unit, problem.factor * times, problem.offset)
        self.terms = terms(limit=None, keep=keep, prune=prune, step=unit)
        self.watch = watch or Stopwatch()
        self.bound = 0  #: no cover that was not visited scores more, in units from 0
        self.highest = 0  #: the highest reduced cost of an option
        self.freed = FIRST_FREED  #: parts of the best cover that the next search near it sets free
        self.problem = problem
        self._near = near or _near(problem)
        self.in_use = problem.is_useful  #: per option: whether a wanted cover may have it
        self._dual = new_dual(problem.items, problem.cost.size, problem.members.size)
        self.slices = Slices(
            search_slice,
            links(small._replace(cost=small.cost * unit)),
            new_search(problem, self.terms.first_room),
            self.terms,
            self.watch,
        )
        self._whole: Setup | None = None  #: with the first improved multipliers, for all options
        self._chance = random.Random(seed)  # noqa: S311 # the same searches in every run

    @property
    def search(self) -> Search:
        """What it found, and its registers."""
        return self.slices.search

    @property
    def base(self) -> int:
        """The sum of the multipliers: a cover scores this less its reduced costs."""
        return self.scores.base

    @property
    def gap(self) -> int:
        """The highest reduced cost of a cover that is wanted."""
        return most_wanted(self.search, self.terms)

    def run(self) -> Generator[None, None, int]:
        """Search until the best score is proven or time is over; yield after each slice and search.

        Return why the search stopped: EXHAUSTED means that the best covers are kept.
        """
        node_limit, near_searches = FIRST_NODE_LIMIT, 0
        while True:
            enough = int(self.search.state.nodes) + NEAR_SHARE * node_limit
            for _ in range(near_searches if self.search.state.kept else 0):
                if self.search.state.nodes >= enough:
                    break
                status = yield from self.search_near()
                if status not in {stops.EXHAUSTED, stops.NODE_LIMITED}:
                    return status
                yield
            if self.gap >= 0:
                self.lower_bound()
            if (status := (yield from self._widen(node_limit))) != stops.NODE_LIMITED:
                return status
            yield
            near_searches = NEAR_SEARCHES * (node_limit // FIRST_NODE_LIMIT - 1)
            node_limit *= 2

    def improve(self) -> Generator[None, None, None]:
        """Search near the best cover, with no end; yield after each search and each slice."""
        while self.search.state.kept:
            yield from self.search_near()
            yield

    @property
    def limit(self) -> int:
        """The score that no cover exceeds that was not visited."""
        return self.scores.of(self.base - self.bound)

    @property
    def most(self) -> int | None:
        """The most that a wanted cover costs in the problem; None for any."""
        return None if self.gap == UNBOUNDED else self.cost_of(self.gap)

    @property
    def proven(self) -> int:
        """What covers cost at least that were not visited."""
        return self.cost_of(self.base - self.bound)

    def cost_of(self, reduced: int) -> int:
        """Return what covers of this reduced cost cost in the problem."""
        return (self.problem.offset - self.scores.of(reduced)) // self.problem.factor

    def go_on(self, begun: Begun) -> None:
        """Go on from what another search of the problem has brought."""
        self.search.state.found, self.search.state.nodes = begun.found, begun.nodes
        self.start_from(begun.options, begun.cost)

    def start_from(self, options: ArrayLike, costs: ArrayLike) -> None:
        """Keep covers that are known already, a row of options each, as the first."""
        times = self.scores.factor // self.problem.factor
        reduced = np.asarray(costs, np.int64) // times * self.scores.unit + self.base
        self.slices.search = keep_first(self.search, np.asarray(options), reduced)

    def know(self, found: Found) -> None:
        """Keep the best cover of another search, if it is better than the best so far, as that."""
        best = self.most
        if found.paths and (best is None or found.paths[0][1] <= best):
            (path, cost), *_ = found.paths
            self.start_from([path], [cost])
            self.search.state.budget = min(self.search.state.budget, self.gap)

    def continue_from(self, setup: Setup) -> None:
        """Take the multipliers of an earlier search."""
        self.scores, self.highest = setup.scores, setup.highest
        tables = self.slices.tables
        tables.cost[:] = reduced_costs(self.problem, setup)
        list_by_cost(tables, self.search)

    def setup(self) -> Setup:
        """Return what parts need to go on from here, with multipliers for all options."""
        whole, is_pruned = self._whole or self._multipliers(), self.terms.prune
        reach = self._first_reach(whole.scores.base, whole.highest) if is_pruned else UNBOUNDED
        compared = int(self.search.state.pairs_compared)
        setup = whole._replace(pairs_compared=compared, reach=reach, bound=self.limit)
        best = None if self.gap == UNBOUNDED else self.scores.of(self.gap + self.terms.step)
        return setup._replace(is_pruned=is_pruned).within(best)

    def lower_bound(self) -> None:
        """Improve the multipliers; the costs of what is kept rise and fall with their sum."""
        tables, search = self.slices.tables, self.search
        if self._whole:
            self.in_use &= tables.cost <= self.gap
        restrict(tables, self.in_use)
        is_known = self._whole and self.gap < UNBOUNDED
        temperature = max(self.gap, self.terms.step) * GAP_FRACTION if is_known else 0.0
        rise, highest = tighten(
            general(tables), self._dual, SWEEPS, temperature, self.watch.left_ns
        )
        list_by_cost(tables, search)
        search.kept.cost[: search.state.kept] += rise
        self.scores = self.scores._replace(base=self.base + int(rise))
        self.highest, self.bound = int(highest), min(self.bound, self.base)
        self._whole = self._whole or self._multipliers()

    def _multipliers(self) -> Setup:
        multipliers = tuple(self._dual.multiplier.tolist())
        return Setup(0, multipliers, self.scores, highest=self.highest)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover (Shaw, 1998): free more next time if that was exhausted."""
        kept, cost = self.search.kept, self.slices.tables.cost
        best = int(np.argmin(kept.cost[: self.search.state.kept]))
        chosen = np.sort(kept.options[best, : kept.length[best]]).astype(np.int64)
        self.freed = max(2, min(chosen.size, self.freed))
        fits = self._near(chosen, cost[chosen], self.freed, self._chance) & self.in_use
        fits[chosen] = True
        status = yield from self.search_with(fits, UNBOUNDED, NEAR_NODE_LIMIT)
        self.freed += 1 if status == stops.EXHAUSTED else -1
        return status

    def _search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search all covers within `reach` of the bound, UNBOUNDED for all."""
        options = self.in_use & (self.slices.tables.cost <= reach)
        return self.search_with(options, reach, node_limit)

    def search_with(
        self, options: Flags, budget: int, node_limit: int
    ) -> Generator[None, None, int]:
        """Search with these options only; yield after each slice, return why the search stopped."""
        restrict(self.slices.tables, options)
        start_round(self.search, self.terms, budget, node_limit)
        return self.slices.run()

    def _widen(self, node_limit: int) -> Generator[None, None, int]:
        """Search with a reach that doubles from round to round until it is that of the gap.

        A round beyond one that ended at its node limit proves nothing, but may find a first cover.
        """
        looks_further = node_limit == FIRST_NODE_LIMIT or self.gap == UNBOUNDED
        reach = self._first_reach(self.base, self.highest)
        while reach < min(self.highest, self.gap):
            status = yield from self._search_within(reach, node_limit)
            if status == stops.EXHAUSTED:
                self.bound = min(self.bound, self.base - reach - 1)
                if self.gap <= reach:
                    return status
            elif status != stops.NODE_LIMITED or not looks_further:
                return status
            reach = self.scores.wider(reach)
            yield
        return (yield from self._search_within(self.gap, node_limit))

    def _first_reach(self, base: int, highest: int) -> int:
        """Return a reach a little above the one that is proven; see LEAST_REACH."""
        step = self.terms.step
        least = max(step, highest * LEAST_REACH, (base - self.bound) * REACH_GROWTH)
        return base % step + -(-int(least) // step) * step


def _near(problem: Problem) -> Near:
    """Return where a search near a cover looks in any problem."""
    option = problem.option_of_member
    return lambda chosen, _, freed, chance: neighbourhood(problem, option, chosen, freed, chance)


def reduced_costs(problem: Problem, setup: Setup) -> Integers:
    """Return the cost of each option and the multipliers of its items together."""
    multiplier = np.array(setup.multipliers, np.int64)
    sums = np.concatenate([[0], np.cumsum(multiplier[problem.members])])
    first, times = problem.first.astype(np.int64), setup.scores.factor // problem.factor
    units = problem.cost // times * setup.scores.unit
    return np.asarray(units + sums[first[1:]] - sums[first[:-1]])
