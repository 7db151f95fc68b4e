"""Search trees whose parts are lists of leaves, with the answers of undivided searches."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storage.values import Candidate, Gain, PartRow

TIMEOUT_SECONDS = 20.0
#: what each solution counts for, so that most numbers exceed 64 bits
FACTOR = 2**62


@dataclass(frozen=True)
class Tree:
    """A search tree of depth 1: a score for each leaf that is a solution, else None.

    A part is a list of leaves.  Without `scored` the scores do not count.
    """

    leaves: tuple[int | None, ...]
    scored: bool
    keep: int
    limit: int | None

    @property
    def options(self) -> dict[str, Any]:
        return {
            "target": self.scored,
            "keep": self.keep,
            "limit": self.limit,
            "timeout": TIMEOUT_SECONDS,
        }

    def rows(self, groups: Sequence[Sequence[int]]) -> list[PartRow]:
        """Return the parts with these leaves."""
        return [(json.dumps(list(leaves)), *self._of(leaves), ()) for leaves in groups if leaves]

    def _of(self, leaves: Sequence[int]) -> tuple[float, int | None]:
        bounds = [(self.leaves[leaf] or 0) + 1 for leaf in leaves]
        return len(leaves) / len(self.leaves), max(bounds) if self.scored else None

    def visit(self, leaves: Sequence[int], best: int | None = None) -> Gain:
        """Return what visiting some leaves finds; solutions that score `best` or less do not count.

        Each solution counts for FACTOR without scores.
        """
        found = self._candidates(leaves)
        if self.scored:
            found = [one for one in found if best is None or (one[0] or 0) > best]
        factor = FACTOR if self.limit is None else 1
        return Gain(len(found) * factor, len(leaves), 10 * len(leaves), found)

    def _candidates(self, leaves: Sequence[int]) -> list[Candidate]:
        scores = [(leaf, self.leaves[leaf]) for leaf in leaves]
        return [
            Candidate(score if self.scored else None, (leaf, 7), f"leaf {leaf}")
            for leaf, score in scores
            if score is not None
        ]

    def best(self) -> list[Candidate]:
        """Return the solutions that an undivided search keeps."""
        ordered = sorted(
            self._candidates(range(len(self.leaves))), key=lambda one: (-(one[0] or 0), one[1])
        )
        return ordered[: self.keep]

    @property
    def solutions(self) -> int | None:
        number = sum(leaf is not None for leaf in self.leaves)
        if self.scored:
            return number if number < self.keep else None
        return number * FACTOR if self.limit is None else min(number, self.limit)
