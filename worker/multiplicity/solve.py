"""Find covers with multiplicities, in slices of time: any, or the cheapest."""

import random
from collections.abc import Generator, Iterator, Sequence

import numpy as np

from worker.exact_cover import stops
from worker.exact_cover.problem import FRACTION, MAX_SCALED_COST, Problem, number
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found
from worker.exact_cover.state import (
    UNBOUNDED,
    UNLIMITED,
    Path,
    Search,
    Terms,
    kept_paths,
    most_wanted,
    start_round,
    terms,
)
from worker.multiplicity.layout import Multiplicity, new_search, tables_of
from worker.multiplicity.multipliers import Relaxation
from worker.multiplicity.search import search_slice
from worker.stopwatch import Stopwatch

#: nodes of a search for a first cover, before the multipliers and again after them
FIRST_NODES = 20_000
#: by what factor the node limit of rounds grows
LIMIT_GROWTH = 4
#: covers that a search keeps before they are tallied
ROOM = 1 << 12


class Tally:
    """Counts the covers that have each option, and draws some of them at random.

    Every cover that is drawn is drawn from all of them: it is a reservoir of one (Vitter, *Random
    sampling with a reservoir*, 1985).
    """

    def __init__(self, options: int, sample: int = 0, seed: int = 0) -> None:
        self._by_option = np.zeros(options, np.int64)
        self._sample = sample
        self._chance = random.Random(seed)  # noqa: S311 # no secret depends on it
        self._covers = 0
        self._first: list[Path] = []
        self._drawn: list[Path] = [()] * sample

    def add(self, search: Search) -> None:
        """Count the covers that a search keeps, and empty their places."""
        kept, count = search.kept, int(search.state.kept)
        if count == 0:
            return
        options, length = kept.options[:count], kept.length[:count]
        used = options[np.arange(options.shape[1]) < length[:, None]]
        self._by_option += np.bincount(used, minlength=self._by_option.size)
        self._first = self._first or [_path(search, 0)]
        self._covers += count
        for place in range(self._sample):
            if self._chance.randrange(self._covers) < count:
                self._drawn[place] = _path(search, self._chance.randrange(count))
        search.state.kept = 0

    def added_to(self, found: Found) -> Found:
        """Return the result of a search with what was counted, if it has visited every cover."""
        is_drawn = self._sample and self._covers and found.status == stops.EXHAUSTED
        paths = [(path, 0) for path in (self._drawn if is_drawn else self._first)]
        by_option = self._by_option.tolist() if found.status == stops.EXHAUSTED else None
        return found._replace(paths=paths, by_option=by_option)


def _path(search: Search, place: int) -> Path:
    kept = search.kept
    return tuple(kept.options[place, : kept.length[place]].tolist())


def solve(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    limit: int | None = None,
    keep: int = 1,
) -> Found:
    """Return the result of a search without a time limit; see `in_slices`."""
    return next(one for one in in_slices(problem, multiplicities, limit=limit, keep=keep) if one)


def in_slices(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    limit: int | None = None,
    keep: int = 1,
    watch: Stopwatch | None = None,
    tally: Tally | None = None,
) -> Iterator[Found | None]:
    """Find covers in which each primary item occurs as often as its multiplicity allows.

    Yield None after each slice of time but the last, then the result. At most `limit` covers are
    visited, and the first `keep` of them kept, or those that `tally` draws; costs do not count.
    """
    asked = terms(limit=limit, keep=UNLIMITED if tally else keep, costly=False)
    run = Run(problem.without_costs, multiplicities, asked, watch or Stopwatch(), tally=tally)
    status = yield from run.search(UNBOUNDED)
    found = run.found(status, 1)
    yield tally.added_to(found) if tally else found


def cheapest(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    keep: int = 1,
    visit_all: bool = False,
    watch: Stopwatch | None = None,
    first_nodes: int = FIRST_NODES,
) -> Iterator[Found | None]:
    """Find the `keep` cheapest covers; yield None after each slice but the last, then the result.

    With `visit_all`, every cover is visited, so that `found` counts them all. `first_nodes` are
    those of a search for a first cover, before the multipliers and again after them.
    """
    unit = FRACTION if int(problem.cost.sum()) < MAX_SCALED_COST else 1
    step = unit * max(1, int(np.gcd.reduce(problem.cost, initial=0)))
    asked = terms(limit=None, keep=keep, prune=not visit_all, step=step)
    scaled = problem._replace(cost=problem.cost * unit)
    run = Run(scaled, multiplicities, asked, watch or Stopwatch(), first_nodes)
    status = yield from (run.search(UNBOUNDED) if visit_all else run.rounds())
    yield run.found(status, unit).bounded(-(-run.bound // unit))


def warm_up() -> None:
    """Compile what covers with multiplicities need, or load it from the cache."""
    solve(number(1, 0, [[1]]), [(1, 1)])


class Run:
    """Searches for covers with multiplicities, one after another on the same tables."""

    def __init__(
        self,
        problem: Problem,
        multiplicities: Sequence[Multiplicity],
        asked: Terms,
        watch: Stopwatch,
        first_nodes: int = FIRST_NODES,
        tally: Tally | None = None,
    ) -> None:
        self._problem, self._first_nodes, self._tally = problem, first_nodes, tally
        search = new_search(problem, multiplicities, ROOM if tally else asked.first_room)
        tables = tables_of(problem, multiplicities)
        self.slices = Slices(search_slice, tables, search, asked, watch)
        self._terms = asked
        self.bound = 0  #: no cover costs less

    def found(self, status: int, unit: int) -> Found:
        """Return what was found until now; costs are counted in `unit` parts of those returned."""
        found = Found.of(status, self.slices.search, self.slices.watch)
        return found._replace(paths=[(path, cost // unit) for path, cost in found.paths])

    def search(self, budget: int, node_limit: int = UNLIMITED) -> Generator[None, None, int]:
        """Search from the root for covers that cost at most `budget`; yield after each slice.

        Return why the search stopped.
        """
        start_round(self.slices.search, self._terms, budget, node_limit)
        status = yield from self.slices.run(self._read)
        self._read(status)
        return status

    def rounds(self) -> Generator[None, None, int]:
        """Search for the cheapest covers: near the bound first, then ever further from it.

        Every round has a node limit. After the widest one, rounds with a higher limit follow.
        """
        status = yield from self.search(UNBOUNDED, self._first_nodes)
        if status == stops.NODE_LIMITED:
            yield from self._tighten()
        node_limit = max(1, self._first_nodes)
        while status == stops.NODE_LIMITED:
            status = yield from self._widen(node_limit)
            node_limit *= LIMIT_GROWTH
        return status

    def _widen(self, node_limit: int) -> Generator[None, None, int]:
        """Search within a budget that is doubled from round to round; return how the last ended.

        It is EXHAUSTED only if the cheapest covers are proven.
        """
        reach = step = self._terms.step
        while True:
            budget = min(self.bound + reach - step, self._most())
            status = yield from self.search(budget, node_limit)
            if budget >= self._most() or status == stops.TIMED_OUT:
                return status
            if status == stops.EXHAUSTED:
                self.bound = budget + step
            reach *= 2

    def _most(self) -> int:
        """Return the most that a cover may cost that is still wanted."""
        return min(most_wanted(self.slices.search, self._terms), int(self._problem.cost.sum()))

    def _tighten(self) -> Generator[None]:
        """Improve the bound, for as long as it takes; yield after each slice."""
        watch, tables = self.slices.watch, self.slices.tables
        pause = watch.wall_ns + watch.slice_ns
        relaxation = Relaxation(self._problem, tables)
        known = next((cost for _, cost in kept_paths(self.slices.search)), None)
        while relaxation.left > 0 and not watch.is_over:
            relaxation.sweep(known)
            if watch.wall_ns > pause:
                yield
                pause = watch.wall_ns + watch.slice_ns
        base = relaxation.price(tables)
        self.slices.search.state.bound = base
        self.bound = -(-base // self._terms.step) * self._terms.step

    def _read(self, status: int) -> bool:
        """Let the tally, if there is one, empty a search that is full or has ended; never stop."""
        if self._tally and status != stops.PAUSED:
            self._tally.add(self.slices.search)
        return False
