"""One turn of a part of a search, for puzzles of any kind."""

from collections.abc import Generator

from storage.values import Candidate
from worker.exact_cover import solve
from worker.exact_cover.costs import cheapest as costs
from worker.exact_cover.costs.rounds import CostRounds
from worker.exact_cover.costs.scores import Scored, Scores, Setup
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.state import LIMITED, PAUSED, Path, kept_paths
from worker.lasting import Puzzle
from worker.options import Options
from worker.outcome import Incumbent, Known, Turn
from worker.stopwatch import Stopwatch, nanoseconds

#: the fraction of a turn in which a search for the best score looks near the best solution so far;
#: a turn that ends its part has no such search
NEAR_FRACTION = 0.25
#: a turn: it yields None after each slice, and ends early if True is sent
Slices = Generator[Turn | None, bool | None]


def part_of(
    puzzle: Puzzle, options: Options, setup: Setup, levels: Levels
) -> tuple[PartSearch, Scored | None]:
    """Return the search of a part, laid out, with what its scores are if they count."""
    problem, keep = puzzle.problem, options.keep
    if puzzle.scored:
        return costs.part_of(problem, keep, setup, levels, visit_all=options.every)
    return solve.part_of(problem, options.limit, keep, setup.pairs_compared, levels), None


def take_turn(
    puzzle: Puzzle,
    options: Options,
    setup: Setup,
    levels: Levels,
    incumbent: Incumbent,
    known: Known | None,
    *,
    seconds: float,
    slice_seconds: float,
) -> Slices:
    """Search a part for a turn; `known` is the best solution so far."""
    part, scored = part_of(puzzle, options, setup, levels)
    best = known if scored and not options.every else None
    limit = seconds * (1 - NEAR_FRACTION) if best else seconds
    slice_ns = nanoseconds(slice_seconds)
    status, stop = yield from _search(part, scored, nanoseconds(limit), slice_ns, incumbent)
    frontier = part.frontier()
    if frontier and scored:
        left = scored.scores.bounded(frontier.levels, scored.cost, scored.bound)
        frontier = Frontier(left, scored.bound)
    turn = Turn(
        found=int(part.search.state.found),
        nodes=int(part.search.state.nodes),
        ns=part.ns,
        wall_ns=part.wall_ns,
        kept=_kept(part, puzzle, scored),
        frontier=frontier,
        limited=status == LIMITED,
    )
    if best and frontier and not stop:
        left_ns = nanoseconds(seconds) - part.wall_ns
        given = (setup, best.path, best.score, repr(levels), puzzle.near)
        rounds = costs.rounds_near(puzzle.problem, *given)
        better = yield from _improve(rounds, puzzle, left_ns, slice_ns)
        if part.terms.wanted == 1:  # else others that are wanted may score less
            for one in better.kept:
                _offer(incumbent, one.score)
        turn = turn._replace(
            found=turn.found + better.found,
            nodes=turn.nodes + better.nodes,
            ns=turn.ns + better.ns,
            wall_ns=turn.wall_ns + better.wall_ns,
            kept=better.kept + turn.kept,
        )
    yield turn


def _kept(part: PartSearch, puzzle: Puzzle, scored: Scored | None) -> tuple[Candidate, ...]:
    paths = kept_paths(part.search)
    if part.terms.prune:  # parts may find a solution twice, in different orders
        paths = [(tuple(sorted(path)), cost) for path, cost in paths]
    return _kept_solutions(paths, puzzle, scored and scored.scores)


def _kept_solutions(
    paths: list[tuple[Path, int]], puzzle: Puzzle, scores: Scores | None
) -> tuple[Candidate, ...]:
    """Return solutions, given by their paths and reduced costs, as they are stored."""
    written = puzzle.texts([path for path, _ in paths])
    return tuple(
        Candidate(scores and scores.of(cost), path, text)
        for (path, cost), text in zip(paths, written, strict=True)
    )


def _search(
    part: PartSearch, scored: Scored | None, wall_ns: int, slice_ns: int, incumbent: Incumbent
) -> Generator[None, bool | None, tuple[int, bool]]:
    """Search a part for `wall_ns`; return why it stopped, and whether the turn was ended."""
    status, stop = PAUSED, False
    while status == PAUSED and part.wall_ns < wall_ns and not stop:
        if scored and part.terms.prune:
            wanted = min(scored.reach, scored.scores.above(incumbent.best()))
            part.search.state.budget = min(int(part.search.state.budget), wanted)
        status = part.advance(min(slice_ns, wall_ns - part.wall_ns))
        if scored and part.search.state.kept == part.terms.wanted:
            worst = part.search.kept.cost[: part.terms.wanted].max()
            _offer(incumbent, scored.scores.of(int(worst)))
        stop = bool((yield None))
    return status, stop


def _improve(
    rounds: CostRounds, puzzle: Puzzle, wall_ns: int, slice_ns: int
) -> Generator[None, bool | None, Turn]:
    """Search near the cover that `rounds` starts from for `wall_ns`; return what is better."""
    watch, pause = Stopwatch(), slice_ns
    known, stop = int(rounds.search.kept.cost[0]), False
    for _ in rounds.improve():
        if watch.wall_ns >= pause:
            pause = watch.wall_ns + slice_ns
            stop = bool((yield None))
        if stop or watch.wall_ns >= wall_ns:
            break
    paths = [(tuple(sorted(path)), cost) for path, cost in kept_paths(rounds.search)]
    better = [(path, cost) for path, cost in paths if cost < known]
    kept = _kept_solutions(better, puzzle, rounds.scores)
    nodes = int(rounds.search.state.nodes)
    return Turn(len(kept), nodes, watch.ns, watch.wall_ns, kept, frontier=None)


def _offer(incumbent: Incumbent, score: int | None) -> None:
    if score is not None:
        incumbent.offer(score)
