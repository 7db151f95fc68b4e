"""One puzzle as it is read from an input."""

from typing import NamedTuple

from storage.values import Kind


class Entry(NamedTuple):
    """A puzzle of an input, or a place where a puzzle was expected but not found."""

    line: int  #: the first line that it occupies, from 1
    label: str | None  #: its name in the input
    text: str  #: a grid as `.1-9A-P`, or a cover problem as JSON; of an error the line, shortened
    error: str | None = None  #: why this is not a puzzle, and what would be accepted
    solution: str | None = None  #: its solution in the input, in the symbols of `text`
    kind: Kind | None = None  #: None if and only if there is an `error`
    costs: bool = False  #: it is a cover problem whose options have costs

    @property
    def cells(self) -> int | None:
        """The number of cells of a grid; None for anything else."""
        return len(self.text) if self.kind is Kind.SUDOKU else None
