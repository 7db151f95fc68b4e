"""Solve set covers: problems whose primary items may be covered more than once."""

from collections.abc import Iterator

import numpy as np

from worker.covers.text import Cover, option_numbers
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import EXHAUSTED, TIMED_OUT
from worker.options import Options
from worker.outcome import Outcome, Outcomes, Solution, count_unless_pruned, proven_bound
from worker.set_cover.solve import Covered, cheapest, within
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
        results = cheapest(problem, keep=options.keep, slice_seconds=slice_seconds, watch=watch)
    else:
        results = within(
            problem,
            options.at_most,
            limit=options.limit,
            keep=options.keep,
            slice_seconds=slice_seconds,
            watch=watch,
        )
    for result in results:
        yield Outcomes.of([] if result is None else [_outcome(cover.items, result, options)])


def _outcome(size: int, result: Covered, options: Options) -> Outcome:
    """Return the outcome of a search; covers have scores unless any cheap enough were wanted."""
    scored = options.at_most is None
    kept = tuple(
        Solution(option_numbers(path), -cost if scored else None) for path, cost in result.kept
    )
    scores = [one.score for one in kept]
    complete = result.status == EXHAUSTED
    return Outcome(
        kind="cover",
        size=size,
        clues=None,
        solutions=count_unless_pruned(scores, options) if scored else result.found,
        complete=complete,
        timed_out=result.status == TIMED_OUT,
        kept=kept,
        bound=proven_bound(-result.bound, complete, scores) if scored else None,
        nodes=result.nodes,
        ns=result.ns,
    )
