"""One turn of a part of a search, for puzzles of any kind."""

import time
from collections.abc import Callable, Generator
from typing import NamedTuple

from worker.exact_cover.costs.rounds import Rounds
from worker.exact_cover.costs.scores import Scored, Scores
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.solve import nanoseconds
from worker.exact_cover.state import LIMITED, PAUSED, Path, kept_paths
from worker.outcome import Incumbent, KeptSolution, Turn

#: the fraction of a turn in which a search for the best score looks near the best solution so far
NEAR_FRACTION = 0.25
#: the text of a solution, given the numbers of its options in any order
Text = Callable[[Path], str]
#: a turn: it yields None after each slice, and ends early if True is sent
Slices = Generator[Turn | None, bool | None]


class Work(NamedTuple):
    """How to search a part."""

    text: Text
    part: Callable[[], tuple[PartSearch, Scored | None]]  #: lays it out; called once
    near: Rounds | None  #: if a solution is known: rounds to improve it, used before `part`


class Improved(NamedTuple):
    """What a search near a known solution found."""

    kept: tuple[KeptSolution, ...]
    nodes: int
    ns: int  #: CPU time
    wall_ns: int
    stop: bool  #: the turn was ended meanwhile


NOTHING = Improved((), 0, 0, 0, False)


def run(work: Work, *, seconds: float, slice_seconds: float, incumbent: Incumbent) -> Slices:
    """Search a part for a turn, as `SearchPart` defines it."""
    before = NOTHING
    if work.near is not None:
        limit = nanoseconds(seconds * NEAR_FRACTION)
        before = yield from _improve(work.near, work.text, limit, slice_seconds)
    part, scored = work.part()
    if part.terms.wanted == 1:  # else solutions that score less are wanted as well
        for one in before.kept:
            _offer(incumbent, one.score)
    left = nanoseconds(seconds) - before.wall_ns
    status = PAUSED
    if not before.stop:
        status = yield from _search(part, scored, left, nanoseconds(slice_seconds), incumbent)
    frontier = part.frontier()
    if frontier and scored:
        levels = scored.scores.bounded(frontier.levels, scored.cost, scored.bound)
        frontier = Frontier(levels, scored.bound)
    state = part.search.state
    paths = kept_paths(part.search)
    if part.terms.prune:  # parts may find a solution twice, in different orders
        paths = [(tuple(sorted(path)), cost) for path, cost in paths]
    kept = before.kept + kept_solutions(paths, work.text, scored and scored.scores)
    yield Turn(
        found=int(state.found) + len(before.kept),
        nodes=int(state.nodes) + before.nodes,
        ns=part.ns + before.ns,
        wall_ns=part.wall_ns + before.wall_ns,
        kept=kept,
        frontier=frontier,
        limited=status == LIMITED,
    )


def kept_solutions(
    paths: list[tuple[Path, int]], text: Text, scores: Scores | None
) -> tuple[KeptSolution, ...]:
    """Return solutions, given by their paths and reduced costs, as they are stored."""
    return tuple(KeptSolution(scores and scores.of(cost), path, text(path)) for path, cost in paths)


def _search(
    part: PartSearch,
    scored: Scored | None,
    wall_ns: int,
    slice_ns: int,
    incumbent: Incumbent,
) -> Generator[None, bool | None, int]:
    """Search a part for so long, and return why it stopped."""
    status, stop = PAUSED, False
    while status == PAUSED and part.wall_ns < wall_ns and not stop:
        if scored and part.terms.prune:
            wanted = min(scored.reach, scored.scores.above(incumbent.best()))
            part.search.state.budget = min(int(part.search.state.budget), wanted)
        status = part.advance(min(slice_ns, wall_ns - part.wall_ns))
        if scored and part.search.state.kept == part.terms.wanted:
            _offer(incumbent, scored.scores.of(_worst_cost(part)))
        stop = bool((yield None))
    return status


def _improve(
    rounds: Rounds, text: Text, wall_ns: int, slice_seconds: float
) -> Generator[None, bool | None, Improved]:
    """Search near the cover that `rounds` starts from, for so long; return what is better."""
    began, cpu_began, next_slice = time.perf_counter_ns(), time.thread_time_ns(), slice_seconds
    known, stop, elapsed = int(rounds.search.kept.cost[0]), False, 0
    for _ in rounds.improve():
        elapsed = time.perf_counter_ns() - began
        if elapsed >= next_slice * 1e9:
            next_slice = elapsed / 1e9 + slice_seconds
            stop = bool((yield None))
        if stop or elapsed >= wall_ns:
            break
    paths = [(tuple(sorted(path)), cost) for path, cost in kept_paths(rounds.search)]
    better = [(path, cost) for path, cost in paths if cost < known]
    kept = kept_solutions(better, text, Scores(rounds.base, rounds.terms.step))
    ns = time.thread_time_ns() - cpu_began
    return Improved(kept, int(rounds.search.state.nodes), ns, elapsed, stop)


def _offer(incumbent: Incumbent, score: int | None) -> None:
    if score is not None:
        incumbent.offer(score)


def _worst_cost(part: PartSearch) -> int:
    kept = part.search.kept
    return int(kept.cost[: part.search.state.kept].max())
