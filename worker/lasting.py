"""One puzzle as an exact cover problem: searched, or counted.

That is how cover problems are solved, and grids that the short search of `sudoku` does not finish.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from storage.values import Candidate
from worker.counting.cheapest import FromDiagram
from worker.counting.count import in_slices as count_in_slices
from worker.exact_cover.costs.cheapest import Cheapest, cheapest
from worker.exact_cover.costs.rounds import Near
from worker.exact_cover.costs.scores import Setup
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Begun, Found, in_slices
from worker.exact_cover.state import EXHAUSTED, TIMED_OUT, Path
from worker.options import Options
from worker.outcome import (
    Outcome,
    Rest,
    Solution,
    count_unless_pruned,
    first_path,
    missing,
    proven_bound,
)
from worker.stopwatch import Stopwatch


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
    if puzzle.scored:
        yield from _cheapest(puzzle, options, watch, begun)
        return
    if counts:
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


def _cheapest(
    puzzle: Puzzle, options: Options, watch: Stopwatch, begun: Begun | None
) -> Iterator[Outcome | None]:
    """Yield the best covers."""
    problem = puzzle.problem
    results = cheapest(
        problem,
        keep=options.keep,
        visit_all=options.every,
        watch=watch,
        begun=begun,
        near=puzzle.near,
        second=partial(FromDiagram, problem, options.keep, options.memory)
        if puzzle.has_diagram
        else None,
    )
    for result in results:
        yield None if result is None else best(puzzle, result, options)


def outcome(puzzle: Puzzle, found: Found, options: Options) -> Outcome:
    """Return the outcome of a search, without scores."""
    texts = puzzle.texts([path for path, _ in found.paths])
    complete = found.status == EXHAUSTED
    wanted = options.per_option and found.by_option is not None
    counted = puzzle.option_counts(found.by_option or (), found.found) if wanted else None
    return Outcome(
        kind=puzzle.kind,
        size=puzzle.size,
        clues=puzzle.clues,
        solutions=found.found,
        complete=complete,
        timed_out=found.status == TIMED_OUT,
        kept=tuple(Solution(text, None) for text in texts),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
        detail=missing(found.by_option, options, complete=complete),
        rest=_rest(puzzle.problem, found, Setup(found.pairs_compared), texts),
        option_counts=json.dumps(counted) if wanted else None,
    )


def best(puzzle: Puzzle, result: Cheapest, options: Options) -> Outcome:
    """Return the outcome of a search for the best covers."""
    problem, found = puzzle.problem, result.found
    plain = outcome(puzzle, found, options)
    scores = [problem.score(cost) for _, cost in found.paths]
    texts = [one.text for one in plain.kept]
    return plain._replace(
        kept=tuple(map(Solution, texts, scores)),
        rest=_rest(problem, found, result.setup, texts),
        solutions=found.found if options.every else count_unless_pruned(len(scores), options.keep),
        bound=proven_bound(problem.score(result.bound), plain.complete, scores),
    )


def _rest(problem: Problem, found: Found, setup: Setup | None, texts: Sequence[str]) -> Rest | None:
    """Return what is left of a search, None if it has ended."""
    if found.frontier is None or setup is None:
        return None
    scored, kept = bool(setup.multipliers), list[Candidate]()
    for rank, ((path, cost), text) in enumerate(zip(found.paths, texts, strict=True)):
        # Parts may find the best ones again, in another order.
        place = tuple(sorted(path)) if setup.is_pruned else first_path(rank)
        kept.append(Candidate(problem.score(cost) if scored else None, place, text))
    return Rest(found.frontier, setup.encode(), tuple(kept))
