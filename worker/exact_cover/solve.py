"""Solve an exact cover problem: in one call, or in slices of time."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from worker.compiling.jit import Integers
from worker.exact_cover.layout import Links, links, max_depth
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import (
    EXHAUSTED,
    FIRST_NODES,
    INITIAL_ROOM,
    PAUSED,
    TIMED_OUT,
    Path,
    Search,
    Terms,
    keep_first,
    kept_paths,
    new_search,
    terms,
)
from worker.stopwatch import Stopwatch


class Found(NamedTuple):
    """The result of a search that has ended."""

    status: int  #: EXHAUSTED, LIMITED or TIMED_OUT; PAUSED if it used up its budget
    found: int  #: solutions found; with pruning, those within the budget of their time
    paths: list[tuple[Path, int]]  #: the best: option numbers from 0, as they were chosen; cost
    nodes: int  #: options that were chosen
    ns: int  #: CPU time in nanoseconds
    frontier: Frontier | None = None  #: what is left of a search that used up its budget
    pairs_compared: int = 0  #: what its parts need, as `scores.Setup` defines it
    by_option: Sequence[int] | None = None  #: per option: the solutions that have it, if wanted

    @property
    def kept(self) -> list[tuple[tuple[int, ...], int]]:
        """The best solutions: option numbers from 0, ascending; cost."""
        return [(tuple(sorted(path)), cost) for path, cost in self.paths]


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
        return Found(TIMED_OUT, self.found, [*kept], self.nodes, watch.ns)

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
    cheaper ones are visited once so many are kept. The search stops when the budget of `watch` is
    used up. It goes on from what another search has `begun`.
    """
    watch = watch or Stopwatch()
    if watch.is_over:  # reading the problem took all the time
        yield begun.ended(watch) if begun else Found(TIMED_OUT, 0, [], 0, watch.ns)
        return
    asked = terms(limit=limit, keep=keep, prune=prune, costly=bool(problem.cost.any()))
    room = min(asked.wanted, INITIAL_ROOM)
    search = new_search(max_depth(problem), problem.members.size, room)
    yield from run_in_slices(links(problem), search, asked, watch, begun)


def run_in_slices(
    tables: Links, search: Search, asked: Terms, watch: Stopwatch, begun: Begun | None = None
) -> Iterator[Found | None]:
    """Run a search that is laid out, and yield as `in_slices` does."""
    part = PartSearch(tables, search, asked, (), watch=watch)
    if begun is not None:
        begun.go_on(part)
    status = yield from part.run(
        lambda status: status == PAUSED and watch.is_to_divide and may_be_divided(part.search)
    )
    search, frontier = part.search, None
    if status == PAUSED:
        frontier = part.frontier()
        status = EXHAUSTED if frontier is None else PAUSED
    state = search.state
    yield Found(
        status,
        int(state.found),
        kept_paths(search),
        int(state.nodes),
        watch.ns,
        frontier,
        int(state.pairs_compared),
    )


def part_of(
    problem: Problem, limit: int | None, keep: int, pairs_compared: int, levels: Levels
) -> PartSearch:
    """Return the search of a part for any covers, `limit` at most, of which it keeps `keep`."""
    asked = terms(limit=limit, keep=keep, costly=False)
    search = new_search(max_depth(problem), problem.members.size, min(asked.wanted, INITIAL_ROOM))
    return PartSearch(links(problem), search, asked, levels, pairs_compared)


def may_be_divided(search: Search) -> bool:
    """Return whether a search that is paused may be left to parts.

    It may not before it has passed the point at which it may start again: then the parts have as
    many nodes together, wherever the search is divided.
    """
    return bool(search.state.nodes > FIRST_NODES)
