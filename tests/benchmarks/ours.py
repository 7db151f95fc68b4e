"""Bullseye's solver, called as the workers call it."""

from collections.abc import Sequence

from tests.worker.solving import kind_of
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

#: time limit in seconds that no benchmark reaches
NO_LIMIT = 1e4


def outcomes(puzzles: Sequence[str], options: Options) -> list[Outcome]:
    """Solve all puzzles in one call; return their outcomes in order."""
    return [
        outcome
        for some in search(kind_of(puzzles[0]), puzzles, options, NO_LIMIT)
        for outcome in some.rows()
    ]


def solutions(puzzles: Sequence[str], limit: int | None) -> int:
    """Return the total number of solutions, visiting at most `limit` per puzzle."""
    options = Options(limit, keep=2, timeout=NO_LIMIT)  # with one kept, covers would be counted
    found = search(kind_of(puzzles[0]), puzzles, options, NO_LIMIT)
    return sum(count or 0 for some in found for count in some.solutions)


def nodes(puzzles: Sequence[str], limit: int | None) -> float:
    """Return the mean number of search nodes per puzzle."""
    tried = [outcome.nodes for outcome in outcomes(puzzles, Options(limit, timeout=NO_LIMIT))]
    return sum(tried) / len(tried)
