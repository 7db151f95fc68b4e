"""What a search says of puzzles: a row of each for who looks at one, columns for a million."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from worker.options import Options


class Solution(NamedTuple):
    """A grid as `1-9A-P`, or the numbers of a cover's options from 1, ascending."""

    text: str
    score: int | None  #: with `--target`


class Outcome(NamedTuple):
    """What is known of one puzzle when its search ends."""

    kind: str  #: sudoku, target or cover
    size: int | None  #: side of the grid, or items of the cover problem
    clues: int | None  #: given cells
    solutions: int | None  #: found; None where some may have been pruned unseen
    complete: bool  #: the search space was exhausted, not stopped by limit or time
    timed_out: bool
    kept: tuple[Solution, ...]  #: best first with `--target`, else in the order found
    bound: int | None  #: with `--target`: no solution scores more
    nodes: int
    ns: int  #: the solver's time
    detail: str | None = None  #: why the text is no puzzle at all


class Outcomes(NamedTuple):
    """Outcomes by columns: numpy gives them so, and SQL takes them.

    To make an object of each would take a fifth of the time that an easy puzzle takes.
    """

    kind: Sequence[str]
    size: Sequence[int | None]
    clues: Sequence[int | None]
    solutions: Sequence[int | None]
    complete: Sequence[bool]
    timed_out: Sequence[bool]
    texts: Sequence[tuple[str, ...]]  #: of the kept solutions
    scores: Sequence[tuple[int | None, ...]]  #: theirs; none at all where nothing is scored
    bound: Sequence[int | None]
    nodes: Sequence[int]
    ns: Sequence[int]
    detail: Sequence[str | None]

    @staticmethod
    def of(rows: Iterable[Outcome]) -> "Outcomes":
        """The columns of these."""
        split = [
            (*row[:6], *_split(row.kept), row.bound, row.nodes, row.ns, row.detail) for row in rows
        ]
        return Outcomes._make(zip(*split, strict=True) if split else ((),) * len(Outcomes._fields))

    def rows(self) -> Iterator[Outcome]:
        """One after the other."""
        for *before, texts, scores, bound, nodes, ns, detail in zip(*self, strict=True):
            kept = map(Solution, texts, scores or repeat(None))
            yield Outcome._make((*before, tuple(kept), bound, nodes, ns, detail))


def malformed(kind: str, why: str) -> Outcome:
    """The outcome of a text that is no puzzle."""
    return Outcome(kind, None, None, None, False, False, (), None, 0, 0, why)


def seen(scores: Sequence[object], options: Options) -> int | None:
    """How many solutions there are; unknown when some may have been pruned unseen."""
    return len(scores) if len(scores) < options.keep else None


def least_bound(bound: int, complete: bool, scores: Sequence[int | None]) -> int | None:
    """The most that any solution scores: the best score where all were searched."""
    best = scores[0] if scores else None
    if complete or best is None:
        return best if complete else bound
    return max(best, bound)


def _split(kept: Iterable[Solution]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    return tuple(one.text for one in kept), tuple(one.score for one in kept)
