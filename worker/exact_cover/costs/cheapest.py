"""The cheapest covers of a problem, proven: in one search, or in parts.

A second search for them may take turns with the rounds when these last. Nobody can tell beforehand
which of the two ends first, and they differ by any factor in both directions, but where the rounds
end within seconds they are usually the faster one. So they are alone at first, and from then on the
second search gets a quarter of the time.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Protocol

from worker.exact_cover import stops
from worker.exact_cover.costs.rounds import CostRounds, Near, reduced_costs
from worker.exact_cover.exclude import restrict
from worker.exact_cover.layout import links, load
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Setup
from worker.exact_cover.solve import Begun, Found
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Path, new_search, start_round, terms
from worker.stopwatch import Stopwatch, wall_clock_ns

#: nanoseconds for which the rounds are alone, or multiples of their layout, if that is more
HEAD_START_NS, HEAD_START_LAYOUTS = 300_000_000, 8
#: after that, the second search gets one share of the time, of this number of shares
SHARES = 4
#: nanoseconds that the second search is behind when it gets a turn
LEAST_TURN_NS = 5_000_000


class Second(Protocol):
    """A search for the cheapest covers, which can be stopped and continued."""

    kept: list[tuple[Path, int]]  #: the cheapest first: option numbers from 0; cost
    nodes: int  #: search nodes
    wall_ns: int  #: time in nanoseconds
    failed: bool  #: it cannot be continued

    def advance(self, slice_ns: int) -> bool:
        """Search for about `slice_ns`; return whether all wanted covers are kept."""


class Turns:
    """The turns of the second search."""

    def __init__(self, begin: Callable[[], Second], layout_ns: int) -> None:
        """`begin` makes the second search; to lay out the first one took `layout_ns`."""
        self._begin = begin
        self._head_start_ns = max(HEAD_START_NS, HEAD_START_LAYOUTS * layout_ns)
        self._second: Second | None = None

    def next(self, wall_ns: int) -> tuple[Second, int] | None:
        """Return the second search and the nanoseconds of its turn; None if it has none now.

        The rounds have begun `wall_ns` nanoseconds ago.
        """
        if wall_ns < self._head_start_ns + SHARES * LEAST_TURN_NS:
            return None
        second = self._second = self._second or self._begin()
        shared_ns = wall_ns - self._head_start_ns
        turn_ns = (shared_ns - SHARES * second.wall_ns) // (SHARES - 1)
        return None if second.failed or turn_ns < LEAST_TURN_NS else (second, turn_ns)


def cheapest(
    problem: Problem,
    *,
    keep: int = 1,
    visit_all: bool = False,
    watch: Stopwatch | None = None,
    begun: Begun | None = None,
    near: Near | None = None,
    second: Callable[[], Second] | None = None,
) -> Iterator[Found | None]:
    """Find the `keep` cheapest covers; yield None after each slice but the last, then the result.

    With `visit_all`, every cover is visited, so that `found` counts them all.  The search stops
    when the budget of `watch` is used up.  It goes on from what another search has `begun`, and
    searches `near` covers that it knows.  `second` begins another search for the same covers if
    this one lasts, and the result is that of the search that ends first.
    """
    watch = watch or Stopwatch()
    if begun is not None and watch.is_over:
        yield begun.ended(watch)._replace(bound=0)
        return
    load()
    began_ns = wall_clock_ns()
    rounds = CostRounds(problem, keep, prune=not visit_all, watch=watch, near=near)
    if begun is not None:
        rounds.go_on(begun)
    if visit_all:
        yield from _visit_all(rounds, begun)
        return
    turns = Turns(second, layout_ns=wall_clock_ns() - began_ns) if second else None
    began_ns, status = wall_clock_ns(), stops.PAUSED
    steps = rounds.run()
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            status = stop.value
            break
        while turns and not (watch.is_over or watch.is_to_divide):
            turn = turns.next(wall_clock_ns() - began_ns)
            if turn is None:
                break
            other, turn_ns = turn
            if other.advance(min(turn_ns, watch.slice_ns, watch.left_ns)):
                yield _of_second(rounds, other)
                return
            yield None
        if watch.is_to_divide:
            break
        yield None
    yield _result(rounds, status, Frontier((), rounds.limit) if status == stops.PAUSED else None)


def _visit_all(rounds: CostRounds, begun: Begun | None) -> Generator[Found | None]:
    """Visit every cover once; the multipliers only serve the bound."""
    watch, slices = rounds.watch, rounds.slices
    rounds.lower_bound()
    start_round(slices.search, rounds.terms, UNBOUNDED, UNLIMITED)
    slices.search.state.revisits = 0  # what is left has none of the covers that are known
    visit = PartSearch(slices.tables, slices.search, rounds.terms, (), watch=watch)
    if begun is not None:
        visit.take_over(begun.levels)
    status, left = yield from visit.run_or_divide()
    slices.search = visit.search
    if left is not None:
        levels = rounds.scores.bounded(left.levels, slices.tables.cost, rounds.limit)
        left = Frontier(levels, rounds.limit)
    yield _result(rounds, status, left)


def _result(rounds: CostRounds, status: int, left: Frontier | None) -> Found:
    """Return the covers that are kept, the bound, and what is left."""
    found = Found.of(status, rounds.search, rounds.watch)
    found = found if left is None else found._replace(frontier=left, setup=rounds.setup())
    found = found._replace(paths=[(path, rounds.cost_of(cost)) for path, cost in found.paths])
    return found.bounded(rounds.cost_of(rounds.base - rounds.bound))


def _of_second(rounds: CostRounds, second: Second) -> Found:
    """Return the covers that another search has found, which has ended before the rounds."""
    found = Found(stops.EXHAUSTED, len(second.kept), second.kept, second.nodes, rounds.watch.ns)
    return found.bounded(rounds.cost_of(rounds.base - rounds.bound))


def part_of(
    problem: Problem, keep: int, setup: Setup, levels: Levels, *, visit_all: bool = False
) -> PartSearch:
    """Return the search of a part for the cheapest covers."""
    asked = terms(limit=None, keep=keep, prune=not visit_all, step=setup.scores.unit)
    tables = links(problem._replace(cost=reduced_costs(problem, setup)))
    restrict(tables, problem.is_useful & (tables.cost <= setup.reach))
    search = new_search(problem, asked.first_room)
    return PartSearch(tables, search, asked, levels, setup.pairs_compared)


def rounds_near(
    problem: Problem, setup: Setup, path: Path, score: int, seed: str, near: Near | None = None
) -> CostRounds:
    """Return rounds that can improve a known cover of this score."""
    rounds = CostRounds(problem, 1, prune=True, seed=seed, near=near)
    rounds.continue_from(setup)
    rounds.start_from([path], [(problem.offset - score) // problem.factor])
    return rounds
