"""The cheapest covers of a problem, proven."""

import random
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers
from worker.exact_cover.costs.dual import new_dual
from worker.exact_cover.costs.neighbourhood import neighbourhood
from worker.exact_cover.costs.rounds import NEAR_NODE_LIMIT, Rounds
from worker.exact_cover.costs.scores import Scored, Setup
from worker.exact_cover.costs.turns import Second, Turns
from worker.exact_cover.entries import search_slice, tighten
from worker.exact_cover.exclude import list_by_cost
from worker.exact_cover.layout import general, links, max_depth, restrict
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found, may_be_divided
from worker.exact_cover.state import (
    EXHAUSTED,
    FULL,
    INITIAL_ROOM,
    PAUSED,
    UNBOUNDED,
    UNLIMITED,
    Path,
    kept_paths,
    new_search,
    start_round,
    terms,
)
from worker.stopwatch import Stopwatch, nanoseconds

Flags = NDArray[np.bool_]

#: seconds of a slice, unless others are asked for
SLICE_SECONDS = 0.25
#: multipliers are counted in fractions of a unit of cost, unless sums might then exceed 64 bits
FRACTION = 1024
MAX_SCALED_COST = 2**52


class Cheapest(NamedTuple):
    """The result of a search for the cheapest covers."""

    found: Found  #: the covers with their costs; EXHAUSTED means that they are the cheapest
    bound: int  #: no cover costs less
    setup: Setup | None = None  #: what the parts need, if the search used up its budget


def cheapest(
    problem: Problem,
    *,
    keep: int = 1,
    visit_all: bool = False,
    slice_seconds: float = 0.25,
    watch: Stopwatch | None = None,
    second: Callable[[], Second] | None = None,
) -> Iterator[Cheapest | None]:
    """Find the `keep` cheapest covers; yield None after each slice but the last, then the result.

    With `visit_all`, every cover is visited, so that `found` counts them all.  The search stops
    when the budget of `watch` is used up.  Otherwise `second` begins another search for the same
    covers if this one lasts, and the result is that of the search that ends first.
    """
    watch = watch or Stopwatch()
    laying_out = Stopwatch()
    rounds = CostRounds(problem, keep, slice_seconds, watch, prune=not visit_all)
    turns = None
    if second and not visit_all:
        turns = Turns(second, layout_ns=laying_out.wall_ns)
    searching = Stopwatch()
    for _ in rounds.visit_all() if visit_all else rounds.run():
        while turns and not (watch.is_over or watch.is_to_divide):
            turn = turns.next(searching.wall_ns)
            if turn is None:
                break
            if rounds.give(*turn):
                yield rounds.result_of(turn[0])
                return
            yield None
        if watch.is_to_divide and (not visit_all or may_be_divided(rounds.search)):
            rounds.stop()
            break
        yield None
    yield rounds.result()


def part_of(
    problem: Problem, keep: int, setup: Setup, levels: Levels, *, visit_all: bool = False
) -> tuple[PartSearch, Scored]:
    """Return the search of a part for the cheapest covers."""
    asked = terms(limit=None, keep=keep, prune=not visit_all, step=setup.unit)
    tables = links(problem._replace(cost=reduced_costs(problem, setup)))
    restrict(tables, useful_options(problem) & (tables.cost <= setup.reach))
    search = new_search(max_depth(problem), problem.members.size, min(asked.wanted, INITIAL_ROOM))
    scored = Scored(setup.scores, tables.cost, setup.reach, setup.bound)
    return PartSearch(tables, search, asked, levels, setup.pairs_compared), scored


def rounds_near(problem: Problem, setup: Setup, path: Path, score: int, seed: str) -> "CostRounds":
    """Return rounds that can improve a known cover of this score."""
    rounds = CostRounds(problem, 1, SLICE_SECONDS, Stopwatch(), prune=True, seed=seed)
    rounds.continue_from(setup)
    rounds.start_from(path, score)
    return rounds


def reduced_costs(problem: Problem, setup: Setup) -> Integers:
    """Return the cost of each option and the multipliers of its items together."""
    multiplier = np.array(setup.multipliers, np.int64)
    sums = np.concatenate([[0], np.cumsum(multiplier[problem.members])])
    first = problem.first.astype(np.int64)
    return np.asarray(
        problem.cost // setup.factor * setup.unit + sums[first[1:]] - sums[first[:-1]]
    )


def unit_of(problem: Problem) -> int:
    """Return the number of parts in which a unit of cost is counted."""
    most = problem.primary * int(problem.cost.max(initial=0))
    return FRACTION if most < MAX_SCALED_COST else 1


def option_of_nodes(problem: Problem) -> Integers:
    """Return the option of each node, in the order of `problem.members`."""
    first = problem.first.astype(np.int64)
    return np.repeat(np.arange(problem.cost.size), first[1:] - first[:-1])


def useful_options(problem: Problem) -> Flags:
    """Return which options have a primary item."""
    useful = np.zeros(problem.cost.size, np.bool_)
    useful[option_of_nodes(problem)[problem.members <= problem.primary]] = True
    return useful


class CostRounds(Rounds):
    """Rounds for a problem with costs; the score of a cover is minus its cost."""

    def __init__(
        self,
        problem: Problem,
        keep: int,
        slice_seconds: float,
        watch: Stopwatch,
        *,
        prune: bool,
        seed: str = "",
    ) -> None:
        factor = max(1, int(np.gcd.reduce(problem.cost)))
        reduced = problem._replace(cost=problem.cost // factor)
        self.unit = unit_of(reduced)
        asked = terms(limit=None, keep=keep, prune=prune, step=self.unit)
        room = min(asked.wanted, INITIAL_ROOM)
        search = new_search(max_depth(problem), problem.members.size, room)
        super().__init__(asked, search, base=0, bound=0, factor=factor)
        self._problem = problem
        self._option = option_of_nodes(problem)
        self._is_useful = useful_options(problem)
        self._links = links(reduced._replace(cost=reduced.cost * self.unit))
        self._dual = new_dual(problem.items, problem.cost.size, problem.members.size)
        self._slice_seconds, self.watch = slice_seconds, watch
        self._status = PAUSED
        self._setup: Setup | None = None
        self._frontier: Frontier | None = None
        self._chance = random.Random(seed)  # noqa: S311 # the same searches in every run

    def run(self) -> Generator[None, None, int]:
        """Search until the cheapest covers are proven or time is over; yield after each slice."""
        self._status = yield from super().run()
        return self._status

    def visit_all(self) -> Generator[None, None, int]:
        """Visit every cover once; the multipliers only serve the bound."""
        self._lower_bound()
        self._status = yield from self.search_within(UNBOUNDED, UNLIMITED)
        return self._status

    def result(self) -> Cheapest:
        """Return the covers that are kept, and the bound."""
        state = self.search.state
        kept = [(options, -self.scores.of(cost)) for options, cost in kept_paths(self.search)]
        found = Found(self._status, int(state.found), kept, int(state.nodes), self.watch.ns)
        bound = -self.scores.of(self.base - self.bound)
        if kept:
            bound = kept[0][1] if self._status == EXHAUSTED else min(bound, kept[0][1])
        return Cheapest(found._replace(frontier=self._frontier), bound, self._setup)

    def give(self, second: Second, turn_ns: int) -> bool:
        """Give another search a turn out of the time of this one; return whether it has ended."""
        return second.advance(min(turn_ns, nanoseconds(self._slice_seconds), self.watch.left_ns))

    def result_of(self, second: Second) -> Cheapest:
        """Return the covers that another search has found, which has ended before this one."""
        found = Found(EXHAUSTED, len(second.kept), second.kept, second.nodes, self.watch.ns)
        bound = second.kept[0][1] if second.kept else -self.scores.of(self.base - self.bound)
        return Cheapest(found, bound)

    def stop(self) -> None:
        """Stop before the cheapest covers are proven; the rest can be searched in parts."""
        limit = self.scores.of(self.base - self.bound)
        self._setup = self.setup()
        if self.terms.prune:
            self._frontier = Frontier((), limit)
            return
        left = PartSearch(self._links, self.search, self.terms, ()).frontier()
        if left is None:
            self._status = EXHAUSTED
            return
        self._frontier = Frontier(self.scores.bounded(left.levels, self._links.cost, limit), limit)

    def continue_from(self, setup: Setup) -> None:
        """Take the multipliers of an earlier search."""
        self.base, self.highest = setup.scores.base, setup.highest
        self._links.cost[:] = reduced_costs(self._problem, setup)
        list_by_cost(self._links, self.search)

    def narrow(self, gap: int) -> None:
        """Leave out the options that cost more than `gap`, as `Rounds` defines it."""
        self._is_useful &= self._links.cost <= gap
        restrict(self._links, self._is_useful)

    def multipliers(self) -> tuple[int, ...]:
        """Return the multipliers of the items, as `Rounds` defines it."""
        return tuple(self._dual.multiplier.tolist())

    def tighten(self, sweeps: int, temperature: float) -> tuple[int, int]:
        """Improve the multipliers, as `Rounds` defines it."""
        restrict(self._links, self._is_useful)
        left_ns = self.watch.left_ns
        rise, highest, _, _ = tighten(
            general(self._links), self._dual, sweeps, temperature, left_ns
        )
        list_by_cost(self._links, self.search)
        return int(rise), int(highest)

    def search_within(self, reach: int, node_limit: int) -> Generator[None, None, int]:
        """Search within a reach, as `Rounds` defines it."""
        return self._search(self._is_useful & (self._links.cost <= reach), reach, node_limit)

    def search_near(self) -> Generator[None, None, int]:
        """Search near the best cover, as `Rounds` defines it."""
        kept = self.search.kept
        best = int(np.argmin(kept.cost[: self.search.state.kept]))
        chosen = np.sort(kept.options[best, : kept.length[best]]).astype(np.int64)
        self.freed = max(2, min(chosen.size, self.freed))
        near = neighbourhood(self._problem, self._option, chosen, self.freed, self._chance)
        return self._search(near, UNBOUNDED, NEAR_NODE_LIMIT)

    def _search(self, options: Flags, budget: int, node_limit: int) -> Generator[None, None, int]:
        """Search with these options only; yield after each slice, return why the search stopped."""
        restrict(self._links, options)
        start_round(self.search, self.terms, budget, node_limit)
        given = (self._links, self.search, self.terms, self._slice_seconds, self.watch)
        slices = Slices(search_slice, *given)
        while (status := slices.advance(slices.slice_ns)) in {PAUSED, FULL}:
            self.search = slices.search
            yield
        self.search = slices.search
        return status
