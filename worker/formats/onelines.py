"""Reads inputs with one grid a line, with or without words around it.

Bytes are translated to our symbols for many lines at once, so a line that holds a grid and nothing
else needs only a look at its length and at INVALID.  Where all lines are such grids, they are not
even split.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from storage.values import Kind
from worker.formats.block import Block, blocks_of
from worker.formats.entry import Entry
from worker.formats.excerpt import MAX_LABEL, excerpt
from worker.formats.files.text import Block as RawBlock
from worker.formats.files.text import decoded
from worker.formats.layout import Reading
from worker.formats.readers.columns import PUZZLES, Columns
from worker.formats.symbols import EMPTY_SYMBOLS, INVALID, SymbolTable
from worker.sudoku.symbols import SIDES

#: what stands between a grid and the words around it
BETWEEN = " \t,;:|\"'"
FIELD = re.compile(rf"[^\s{BETWEEN}]+")
EMPTIES = frozenset(EMPTY_SYMBOLS)
#: fewer cells than this in a row are words, not a grid with cells missing
GRIDLIKE = 12
#: what is no part of a label at its ends
WORDLESS = BETWEEN + "#"
#: fewer characters than this hold no grid
FEW = min(SIDES)


def read(source: Iterable[RawBlock], reading: Reading, first: int) -> Iterator[Block]:
    """Yield the puzzles of an input; its line `first` may be a header."""
    reader = _Reader(reading, first)
    cells = reading.sides[0] ** 2
    table = _byte_table(reader.tables[cells])
    for block in source:
        clean = block.data.translate(table)
        if size := _grids_alone(clean, cells):
            places = range(block.first, block.first + size)
            yield Block(Kind.SUDOKU, cells, places, clean.decode("ascii"))
        else:
            yield from blocks_of(_entries(block, clean.decode("ascii"), cells, reader))
            if reader.ended:
                return


def _entries(block: RawBlock, clean: str, cells: int, reader: "_Reader") -> Iterator[Entry]:
    """Yield the puzzles of a block line by line; `clean` holds the same lines in our symbols."""
    new = tuple.__new__
    lines = None
    for number, text in enumerate(clean.split("\n"), block.first):
        if len(text) == cells and INVALID not in text:
            yield new(Entry, (number, None, text, None, None, Kind.SUDOKU, False))
            continue
        lines = lines or block.data.split(b"\n")
        entry = reader.entry(number, decoded(lines[number - block.first]))
        if reader.ended:
            return
        if entry is not None:
            yield entry


def _grids_alone(clean: bytes, cells: int) -> int:
    """Return the number of lines if each is a grid of `cells` cells and nothing else; or 0.

    >>> [_grids_alone(text, 4) for text in (b"1234\\n1234\\n", b"123?\\n", b"123\\n41234\\n")]
    [2, 0, 0]
    """
    size, rest = divmod(len(clean), cells + 1)
    ended = clean[cells :: cells + 1] == b"\n" * size and clean.count(b"\n") == size
    return size if ended and not rest and INVALID.encode() not in clean else 0


class Found(NamedTuple):
    """What was found on a line, as it is written there."""

    grid: str
    words: str | None  #: around it
    solution: str | None  #: another grid of its size, perhaps its solution


def find_grid(line: str, fits: Callable[[str], bool]) -> Found | None:
    """The grid on a line and what stands around it; None without a grid.

    >>> find_grid("easy-1, 1..4..2..3..4..1  7.2", lambda text: len(text) == 16)
    Found(grid='1..4..2..3..4..1', words='easy-1', solution=None)
    """
    found = []
    for field in FIELD.finditer(line):
        text = field.group().replace("+", "")  # HoDoKu marks so what the player placed
        if len(text) in SIDES and fits(text):
            found.append((text, field.start(), field.end()))
    if not found:
        return _spread_grid(line, fits)
    taken = next((f for f in found if not EMPTIES.isdisjoint(f[0])), found[0])
    grid, start, end = taken
    words = [_words(line[:start]), _words(line[end:])]
    others = (f[0] for f in found if f is not taken and len(f[0]) == len(grid))
    return Found(grid, next((word for word in words if word), None), next(others, None))


def _spread_grid(line: str, fits: Callable[[str], bool]) -> Found | None:
    """A whole grid on one line with its cells apart: `9 8 7 0 0 2 ...`."""
    text = "".join(line.replace(",", " ").split())
    if len(text) not in SIDES or len(text) == 16 or len(line) < 2 * len(text) - 1:
        return None  # sixteen cells apart are a row of a larger grid
    return Found(text, None, None) if fits(text) else None


def _words(text: str) -> str:
    """What is a name and not another grid, such as the known solution."""
    kept = FIELD.sub(lambda f: "" if len(f.group()) in SIDES else f.group(), text)
    return excerpt(kept.strip(WORDLESS))[:MAX_LABEL]


class _Reader:
    """The slow way: words, comments, and what is wrong."""

    def __init__(self, reading: Reading, first: int) -> None:
        layout, self.sides, self.columns = reading.layout, reading.sides, reading.columns
        self.tables = {side * side: SymbolTable(layout.symbols(side), side) for side in self.sides}
        self.counted = layout.counted
        self.first = first
        self.ended = False  #: the line `end` was read, which closes the input
        commonest = self.sides[0] ** 2
        cells = "".join(map(chr, self.tables[commonest]))
        apart = f"[\\s{BETWEEN}]"
        self.alone = re.compile(
            rf"(?:^|(?<={apart}))[{re.escape(cells)}]{{{commonest}}}(?={apart}|$)"
        )

    def entry(self, number: int, text: str) -> Entry | None:
        line = text.strip()
        if line == "end":
            self.ended = True
            return None
        if not line or line.startswith("#") or not line.strip("="):
            return None
        if self.columns is not None and self.columns.between in text:
            return self._of_columns(self.columns, number, text)
        found = self._with_few_words(line) or find_grid(line, self._fits)
        if found is None:
            counts = self.counted and line.isdecimal()
            if number == self.first and (counts or is_header(line)):
                return None
            fault = self._fault(line)
            if number == self.first and Columns.looks_like(line):
                fault += ", or call the column of the puzzles `puzzle`"
            return Entry(number, None, excerpt(line), fault)
        grid, label, solution = found
        return self._puzzle(number, label, grid, self._solution(solution, len(grid)))

    def _of_columns(self, columns: Columns, number: int, line: str) -> Entry | None:
        """Of a line with columns: nothing but the puzzle's is taken for the puzzle."""
        if number == self.first:
            return None
        fields = columns.fields(line)
        grid = columns.puzzle_of(fields)
        if not self._fits(grid):
            fault = self._fault(fields[columns.puzzle])
            return Entry(number, None, excerpt(line.strip()), f"{columns.told}: {fault}")
        solution = self._solution(columns.solution_of(fields), len(grid))
        return self._puzzle(number, columns.label_of(fields), grid, solution)

    def _puzzle(self, number: int, label: str | None, grid: str, solution: str | None) -> Entry:
        text = grid.translate(self.tables[len(grid)])
        return Entry(number, label, text, None, solution, Kind.SUDOKU)

    def _solution(self, text: str | None, cells: int) -> str | None:
        """A whole grid of so many cells, in our symbols."""
        if text is None or len(text) != cells:
            return None
        solution = text.translate(self.tables[cells])
        return None if INVALID in solution or "." in solution else solution

    def _with_few_words(self, line: str) -> Found | None:
        """What `find_grid` finds, sooner, where the words are too short for a second grid."""
        match = self.alone.search(line)
        if match is None:
            return None
        start, end = match.span()
        if start >= FEW or len(line) - end >= FEW:
            return None
        words = line[:start].strip(WORDLESS) or line[end:].strip(WORDLESS)
        return Found(match.group(), excerpt(words) or None, None)

    def _fits(self, text: str) -> bool:
        return len(text) in self.tables and INVALID not in text.translate(self.tables[len(text)])

    def _fault(self, line: str) -> str:
        expected = " or ".join(str(side * side) for side in self.sides)
        symbols = "".join(chr(c) for t in self.tables.values() for c in t)
        likely = max(FIELD.findall(line), key=lambda f: sum(c in symbols for c in f), default="")
        cells = sum(c in symbols for c in likely)
        if cells < GRIDLIKE:
            return f"no grid of {expected} cells here; put # before a comment"
        if cells < len(likely):
            at, wrong = next((i, c) for i, c in enumerate(likely) if c not in symbols)
            place = line.index(likely) + at + 1
            return f"`{excerpt(wrong)}` at character {place} is no cell; empty cells are . or 0"
        return f"{cells} cells, expected {expected}"


def is_header(line: str) -> bool:
    """Whether a line names the columns of a CSV file."""
    return not PUZZLES.isdisjoint(field.lower() for field in FIELD.findall(line))


def _byte_table(cells: SymbolTable) -> bytes:
    symbols = {code: ord(symbol) for code, symbol in cells.items()}
    symbols[ord("\n")] = ord("\n")
    return bytes(symbols.get(code, ord(INVALID)) for code in range(256))
