"""Solve set covers: problems whose primary items may be covered more than once."""

from collections.abc import Iterator

import numpy as np

from worker.covers.text import Cover, option_numbers
from worker.exact_cover.costs.cheapest import Cheapest
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import Found
from worker.exact_cover.state import EXHAUSTED, TIMED_OUT
from worker.options import Options
from worker.outcome import Outcome, Outcomes, Solution, count_unless_pruned, proven_bound
from worker.set_cover.solve import cheapest, within
from worker.stopwatch import Stopwatch


def set_covers(
    cover: Cover, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the outcome of a set cover after empty ones, one for each slice of time.

    The covers are those from which no option can be left out. The cheapest are wanted, or with
    `options.at_most` any that cost no more; without costs, every option costs 1.
    """
    if cover.costs is None:
        problem = problem._replace(cost=np.ones_like(problem.cost))
    if options.at_most is None:
        for best in cheapest(problem, keep=options.keep, slice_seconds=slice_seconds, watch=watch):
            yield Outcomes.of([] if best is None else [_scored(cover.items, best, options)])
        return
    results = within(
        problem,
        options.at_most,
        limit=options.limit,
        keep=options.keep,
        slice_seconds=slice_seconds,
        watch=watch,
    )
    for found in results:
        yield Outcomes.of([] if found is None else [_outcome(cover.items, found)])


def _scored(size: int, best: Cheapest, options: Options) -> Outcome:
    """Return the outcome of a search for the cheapest covers."""
    outcome, found = _outcome(size, best.found), best.found
    scores = [-cost for _, cost in found.paths]
    return outcome._replace(
        solutions=count_unless_pruned(len(scores), options.keep),
        kept=tuple(
            one._replace(score=score) for one, score in zip(outcome.kept, scores, strict=True)
        ),
        bound=proven_bound(-best.bound, outcome.complete, scores),
    )


def _outcome(size: int, found: Found) -> Outcome:
    """Return the outcome of a search for any covers, which have no scores."""
    return Outcome(
        kind="cover",
        size=size,
        clues=None,
        solutions=found.found,
        complete=found.status == EXHAUSTED,
        timed_out=found.status == TIMED_OUT,
        kept=tuple(Solution(option_numbers(path), None) for path, _ in found.paths),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
    )
