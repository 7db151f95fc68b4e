"""The layout of an input: its format, and what of it varies between inputs."""

from dataclasses import asdict, dataclass
from math import isqrt
from typing import Any, Self

from worker.sudoku.symbols import SYMBOLS, VALUES

#: the formats that --from accepts, with their descriptions
FORMATS = {
    "lines": "one grid per line",
    "rows": "one row of a grid per line",
    "letters": "grids with the values A, B, C, ...",
    "hex": "grids beyond 9x9 with the values 0 to 9, A, B, ...",
    "spaced": "rows with spaces between the cells",
    "matrix": "an exact cover as a matrix of 0 and 1",
    "dlx": "an exact cover in Knuth's format, items on the first line",
    "jsonl": "JSON Lines, one object per line",
    "json": "lists of lists, texts or objects, as in JSON and Python",
    "opensudoku": "XML of the app OpenSudoku",
    "domination": "graphs, as in HDU 3498",
    "windows": "grids of 0 and 1 and the size of a window, as in FZU 1686",
    "radar": "cities and radars, as in HDU 2295",
    "airports": "cities, of which some get an airport, as in HDU 5046",
    "rectangles": "pieces that tile a rectangle, as in ZOJ 3209",
    "sparse": "an exact cover as lists of columns, as in HUST 1017",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of an input; stored with the batch, so that answers can be written in it."""

    format: str  #: a name in FORMATS
    kind: str  #: sudoku or cover
    size: int | None = None  #: side of its grids; None where they differ, and for covers
    alphabet: str | None = None  #: symbols of empty, 1, 2, ...; None: whole numbers, 0 is empty
    shape: str | None = None  #: of a grid: `lines` (one a line), `rows`, or `spaced` rows
    counted: bool = False  #: the first line is the number of puzzles
    ended: bool = False  #: the last line is `end`
    apart: bool = False  #: blank lines or rules separate the grids
    banded: bool = False  #: separators stand between bands or rows, so they do not end a grid
    ruled: bool = False  #: a line of dashes as wide as a grid is a rule, not an empty row

    def symbols(self, side: int) -> str:
        """Return the symbols of empty, 1, 2, ... in grids of this side."""
        if self.alphabet is None or (self.size is None and side < 10):
            return SYMBOLS[: side + 1]
        return self.alphabet

    @property
    def has_own_symbols(self) -> bool:
        """Whether a symbol of the input stands for another value in the database."""
        return self.alphabet is not None and not VALUES.startswith(self.alphabet[1:])

    def in_symbols(self, grid: str) -> str:
        """Return a stored grid in the symbols of the input; an empty cell stays `.`.

        >>> Layout("letters", "sudoku", 16, ".ABCDEFGHIJKLMNOP").in_symbols("1.G" * 85 + "9")[-4:]
        'A.PI'
        """
        values = self.symbols(isqrt(len(grid)))[1:]
        return grid.translate(str.maketrans(VALUES[: len(values)], values))

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, for the options of a batch."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the layout that `to_json` wrote; unknown keys are ignored."""
        return cls(**{name: values[name] for name in cls.__slots__ if name in values})
