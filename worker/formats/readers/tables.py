"""Reads many lines at once: those that are nothing but grids, and those of a table.

What is read here is what LineReader would read line by line, which remains for all other lines.
"""

import re
from collections.abc import Sequence

from storage.values import Kind
from worker.formats import extras
from worker.formats.entry import Block
from worker.formats.errors import label
from worker.formats.files.text import TextBlock
from worker.formats.layout import INVALID, NEVER_VALUES, SymbolTable
from worker.formats.readers.columns import Columns
from worker.formats.readers.words import WORD
from worker.sudoku.symbols import EMPTY

#: the symbols of empty cells other than `0`, as bytes
_OTHERS = [symbol.encode() for symbol in NEVER_VALUES]


class GridText:
    """The grids of one size in the symbols of a file, as lines of bytes."""

    def __init__(self, symbols: SymbolTable, cells: int) -> None:
        codes = {code: ord(symbol) for code, symbol in symbols.items()} | {ord("\n"): ord("\n")}
        self.cells = cells
        self._table = bytes(codes.get(code, ord(INVALID)) for code in range(256))
        self._has_zeros = symbols[ord("0")] == EMPTY

    def stored(self, data: bytes) -> bytes:
        """Return lines in the symbols of stored grids; what is none becomes INVALID."""
        return data.translate(self._table)

    def is_clear(self, data: bytes) -> bool:
        """Return whether `0` can be no value: it does not occur beside another empty cell."""
        if not self._has_zeros or b"0" not in data:
            return True
        return not any(symbol in data for symbol in _OTHERS)

    def are_alone(self, stored: bytes, ends: int) -> bool:
        """Return whether each of `ends` ended lines is a grid and nothing else."""
        size, rest = divmod(len(stored), self.cells + 1)
        ended = stored[self.cells :: self.cells + 1] == b"\n" * size and ends == size > 0
        return ended and not rest and INVALID.encode() not in stored


def read(
    block: TextBlock, columns: Columns, grids: GridText, gridlike: re.Pattern[str]
) -> Block | None:
    """Return the puzzles of a block in which every line is one; None if any needs a closer look.

    `gridlike` finds what could be another grid in a field.
    """
    if columns.variants or b'"' in block.data or b"#" in block.data:
        return None
    try:
        fields = _fields(block.data.decode(), columns)
    except (UnicodeDecodeError, ValueError):  # of zip: lines with more or fewer fields
        return None
    if len(fields) != len(columns.names) or not _are_words(fields, columns, grids.cells, gridlike):
        return None
    text, solutions = _grids(fields[columns.puzzle], grids), None
    if text is None:
        return None
    if columns.solution is not None:
        solved = _grids(fields[columns.solution], grids)
        if solved is None or EMPTY in solved:
            return None
        solutions = solved.split("\n")[:-1]
    return Block(
        Kind.SUDOKU,
        grids.cells,
        range(block.first, block.first + len(fields[0])),
        text,
        labels=_labels(fields, columns),
        solutions=solutions,
        extras=_extras(fields, columns),
    )


def _fields(text: str, columns: Columns) -> Sequence[Sequence[str]]:
    """Return the fields of each column."""
    lines = text.removesuffix("\n").split("\n")
    return list(zip(*(line.split(columns.separator) for line in lines), strict=True))


def _are_words(
    fields: Sequence[Sequence[str]], columns: Columns, cells: int, gridlike: re.Pattern[str]
) -> bool:
    """Return whether the fields beside the grids can be no grids."""
    if columns.is_chosen:
        return True
    others = [at for at in range(len(fields)) if at not in {columns.puzzle, columns.solution}]
    text = "\n".join("\n".join(fields[at]) for at in others)
    one = WORD.pattern.removesuffix("+")
    as_long = re.compile(rf"(?<!{one}){one}{{{cells}}}(?!{one})")
    return not (gridlike.search(text) or as_long.search(text))


def _grids(column: Sequence[str], grids: GridText) -> str | None:
    """Return the grids of a column as they are stored, or None if one is none."""
    data = "\n".join([*column, ""]).encode()
    stored = grids.stored(data)
    if grids.is_clear(data) and grids.are_alone(stored, len(column)):
        return stored.decode("ascii")
    return None


def _labels(fields: Sequence[Sequence[str]], columns: Columns) -> list[str | None] | None:
    if not columns.label:
        return None
    words = [map(str.strip, fields[at]) for at in columns.label]
    if len(words) == 1:
        return list(map(label, words[0]))
    return [label(",".join(filter(None, row))) for row in zip(*words, strict=True)]


def _extras(fields: Sequence[Sequence[str]], columns: Columns) -> list[str | None] | None:
    if not columns.extra:
        return None
    words = (list(map(str.strip, fields[at])) for at in columns.extra)
    return extras.of_columns(columns.keys, words)
