"""Bullseye's solver as the workers call it: texts in, outcomes out."""

from collections.abc import Sequence

from worker.puzzles.options import Options
from worker.puzzles.outcome import Outcome
from worker.puzzles.search import search

#: seconds; longer than any of these problems takes
EVER = 1e4


def outcomes(puzzles: Sequence[str], options: Options) -> list[Outcome]:
    """All at once, without a pause."""
    return [outcome for some in search(puzzles, options, EVER) for outcome in some]


def solutions(puzzles: Sequence[str], limit: int | None) -> int:
    """How many solutions they have together."""
    return sum(
        outcome.solutions or 0 for outcome in outcomes(puzzles, Options(limit, timeout=EVER))
    )


def nodes(puzzles: Sequence[str], limit: int | None) -> float:
    """Options tried, a puzzle."""
    tried = [outcome.nodes for outcome in outcomes(puzzles, Options(limit, timeout=EVER))]
    return sum(tried) / len(tried)
