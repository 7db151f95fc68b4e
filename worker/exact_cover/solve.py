"""Solve an exact cover problem: in one call, or in slices of time."""

from collections.abc import Iterator
from typing import NamedTuple

from worker.exact_cover.entries import search_slice
from worker.exact_cover.layout import Links, links, max_depth
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import (
    FULL,
    INITIAL_ROOM,
    PAUSED,
    Search,
    Terms,
    kept_solutions,
    new_search,
    terms,
    with_room,
)

#: thirty years: a longer time limit, in seconds, counts as this one
LONGEST_TIMEOUT_SECONDS = 1e9


class Found(NamedTuple):
    """The result of a search that has ended."""

    status: int  #: EXHAUSTED, LIMITED or TIMED_OUT
    found: int  #: solutions found; with pruning, those within the budget of their time
    kept: list[tuple[tuple[int, ...], int]]  #: the best: option numbers from 0, ascending; cost
    nodes: int  #: options that were chosen
    ns: int  #: CPU time in the kernel, in nanoseconds


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
    slice_seconds: float = 0.25,
    timeout: float = LONGEST_TIMEOUT_SECONDS,
) -> Iterator[Found | None]:
    """Search, and yield None after each slice of time but the last, then the result.

    At most `limit` solutions are visited, and the `keep` cheapest of them kept. With `prune`, only
    cheaper ones are visited once so many are kept.
    """
    asked = terms(limit=limit, keep=keep, prune=prune, costly=bool(problem.cost.any()))
    room = min(asked.wanted, INITIAL_ROOM)
    search = new_search(max_depth(problem), problem.members.size, room)
    return run_in_slices(links(problem), search, asked, slice_seconds, timeout)


def run_in_slices(
    tables: Links, search: Search, asked: Terms, slice_seconds: float, timeout: float
) -> Iterator[Found | None]:
    """Run a search that is laid out, and yield as `in_slices` does."""
    slice_ns, left, total_ns = nanoseconds(slice_seconds), nanoseconds(timeout), 0
    while True:
        status, ns, wall_ns = search_slice(tables, search, asked, slice_ns, left)
        total_ns += ns
        left -= wall_ns
        if status not in {PAUSED, FULL}:
            break
        search = with_room(search, asked.wanted)
        yield None
    state = search.state
    yield Found(status, int(state.found), kept_solutions(search), int(state.nodes), total_ns)


def nanoseconds(seconds: float) -> int:
    """Return a time in nanoseconds, LONGEST_TIMEOUT_SECONDS at most."""
    return int(min(seconds, LONGEST_TIMEOUT_SECONDS) * 1e9)
