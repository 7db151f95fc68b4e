"""What a search says of one puzzle."""

from typing import NamedTuple


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


def malformed(kind: str, why: str) -> Outcome:
    """The outcome of a text that is no puzzle."""
    return Outcome(kind, None, None, None, False, False, (), None, 0, 0, why)
