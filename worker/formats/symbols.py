"""The symbols of cells in input files, and their translation to those of stored grids."""

from collections.abc import Collection

from worker.sudoku.symbols import EMPTY, SIDES, VALUES

#: symbols that can stand for an empty cell, unless the file's alphabet has them as values
EMPTY_SYMBOLS = ".0*_-xX?·"
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
