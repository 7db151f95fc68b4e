"""Find covers with multiplicities, in slices of time: any, or the cheapest."""

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from worker.compiling.jit import Record
from worker.exact_cover.costs.cheapest import Cheapest
from worker.exact_cover.problem import FRACTION, MAX_SCALED_COST, Problem, number
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Found
from worker.exact_cover.state import (
    EXHAUSTED,
    INITIAL_ROOM,
    NODE_LIMITED,
    PAUSED,
    TIMED_OUT,
    UNBOUNDED,
    UNLIMITED,
    Path,
    Search,
    Terms,
    kept_paths,
    terms,
)
from worker.multiplicity.layout import Multiplicity, max_depth, new_search, tables_of
from worker.multiplicity.multipliers import Relaxation
from worker.multiplicity.search import search_slice
from worker.multiplicity.tally import ROOM, Tally
from worker.stopwatch import Stopwatch

#: nodes of a search for a first cover, before the multipliers and again after them
FIRST_NODES = 20_000
#: by what factor the node limit of rounds grows
LIMIT_GROWTH = 4


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
    free = problem._replace(cost=np.zeros_like(problem.cost))
    asked = terms(limit=limit, keep=UNLIMITED if tally else keep, costly=False)
    run = Run(free, multiplicities, asked, watch or Stopwatch(), tally=tally)
    status = yield from run.search(UNBOUNDED)
    found = Found(status, int(run.state.found), run.kept(), run.nodes, run.slices.watch.ns)
    yield tally.added_to(found) if tally else found


def cheapest(
    problem: Problem,
    multiplicities: Sequence[Multiplicity],
    *,
    keep: int = 1,
    visit_all: bool = False,
    watch: Stopwatch | None = None,
    first_nodes: int = FIRST_NODES,
) -> Iterator[Cheapest | None]:
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
    kept = [(path, cost // unit) for path, cost in run.best]
    found = Found(status, int(run.state.found), kept, run.nodes, run.slices.watch.ns)
    yield Cheapest.of(found, -(-run.bound // unit))


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
        self._room = ROOM if tally else min(asked.wanted, INITIAL_ROOM)
        self._depth = max_depth(problem, multiplicities)
        self._terms, self.tables = asked, tables_of(problem, multiplicities)
        self.slices = Slices(search_slice, self.tables, self._new_search(), asked, watch)
        self.bound = 0  #: no cover costs less
        self.best: list[tuple[Path, int]] = []  #: the cheapest covers so far, and their costs
        self.nodes = 0
        self._base = 0

    @property
    def state(self) -> Record:
        """The registers of the latest search."""
        return self.slices.search.state

    def search(self, budget: int, node_limit: int = UNLIMITED) -> Generator[None, None, int]:
        """Search from the root for covers that cost at most `budget`; yield after each slice.

        Return why the search stopped.
        """
        self.slices.search = self._new_search()
        self.state.bound, self.state.node_limit = self._base, node_limit
        self.state.budget = min(UNBOUNDED, budget - self._base)
        status = yield from self.slices.run(self._read)
        self._read(status)
        self.nodes += int(self.state.nodes)
        self.best = min(self.best, self.kept(), key=_rank)
        return status

    def kept(self) -> list[tuple[Path, int]]:
        """Return the covers that the current search keeps, and their costs."""
        return [(path, cost + self._base) for path, cost in kept_paths(self.slices.search)]

    def rounds(self) -> Generator[None, None, int]:
        """Search for the cheapest covers: near the bound first, then ever further from it.

        Every round has a node limit. After the widest one, rounds with a higher limit follow.
        """
        status = yield from self.search(UNBOUNDED, self._first_nodes)
        if status == NODE_LIMITED:
            yield from self._tighten()
        node_limit = max(1, self._first_nodes)
        while status == NODE_LIMITED:
            status = yield from self._widen(node_limit)
            node_limit *= LIMIT_GROWTH
        return status

    def _widen(self, node_limit: int) -> Generator[None, None, int]:
        """Search within a budget that is doubled from round to round; return how the last ended.

        It is EXHAUSTED only if the cheapest covers are proven.
        """
        reach = step = self._terms.step
        while True:
            budget = min(self.bound + reach - step, self._worst())
            status = yield from self.search(budget, node_limit)
            is_full = self.state.kept == self._terms.wanted
            is_proven = status == EXHAUSTED and (is_full or budget >= self._worst())
            if is_proven or status == TIMED_OUT:
                return status
            if status == EXHAUSTED:
                self.bound = budget + step
            if budget >= self._worst():
                return NODE_LIMITED
            reach *= 2

    def _worst(self) -> int:
        """Return the cost of the worst cover that is kept; of all options if there is room."""
        is_full = len(self.best) == self._terms.wanted
        return self.best[-1][1] if is_full else int(self._problem.cost.sum())

    def _tighten(self) -> Generator[None]:
        """Improve the bound, for as long as it takes; yield after each slice."""
        watch = self.slices.watch
        pause = watch.wall_ns + watch.slice_ns
        relaxation = Relaxation(self._problem, self.tables)
        known = self.best[0][1] if self.best else None
        while relaxation.left > 0 and not watch.is_over:
            relaxation.sweep(known)
            if watch.wall_ns > pause:
                yield
                pause = watch.wall_ns + watch.slice_ns
        self._base = relaxation.price(self.tables)
        self.bound = -(-self._base // self._terms.step) * self._terms.step

    def _read(self, status: int) -> bool:
        """Let the tally, if there is one, empty a search that is full or has ended; never stop."""
        if self._tally and status != PAUSED:
            self._tally.add(self.slices.search)
        return False

    def _new_search(self) -> Search:
        return new_search(self._depth, self._problem.members.size, self._room)


def _rank(kept: list[tuple[Path, int]]) -> tuple[int, list[int]]:
    """Return what is least for the best list of covers: more of them, then cheaper ones."""
    return -len(kept), [cost for _, cost in kept]
