"""The cheapest covers of a problem, proven: in one search, or in parts.

Other searches for them may take turns with the rounds when these last. Nobody can tell beforehand
which of them ends first, and they differ by any factor in both directions, but where the rounds end
within a tenth of a second they are usually the fastest. So they are alone at first, and from then
on all take turns. Most of the time is for the searches that have proven the best bound, or nearly,
one of which usually ends first. The one with the best bound is to be divided, once each of the
others had 0.3 s.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Protocol

from worker.exact_cover import stops
from worker.exact_cover.costs.rounds import CostRounds, Near, reduced_costs
from worker.exact_cover.exclude import restrict
from worker.exact_cover.layout import links
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Setup
from worker.exact_cover.solve import Begun, Found
from worker.exact_cover.state import UNBOUNDED, UNLIMITED, Path, new_search, start_round, terms
from worker.stopwatch import Stopwatch, wall_clock_ns

#: nanoseconds for which the rounds are alone, or multiples of their layout, if that is more
HEAD_START_NS, HEAD_START_LAYOUTS = 100_000_000, 8
#: nanoseconds that each of the others gets before a search is divided
FIRST_SHARE_NS = 300_000_000
#: nanoseconds that a search is behind when it gets a turn
LEAST_TURN_NS = 5_000_000
#: parts of the time that a search gets whose gap between its bound and the best cover is not more
#: than so many times the least gap, where each of the others gets one part
AHEAD, NEARLY = 4, 4 / 3


class Other(Protocol):
    """Another search for the cheapest covers, which can be stopped and continued."""

    wall_ns: int  #: time in nanoseconds
    failed: bool  #: it cannot be continued

    def advance(self, slice_ns: int, most: int | None = None) -> bool:
        """Search for about `slice_ns`; return whether all wanted covers are kept.

        Those that cost more than `most` may be left out.
        """

    @property
    def found(self) -> Found:
        """What it has found so far."""

    def divided(self, found: Found) -> Found:
        """Return a result with what is left of this search for parts of it."""


class Turns:
    """The turns of the other searches."""

    def __init__(self, begin: Sequence[Callable[[], Other]], layout_ns: int) -> None:
        """`begin` makes the other searches; to lay out the rounds took `layout_ns`."""
        self._begin = begin
        self._head_start_ns = max(HEAD_START_NS, HEAD_START_LAYOUTS * layout_ns)
        self.others: list[Other] = []  #: those that have begun

    def ahead(self, bound: int) -> Other | None:
        """Return the search that has proven the best bound; None if the rounds have, `bound`."""
        best = max(self.others, key=lambda other: other.found.bound or 0, default=None)
        return best if best and (best.found.bound or 0) > bound else None

    def next(self, wall_ns: int, bound: int, most: int | None) -> tuple[Other, int] | None:
        """Return the search that has a turn, and the nanoseconds of it; None if none has one now.

        The rounds and the other searches have taken `wall_ns` nanoseconds together, `bound` is that
        of the rounds, and a cover that costs more than `most` is not wanted.
        """
        shared_ns = wall_ns - self._head_start_ns
        if shared_ns < 0:
            return None
        if not self.others:
            self.others = [begin() for begin in self._begin]
        own, *parts = self._parts(bound, most)
        rounds_ns = shared_ns - sum(other.wall_ns for other in self.others)
        behind = [
            (rounds_ns * part // own - other.wall_ns, other)
            for part, other in zip(parts, self.others, strict=True)
            if not other.failed
        ]
        behind_ns, last = max(behind, key=lambda one: one[0], default=(0, None))
        return (last, behind_ns) if last and behind_ns >= LEAST_TURN_NS else None

    def _parts(self, bound: int, most: int | None) -> list[int]:
        """Return how many parts of the time the rounds get, and each of the other searches."""
        bounds = [bound, *(other.found.bound or 0 for other in self.others)]
        nearly = max(bounds)
        if most is not None:
            nearly = min(nearly, int(most - NEARLY * (most - nearly)))
        return [AHEAD if one >= nearly else 1 for one in bounds]

    @property
    def are_tried(self) -> bool:
        """Whether each of the other searches has had its first share."""
        shares = [other.failed or other.wall_ns >= FIRST_SHARE_NS for other in self.others]
        return all(shares) and len(shares) == len(self._begin)


def cheapest(
    problem: Problem,
    *,
    keep: int = 1,
    visit_all: bool = False,
    watch: Stopwatch | None = None,
    begun: Begun | None = None,
    near: Near | None = None,
    others: Sequence[Callable[[], Other]] = (),
) -> Iterator[Found | None]:
    """Find the `keep` cheapest covers; yield None after each slice but the last, then the result.

    With `visit_all`, every cover is visited, so that `found` counts them all.  The search stops
    when the budget of `watch` is used up.  It goes on from what another search has `begun`, and
    searches `near` covers that it knows.  `others` begin other searches for the same covers if this
    one lasts, and the result is that of the search that ends first.
    """
    watch = watch or Stopwatch()
    if begun is not None and watch.is_over:
        yield begun.ended(watch)._replace(bound=0)
        return
    began_ns = wall_clock_ns()
    rounds = CostRounds(problem, keep, prune=not visit_all, watch=watch, near=near)
    if begun is not None:
        rounds.go_on(begun)
    if visit_all:
        yield from _visit_all(rounds, begun)
        return
    turns = Turns(others, layout_ns=wall_clock_ns() - began_ns)
    began_ns, status = wall_clock_ns(), stops.PAUSED
    steps = rounds.run()
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            status = stop.value
            break
        while not (watch.is_over or (watch.is_to_divide and turns.are_tried)):
            turn = turns.next(wall_clock_ns() - began_ns, rounds.proven, rounds.most)
            if turn is None:
                break
            other, turn_ns = turn
            if other.advance(min(turn_ns, watch.slice_ns, watch.left_ns), rounds.most):
                yield _together(_result(rounds, stops.EXHAUSTED, None), keep, turns.others)
                return
            if keep == 1:
                rounds.know(other.found)
            yield None
        if watch.is_to_divide and turns.are_tried:
            break
        yield None
    left = Frontier((), rounds.limit) if status == stops.PAUSED else None
    found = _together(_result(rounds, status, left), keep, turns.others)
    ahead = turns.ahead(rounds.proven) if left else None
    yield ahead.divided(found) if ahead else found


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
    return found.bounded(rounds.proven)


def _together(found: Found, keep: int, others: Sequence[Other]) -> Found:
    """Return what the rounds and the other searches have found together."""
    results = [found, *(other.found for other in others)]
    paths = {path: (path, cost) for one in results[1:] for path, cost in one.kept}
    paths |= {tuple(sorted(path)): (path, cost) for path, cost in found.paths}
    best = sorted(paths.values(), key=lambda one: one[1])[:keep]
    nodes = sum(one.nodes for one in results)
    bound = max(one.bound or 0 for one in results)
    return found._replace(paths=best, nodes=nodes).bounded(bound)


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
