"""One turn of a part of a search, for puzzles of any kind."""

from collections.abc import Callable, Generator

from worker.exact_cover.costs.scores import Scored, Scores
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.solve import nanoseconds
from worker.exact_cover.state import LIMITED, PAUSED, Path, kept_paths
from worker.outcome import Incumbent, KeptSolution, Turn

#: the text of a solution, given the numbers of its options in any order
Text = Callable[[Path], str]


def kept_solutions(
    paths: list[tuple[Path, int]], text: Text, scores: Scores | None
) -> tuple[KeptSolution, ...]:
    """Return solutions, given by their paths and reduced costs, as they are stored."""
    return tuple(KeptSolution(scores and scores.of(cost), path, text(path)) for path, cost in paths)


def run(
    part: PartSearch,
    text: Text,
    scored: Scored | None,
    *,
    seconds: float,
    slice_seconds: float,
    incumbent: Incumbent,
) -> Generator[Turn | None, bool | None]:
    """Search a part for a turn, as `SearchPart` defines it."""
    status, end, stop = PAUSED, nanoseconds(seconds), False
    while status == PAUSED and part.wall_ns < end and not stop:
        if scored and part.terms.prune:
            state = part.search.state
            state.budget = min(int(state.budget), scored.scores.above(incumbent.best()))
        status = part.advance(min(nanoseconds(slice_seconds), end - part.wall_ns))
        if scored and part.search.state.kept == part.terms.wanted:
            incumbent.offer(scored.scores.of(_worst_cost(part)))
        stop = bool((yield None))
    frontier = part.frontier()
    if frontier and scored:
        levels = scored.scores.bounded(frontier.levels, scored.cost, scored.bound)
        frontier = Frontier(levels)
    state = part.search.state
    kept = kept_solutions(kept_paths(part.search), text, scored and scored.scores)
    yield Turn(
        int(state.found), int(state.nodes), part.ns, part.wall_ns, kept, frontier, status == LIMITED
    )


def _worst_cost(part: PartSearch) -> int:
    kept = part.search.kept
    return int(kept.cost[: part.search.state.kept].max())
