"""Exact cover problems: JSON -> the engine -> outcomes."""

from collections.abc import Iterator, Sequence

import numpy as np

from worker.covers.text import decode
from worker.errors import PuzzleError
from worker.exact_cover import dlx
from worker.exact_cover.colour import plain
from worker.exact_cover.price import priced
from worker.exact_cover.problem import Problem, number
from worker.options import Options
from worker.outcome import Outcome, Outcomes, Solution, least_bound, malformed, seen


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Outcomes of cover problems, as `search` gives them."""
    for text in texts:
        try:
            size, problem, has_costs = read(text)
        except PuzzleError as error:
            yield Outcomes.of([malformed("cover", f"this is no cover problem: {error}")])
            continue
        solve_one = _cheapest if options.target and has_costs else _any
        yield from solve_one(size, problem, options, slice_seconds)


def _any(size: int, problem: Problem, options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """The covers as they are found, whatever they cost."""
    searching = dlx.searching(
        problem._replace(cost=np.zeros_like(problem.cost)),
        limit=options.limit,
        keep=options.keep,
        slice_seconds=slice_seconds,
        timeout=options.timeout,
    )
    for found in searching:
        yield Outcomes.of([] if found is None else [_outcome(size, found)])


def _cheapest(
    size: int, problem: Problem, options: Options, slice_seconds: float
) -> Iterator[Outcomes]:
    """The covers that cost least: a score is a cost below zero."""
    cheaper, base = priced(problem)
    searching = dlx.searching(
        cheaper,
        keep=options.keep,
        prune=not options.every,
        slice_seconds=slice_seconds,
        timeout=options.timeout,
    )
    for found in searching:
        best = [] if found is None else [_best(_outcome(size, found, base), options, base)]
        yield Outcomes.of(best)


def _best(outcome: Outcome, options: Options, base: int) -> Outcome:
    """The same, of a search for the cheapest."""
    scores = [one.score for one in outcome.kept]
    return outcome._replace(
        solutions=outcome.solutions if options.every else seen(scores, options),
        bound=least_bound(-base, outcome.complete, scores),
    )


def read(text: str) -> tuple[int, Problem, bool]:
    """The number of items in a cover's text, its problem, and whether its options have costs.

    PuzzleError if it is not a cover problem, or one too large to solve.
    """
    cover = decode(text)
    try:
        secondary, options = cover.secondary, cover.options
        if cover.colours is not None:
            secondary, options = plain(cover.primary, secondary, options, cover.colours)
        problem = number(cover.primary, secondary, options, cover.costs)
    except ValueError as error:
        raise PuzzleError(str(error)) from error
    return cover.items, _without_idle_items(problem), cover.costs is not None


def _without_idle_items(problem: Problem) -> Problem:
    """The same problem in memory that its options are worth: a count alone might be anything.

    Secondary items that no option names are left out.  If one of the primary items is not
    named, there is no cover, and a problem as small as can be says so.
    """
    named = np.unique(problem.members)
    if np.count_nonzero(named <= problem.primary) < problem.primary:
        return number(1, 0, [])
    members = np.searchsorted(named, problem.members) + 1
    return problem._replace(items=named.size, members=members.astype(np.uint32))


def _outcome(size: int, found: dlx.Found, base: int | None = None) -> Outcome:
    """What a search found; with a `base`, a score is that and the cost, below zero."""
    return Outcome(
        kind="cover",
        size=size,
        clues=None,
        solutions=found.found,
        complete=found.status == dlx.EXHAUSTED,
        timed_out=found.status == dlx.TIMED_OUT,
        kept=tuple(
            Solution(
                " ".join(str(option + 1) for option in chosen),
                None if base is None else -base - cost,
            )
            for chosen, cost in found.kept
        ),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
    )
