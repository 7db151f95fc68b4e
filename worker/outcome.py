"""The results of a search: a row for each puzzle, or columns for many puzzles."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import inf
from typing import NamedTuple, Protocol

from storage.values import Candidate, Kind
from worker.exact_cover.parts.frontier import Frontier
from worker.options import Options


class Solution(NamedTuple):
    """A solution of a puzzle."""

    text: str  #: the symbols of a grid, or the option numbers of a cover, from 1 and ascending
    score: int | None  #: with `--target`, else None


class Outcome(NamedTuple):
    """The result of the search for one puzzle."""

    kind: str  #: sudoku, target or cover
    size: int | None  #: side of the grid, or number of items
    clues: int | None  #: number of given cells; None for a cover problem
    solutions: int | None  #: number found; None if pruning may have left out some
    complete: bool  #: the search space was exhausted, and no limit or timeout ended the search
    timed_out: bool
    kept: tuple[Solution, ...]  #: best first with `--target`, else in the order found
    bound: int | None  #: with `--target`: no solution scores more
    nodes: int  #: search nodes
    ns: int  #: CPU time of the solver, in nanoseconds
    detail: str | None = None  #: why the text is not a puzzle; or why something wanted is missing
    rest: "Rest | None" = None  #: if the search used up its budget: what is left of it
    option_counts: str | None = None  #: JSON: the solutions with each option, if wanted


class Known(NamedTuple):
    """The best solution that a search for the best score has found so far."""

    score: int
    path: tuple[int, ...]  #: the numbers of its options, in any order


class Rest(NamedTuple):
    """What is left of a search that used up its budget, and what its parts need."""

    frontier: Frontier
    setup: str  #: JSON: what all its parts share, apart from the puzzle and its options
    kept: tuple[Candidate, ...]  #: the solutions so far, as `Outcome.kept`, with their paths


class Turn(NamedTuple):
    """What one turn of a part brought."""

    found: int  #: solutions found; with pruning, those that were better than the best before
    nodes: int  #: search nodes
    ns: int  #: CPU time of the solver, in nanoseconds
    wall_ns: int  #: wall time, in nanoseconds
    kept: tuple[Candidate, ...]
    frontier: Frontier | None  #: what is left; None if the part has ended
    limited: bool = False  #: it ended because it found as many solutions as were asked for


class Incumbent(Protocol):
    """The best score so far in all parts of a search.

    A score that is too low, because it is old or was lost, is safe: it prunes less.
    """

    def best(self) -> int | None:
        """Return the score that a solution must exceed to be wanted; None if any is wanted."""

    def offer(self, score: int) -> None:
        """Tell the other parts that solutions must exceed this score to be wanted."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """An incumbent that no other part changes."""

    score: int | None

    def best(self) -> int | None:
        """Return the score."""
        return self.score

    def offer(self, score: int) -> None:
        """Do nothing."""


class Outcomes(NamedTuple):
    """The results of many puzzles, a column for each field of `Outcome`.

    The kernel returns columns and SQL takes columns; making an object of each puzzle in between
    would take a fifth of the time of solving an easy one.
    """

    kind: Sequence[str]
    size: Sequence[int | None]
    clues: Sequence[int | None]
    solutions: Sequence[int | None]
    complete: Sequence[bool]
    timed_out: Sequence[bool]
    texts: Sequence[tuple[str, ...]]  #: of the kept solutions
    scores: Sequence[tuple[int | None, ...]]  #: of the kept solutions; empty without a target
    bound: Sequence[int | None]
    nodes: Sequence[int]
    ns: Sequence[int]
    detail: Sequence[str | None]
    rest: "Sequence[Rest | None]"
    option_counts: Sequence[str | None]

    @staticmethod
    def of(rows: Iterable[Outcome]) -> "Outcomes":
        """Return the columns of these rows."""
        split = [(*row[:6], *_split(row.kept), *row[7:]) for row in rows]
        return Outcomes._make(zip(*split, strict=True) if split else ((),) * len(Outcomes._fields))

    def rows(self) -> Iterator[Outcome]:
        """Yield the row of each puzzle."""
        for row in zip(*self, strict=True):
            texts, scores = row[6:8]
            kept = map(Solution, texts, scores or repeat(None))
            yield Outcome._make((*row[:6], tuple(kept), *row[8:]))


def malformed(kind: str, why: str) -> Outcome:
    """Return the outcome of a text that is not a puzzle."""
    return Outcome(kind, None, None, None, False, False, (), None, 0, 0, why)


def count_unless_pruned(kept: int, keep: int) -> int | None:
    """Return the number of solutions, given how many are kept, or None if it is unknown.

    Once `keep` solutions are kept, the search prunes worse ones without counting them.
    """
    return kept if kept < keep else None


def proven_bound(bound: int, complete: bool, scores: Sequence[int | None]) -> int | None:
    """Return the lowest score that provably no solution exceeds; None if there is no solution.

    `scores` are those of the kept solutions, best first; no other solution exceeds `bound`.
    """
    best = scores[0] if scores else None
    if complete or best is None:
        return best if complete else bound
    return max(best, bound)


def _split(kept: Iterable[Solution]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    return tuple(one.text for one in kept), tuple(one.score for one in kept)


class Search(Protocol):
    """Solves texts of one kind and yields their outcomes in order, in slices of about 0.25 s."""

    def __call__(
        self, kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        """Yield outcomes; a search that lasts longer than `budget` seconds has a `rest`."""


#: `worker.solve.search_part`, or what takes its place in tests
SearchPart = Callable[
    [Kind, str, Options, str, str, float, Incumbent, float, Known | None],
    Generator[Turn | None, bool | None],
]
