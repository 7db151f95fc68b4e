"""Solve an exact cover problem: in one call, or in slices of time."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.layout import Links, links
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Setup
from worker.exact_cover.state import Path, Search, Terms, keep_first, kept_paths, new_search, terms
from worker.stopwatch import Stopwatch


class Found(NamedTuple):
    """The result of a search that has ended."""

    status: int  #: EXHAUSTED, LIMITED or TIMED_OUT; PAUSED if it used up its budget
    found: int  #: solutions found; with pruning, those within the budget of their time
    paths: list[tuple[Path, int]]  #: the best: option numbers from 0, as they were chosen; cost
    nodes: int  #: options that were chosen
    ns: int  #: CPU time in nanoseconds
    frontier: Frontier | None = None  #: what is left of a search that used up its budget
    setup: Setup = Setup(0)  #: what its parts need then
    by_option: Sequence[int] | None = None  #: per option: the solutions that have it, if wanted
    bound: int | None = None  #: no cover costs less; None if the cheapest covers were not wanted

    @property
    def kept(self) -> list[tuple[tuple[int, ...], int]]:
        """The best solutions: option numbers from 0, ascending; cost."""
        return [(tuple(sorted(path)), cost) for path, cost in self.paths]

    @classmethod
    def of(cls, status: int, search: Search, watch: Stopwatch) -> Self:
        """Return what a search has found that has stopped for this reason."""
        state = search.state
        return cls(status, int(state.found), kept_paths(search), int(state.nodes), watch.ns)

    def bounded(self, bound: int) -> Self:
        """Return the result of a search that has proven this bound, besides what it has kept."""
        if self.paths:
            least = self.paths[0][1]
            bound = least if self.status == stops.EXHAUSTED else min(bound, least)
        return self._replace(bound=bound)


class Begun(NamedTuple):
    """What a short search of a problem has brought, from which a longer one goes on."""

    found: int  #: solutions
    nodes: int
    options: Integers  #: a row of options for each solution that it keeps, the best first
    cost: Integers  #: per solution that it keeps
    levels: Levels | None  #: what is left to be searched; None for nothing

    def ended(self, watch: Stopwatch) -> Found:
        """Return the result if there is no time to go on."""
        kept = zip(map(tuple, self.options.tolist()), self.cost.tolist(), strict=True)
        return Found(stops.TIMED_OUT, self.found, [*kept], self.nodes, watch.ns)

    def go_on(self, part: PartSearch) -> None:
        """Let a search of the whole problem go on from here."""
        part.search = keep_first(part.search, self.options, self.cost)
        part.search.state.found, part.search.state.nodes = self.found, self.nodes
        part.take_over(self.levels)


def solve(
    problem: Problem, *, limit: int | None = None, keep: int = 1, prune: bool = False
) -> Found:
    """Return the result of a search without a time limit; see `in_slices`."""
    results = in_slices(problem, limit=limit, keep=keep, prune=prune)
    return next(found for found in results if found)


def in_slices(
    problem: Problem,
    *,
    limit: int | None = None,
    keep: int = 1,
    prune: bool = False,
    watch: Stopwatch | None = None,
    begun: Begun | None = None,
) -> Iterator[Found | None]:
    """Search, and yield None after each slice of time but the last, then the result.

    At most `limit` solutions are visited, and the `keep` cheapest of them kept. With `prune`, only
    cheaper ones are visited once `keep` are kept. The search stops when the budget of `watch` is
    used up. It goes on from what another search has `begun`.
    """
    watch = watch or Stopwatch()
    if watch.is_over:  # reading the problem took all the time
        yield begun.ended(watch) if begun else Found(stops.TIMED_OUT, 0, [], 0, watch.ns)
        return
    asked = terms(limit=limit, keep=keep, prune=prune, costly=bool(problem.cost.any()))
    search = new_search(problem, asked.first_room)
    yield from run_in_slices(links(problem), search, asked, watch, begun)


def run_in_slices(
    tables: Links, search: Search, asked: Terms, watch: Stopwatch, begun: Begun | None = None
) -> Iterator[Found | None]:
    """Run a search that is laid out, and yield as `in_slices` does."""
    part = PartSearch(tables, search, asked, (), watch=watch)
    if begun is not None:
        begun.go_on(part)
    status, frontier = yield from part.run_or_divide()
    setup = Setup(int(part.search.state.pairs_compared))
    yield Found.of(status, part.search, watch)._replace(frontier=frontier, setup=setup)


def part_of(
    problem: Problem, limit: int | None, keep: int, pairs_compared: int, levels: Levels
) -> PartSearch:
    """Return the search of a part for any covers, `limit` at most, of which it keeps `keep`."""
    asked = terms(limit=limit, keep=keep, costly=False)
    search = new_search(problem, asked.first_room)
    return PartSearch(links(problem), search, asked, levels, pairs_compared)
