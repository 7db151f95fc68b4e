"""Bullseye's solver as the workers call it: texts in, columns out."""

from collections.abc import Sequence

from tests.worker.solving import kind_of
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

#: seconds; longer than any of these problems takes
EVER = 1e4


def outcomes(puzzles: Sequence[str], options: Options) -> list[Outcome]:
    """All at once, without a pause."""
    return [
        outcome
        for some in search(kind_of(puzzles[0]), puzzles, options, EVER)
        for outcome in some.rows()
    ]


def solutions(puzzles: Sequence[str], limit: int | None) -> int:
    """How many solutions they have together."""
    found = search(kind_of(puzzles[0]), puzzles, Options(limit, timeout=EVER), EVER)
    return sum(count or 0 for some in found for count in some.solutions)


def nodes(puzzles: Sequence[str], limit: int | None) -> float:
    """Options tried, a puzzle."""
    tried = [outcome.nodes for outcome in outcomes(puzzles, Options(limit, timeout=EVER))]
    return sum(tried) / len(tried)
