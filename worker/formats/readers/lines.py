"""Reads inputs with one grid per line, with or without words around it.

The bytes of many lines are translated to the symbols of stored grids at once, so that a line which
is nothing but a grid is recognised by its length and by the absence of INVALID.  If all lines of a
block are such grids, the block is not even split.
"""

from collections.abc import Iterable, Iterator

from storage.values import Kind
from worker.formats.block import Block, blocks_of
from worker.formats.entry import Entry
from worker.formats.files.markup import without_markup
from worker.formats.files.text import TextBlock, decoded
from worker.formats.readers.line import LineReader
from worker.formats.readers.reading import Reading
from worker.formats.symbols import INVALID, NEVER_VALUES, SymbolTable
from worker.sudoku.symbols import EMPTY

#: the symbols of empty cells other than `0`, as bytes
_OTHERS = [symbol.encode() for symbol in NEVER_VALUES]


def read(source: Iterable[TextBlock], reading: Reading, first: int, name: str) -> Iterator[Block]:
    """Yield the puzzles of an input; its line `first` may be a header."""
    reader = LineReader(reading, first, name)
    cells = reading.sides[0] ** 2
    table = _byte_table(reader.tables[cells])
    has_zeros = reader.tables[cells][ord("0")] == EMPTY
    for block in source:
        clean = block.data.translate(table)
        is_clear = not (has_zeros and _has_two_empty_symbols(block.data))
        if is_clear and reader.is_plain and (size := _grids_alone(clean, cells)):
            places = range(block.first, block.first + size)
            yield Block(Kind.SUDOKU, cells, places, clean.decode("ascii"))
        else:
            if reading.columns is None and (plain := next(without_markup([block]))) is not block:
                block, clean = plain, plain.data.translate(table)  # noqa: PLW2901
            grids = clean.decode("ascii") if is_clear else "\n" * clean.count(b"\n")
            yield from blocks_of(_entries(block, grids, cells, reader))


def _entries(block: TextBlock, clean: str, cells: int, reader: LineReader) -> Iterator[Entry]:
    """Yield the puzzles of a block line by line; `clean` is its translated text."""
    new = tuple.__new__
    lines = None
    for number, text in enumerate(clean.split("\n"), block.first):
        if len(text) == cells and INVALID not in text and reader.is_plain:
            yield new(Entry, (number, None, text, None, None, Kind.SUDOKU, False))
            continue
        lines = lines or block.data.split(b"\n")
        yield from reader.entries(number, decoded(lines[number - block.first]))


def _has_two_empty_symbols(data: bytes) -> bool:
    """Return whether `0` and another symbol of empty cells occur, so that `0` may be a value."""
    return b"0" in data and any(symbol in data for symbol in _OTHERS)


def _grids_alone(clean: bytes, cells: int) -> int:
    """Return the number of lines if each is a grid of `cells` cells and nothing else, otherwise 0.

    >>> [_grids_alone(text, 4) for text in (b"1234\\n1234\\n", b"123!\\n", b"123\\n41234\\n")]
    [2, 0, 0]
    """
    size, rest = divmod(len(clean), cells + 1)
    ended = clean[cells :: cells + 1] == b"\n" * size and clean.count(b"\n") == size
    return size if ended and not rest and INVALID.encode() not in clean else 0


def _byte_table(symbols: SymbolTable) -> bytes:
    """Return the symbol table for `bytes.translate`, with line ends unchanged."""
    codes = {code: ord(symbol) for code, symbol in symbols.items()}
    codes[ord("\n")] = ord("\n")
    return bytes(codes.get(code, ord(INVALID)) for code in range(256))
