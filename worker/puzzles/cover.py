"""Exact cover problems: JSON -> the engine -> outcomes."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from worker.exact_cover import dlx
from worker.exact_cover.problem import Problem, number
from worker.puzzles.options import Options
from worker.puzzles.outcome import Outcome, Solution, malformed


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[list[Outcome]]:
    """Outcomes of cover problems, as `search` gives them."""
    for text in texts:
        try:
            problem = read(text)
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            yield [malformed("cover", f"this is no cover problem: {error}")]
            continue
        searching = dlx.searching(
            problem,
            limit=options.limit,
            keep=options.keep if options.limit is None else min(options.keep, options.limit),
            slice_seconds=slice_seconds,
            timeout=options.timeout,
        )
        for found in searching:
            yield [] if found is None else [_outcome(problem, found)]


def read(text: str) -> Problem:
    """The problem that a cover's text holds; ValueError, KeyError or TypeError if it is none."""
    told: dict[str, Any] = json.loads(text)
    return number(told["items"], told.get("secondary", 0), told["options"])


def _outcome(problem: Problem, found: dlx.Found) -> Outcome:
    return Outcome(
        kind="cover",
        size=problem.items,
        clues=None,
        solutions=found.found,
        complete=found.status == dlx.EXHAUSTED,
        timed_out=found.status == dlx.TIMED_OUT,
        kept=tuple(
            Solution(" ".join(str(option + 1) for option in chosen), None)
            for chosen, _ in found.kept
        ),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
    )
