"""One puzzle as an exact cover problem: searched, counted, or continued in parts.

That is how cover problems are solved, and grids that the short search of `sudoku` does not finish.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from storage.values import Candidate
from worker.counting.count import in_slices as count_in_slices
from worker.counting.from_diagram import FromDiagram
from worker.exact_cover import stops
from worker.exact_cover.costs import cheapest as costs
from worker.exact_cover.costs.cheapest import cheapest
from worker.exact_cover.costs.rounds import CostRounds, Near
from worker.exact_cover.parts.frontier import Frontier, Levels
from worker.exact_cover.parts.part_search import PartSearch
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Scores, Setup
from worker.exact_cover.solve import Begun, Found, in_slices
from worker.exact_cover.solve import part_of as part_of_plain
from worker.exact_cover.state import Path, kept_paths
from worker.options import Options
from worker.outcome import (
    Incumbent,
    Known,
    Outcome,
    Rest,
    Solution,
    Turn,
    count_unless_pruned,
    proven_bound,
)
from worker.set_cover.part import PartSearch as CheapPart
from worker.set_cover.solve import ExactCovers
from worker.stopwatch import Stopwatch, nanoseconds

#: why a count has no `option_counts`
TOO_LARGE = "the numbers of solutions with each option need more memory: see --memory"

#: the fraction of a turn in which a search for the best score looks near the best solution so far;
#: a turn that ends its part has no such search
NEAR_FRACTION = 0.25
#: a turn: it yields None after each slice, and ends early if True is sent
Slices = Generator[Turn | None, bool | None]


AnyPart = PartSearch | CheapPart


class Puzzle(NamedTuple):
    """A puzzle as an exact cover problem, and how its answers are written."""

    kind: str
    size: int
    clues: int | None
    problem: Problem  #: without costs, unless scores count
    scored: bool  #: covers have scores, and the best are wanted
    texts: Callable[[Sequence[Path]], list[str]]  #: writes covers, each in its own text
    option_counts: Callable[[Sequence[int], int], object]  #: the covers with each option, and all
    near: Near | None = None  #: where a search near a cover looks, if not as in any problem
    is_exact: bool = True  #: each item is covered once
    #: begins the search of a part that has bounds: given `keep`, setup and levels
    part: Callable[[int, Setup, Levels], CheapPart] | None = None
    has_diagram: bool = False  #: the best covers may also be read from a diagram


def search(
    puzzle: Puzzle,
    options: Options,
    watch: Stopwatch,
    *,
    begun: Begun | None = None,
    counts: bool = False,
) -> Iterator[Outcome | None]:
    """Yield None after each slice of time but the last, then the outcome.

    With `counts`, only the number of covers is wanted, and one of them or a sample.
    """
    counts = counts and not puzzle.scored
    if puzzle.scored:
        results = cheapest(
            puzzle.problem,
            keep=options.keep,
            visit_all=options.every,
            watch=watch,
            begun=begun,
            near=puzzle.near,
            others=_others(puzzle, options),
        )
    elif counts:
        results = count_in_slices(
            puzzle.problem,
            memory=options.memory,
            watch=watch,
            sample=options.sample,
            seed=options.seed,
            per_option=options.per_option,
            begun=begun,
        )
    else:
        results = in_slices(
            puzzle.problem, limit=options.limit, keep=options.keep, watch=watch, begun=begun
        )
    for found in results:
        if found is None:
            yield None
            continue
        first = begun.options.tolist() if counts and begun is not None else []
        paths = [(tuple(row), 0) for row in first] or found.paths
        yield outcome(puzzle, found._replace(paths=paths), options)


def _others(puzzle: Puzzle, options: Options) -> list[Callable[[], costs.Other]]:
    """Return how other searches for the best solutions begin, which take turns with the rounds."""
    others: list[Callable[[], costs.Other]] = [partial(ExactCovers, puzzle.problem, options.keep)]
    if puzzle.has_diagram:
        others.append(partial(FromDiagram, puzzle.problem, options.keep, options.memory))
    return others


def outcome(puzzle: Puzzle, found: Found, options: Options) -> Outcome:
    """Return the outcome of a search; covers have scores if it looked for the cheapest ones."""
    texts, score = puzzle.texts([path for path, _ in found.paths]), puzzle.problem.score
    complete, has_scores = found.status == stops.EXHAUSTED, found.bound is not None
    scores = [score(cost) if has_scores else None for _, cost in found.paths]
    solutions: int | None = found.found
    bound = None
    if found.bound is not None:
        bound = proven_bound(score(found.bound), complete, scores)
        solutions = solutions if options.every else count_unless_pruned(len(texts), options.keep)
    wanted = options.per_option and found.by_option is not None
    counted = puzzle.option_counts(found.by_option or (), found.found) if wanted else None
    return Outcome(
        kind=puzzle.kind,
        size=puzzle.size,
        clues=puzzle.clues,
        solutions=solutions,
        complete=complete,
        timed_out=found.status == stops.TIMED_OUT,
        kept=tuple(map(Solution, texts, scores)),
        bound=bound,
        nodes=found.nodes,
        ns=found.ns,
        detail=TOO_LARGE if complete and options.per_option and not wanted else None,
        rest=_rest(found, texts, scores),
        option_counts=json.dumps(counted) if wanted else None,
    )


def _rest(found: Found, texts: Sequence[str], scores: Sequence[int | None]) -> Rest | None:
    """Return what is left of a search, None if it has ended."""
    if found.frontier is None:
        return None
    places = [
        # Parts may find the best ones again, in another order.  Other solutions come before those
        # of all parts, on whose paths no option occurs twice.
        tuple(sorted(path)) if found.setup.is_pruned else (0, 0, rank)
        for rank, (path, _) in enumerate(found.paths)
    ]
    kept = tuple(map(Candidate, scores, places, texts))
    return Rest(found.frontier, found.setup.encode(), kept)


# --- one turn of a part ---


def part_of(puzzle: Puzzle, options: Options, setup: Setup, levels: Levels) -> PartSearch:
    """Return the search of a part for exact covers, laid out."""
    problem, keep = puzzle.problem, options.keep
    if puzzle.scored:
        return costs.part_of(problem, keep, setup, levels, visit_all=options.every)
    return part_of_plain(problem, options.limit, keep, setup.pairs_compared, levels)


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
    scored = setup if puzzle.scored else None
    part: AnyPart
    if puzzle.part and setup.has_bounds:
        part, best = puzzle.part(options.keep, setup, levels), None
    else:
        part = part_of(puzzle, options, setup, levels)
        best = known if scored and not options.every else None
    limit = seconds * (1 - NEAR_FRACTION) if best else seconds
    slice_ns = nanoseconds(slice_seconds)
    status, stop = yield from _search(part, scored, nanoseconds(limit), slice_ns, incumbent)
    frontier = part.frontier()
    if frontier and scored:
        left = scored.scores.bounded(frontier.levels, part.cost, scored.bound)
        frontier = Frontier(left, scored.bound)
    turn = Turn(
        found=int(part.search.state.found),
        nodes=int(part.search.state.nodes),
        ns=part.ns,
        wall_ns=part.wall_ns,
        kept=_kept(part, puzzle, scored),
        frontier=frontier,
        limited=status == stops.LIMITED,
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


def _kept(part: AnyPart, puzzle: Puzzle, scored: Setup | None) -> tuple[Candidate, ...]:
    paths = part.kept()
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
    part: AnyPart, scored: Setup | None, wall_ns: int, slice_ns: int, incumbent: Incumbent
) -> Generator[None, bool | None, tuple[int, bool]]:
    """Search a part for `wall_ns`; return why it stopped, and whether the turn was ended."""
    status, stop = stops.PAUSED, False
    while status == stops.PAUSED and part.wall_ns < wall_ns and not stop:
        if scored and part.terms.prune:
            wanted = min(scored.reach, scored.scores.above(incumbent.best()))
            part.search.state.budget = min(int(part.search.state.budget), wanted)
        status = part.advance(min(slice_ns, wall_ns - part.wall_ns))
        if scored and (worst := part.worst) is not None:
            _offer(incumbent, scored.scores.of(worst))
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
