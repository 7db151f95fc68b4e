"""The layout of an input: its format, its symbols, and what of it varies between inputs."""

from collections.abc import Collection
from dataclasses import dataclass
from math import isqrt
from typing import Any, Self

from worker.sudoku.symbols import EMPTY, SIDES, SYMBOLS, VALUES

#: symbols that can stand for an empty cell, unless the file's alphabet has them as values
EMPTY_SYMBOLS = ".0*_-xX?·"
#: symbols that can be cells of ordinary grids, or numbers
CELL_SYMBOLS = frozenset("0123456789" + EMPTY_SYMBOLS)
#: symbols of the values 1 to 25 in files of --from letters
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
#: symbols of the values 1 to 25 in files of --from hex, where `0` is a value
HEX_DIGITS = "0123456789ABCDEFGHIJKLMNO"
#: replaces each symbol that is not in the file's alphabet
INVALID = "!"
#: the numbers of cells that a grid can have, for messages
EXPECTED_CELLS = f"81 (or {', '.join(str(cells) for cells in SIDES if cells != 81)})"
#: symbols that are empty cells wherever they occur; `0` may be a value instead
NEVER_VALUES = EMPTY_SYMBOLS.replace("0", "")
#: why a grid is rejected that is `is_doubtful`
DOUBTFUL = "0 can be a value here; write . for every empty cell"
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
    "scp": "set covering by rows, as in the OR-Library",
    "rail": "set covering by columns, as in the OR-Library",
    "spp": "set partitioning by columns, as in the OR-Library",
    "pace": "hitting sets and dominating sets, as in PACE 2025",
    "ec": "an exact cover whose first line is `p ec` and the number of items",
    "mps": "MPS whose rows are set rows",
}


def is_doubtful(cells: Collection[str]) -> bool:
    """Return whether `0` can be a value of a grid, since another symbol stands for empty cells.

    >>> is_doubtful("0.45"), is_doubtful("0045")
    (True, False)
    """
    return "0" in cells and not set(cells).isdisjoint(NEVER_VALUES)


class SymbolTable(dict[int, str]):
    """A `str.translate` table from the symbols of a file to those of stored grids.

    `alphabet` is the file's symbols of an empty cell, 1, 2, ...; letters of either case and all
    EMPTY_SYMBOLS are accepted.  Every other character is translated to INVALID; so is `0` beyond
    9x9 if the file has another symbol for empty cells, since it may be a value of another alphabet.

    >>> "A-c".translate(SymbolTable(".ABCD", 4)), "1.5".translate(SymbolTable(".1234", 4))
    ('1.3', '1.!')
    >>> "10.A".translate(SymbolTable(".123456789A", 10))
    '1!.A'
    """

    def __init__(self, alphabet: str, side: int) -> None:
        empty = EMPTY_SYMBOLS if side < 10 else EMPTY_SYMBOLS.replace("0", alphabet[0])
        super().__init__({ord(symbol): "." for symbol in empty + alphabet[0]})
        for symbol, value in zip(alphabet[1 : side + 1], VALUES, strict=False):
            self[ord(symbol.upper())] = self[ord(symbol.lower())] = value

    def is_doubtful(self, cells: Collection[str]) -> bool:
        """Return whether `0` is an empty cell of this file, but can be a value of this grid."""
        return self[ord("0")] == EMPTY and is_doubtful(cells)

    def __missing__(self, _: int) -> str:
        return INVALID


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of an input; stored with the batch, so that answers can be written in it."""

    format: str  #: a name in FORMATS
    kind: str  #: sudoku or cover
    size: int | None = None  #: side of its grids; None where they differ, and for covers
    alphabet: str | None = None  #: symbols of empty, 1, 2, ...; None: whole numbers, 0 is empty
    shape: str | None = None  #: of a grid: `lines` (one a line), `rows`, or `spaced` rows
    counted: bool = False  #: the first line is the number of puzzles
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

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the layout that `asdict` gave; unknown keys are ignored."""
        return cls(**{name: values[name] for name in cls.__slots__ if name in values})
