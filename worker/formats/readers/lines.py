"""Reads inputs with one grid per line, with or without words around it.

The bytes of many lines are translated to the symbols of stored grids at once, so that a line which
is nothing but a grid is recognised by its length and by the absence of INVALID.  If all lines of a
block are such grids, the block is not even split; if all are lines of a table, it is split once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from storage.values import Kind
from worker.formats import variants
from worker.formats.entry import Block, Entry, blocks_of
from worker.formats.errors import MAX_LABEL, excerpt, quantity
from worker.formats.files.cleaning import without_markup
from worker.formats.files.text import TextBlock, decoded
from worker.formats.layout import (
    DOUBTFUL,
    EMPTY_SYMBOLS,
    INVALID,
    Layout,
    SymbolTable,
)
from worker.formats.names import PUZZLES
from worker.formats.readers import tables
from worker.formats.readers.columns import COLUMN_SEPARATORS, Columns
from worker.formats.readers.rows import AFTER_END, HEADING
from worker.formats.readers.solutions import NO_SOLUTION, with_solutions
from worker.formats.readers.words import WORD, GridAt, find_grids, is_prose, without, words_around
from worker.sudoku.symbols import EMPTY, SIDES

#: number of characters of the smallest grid
MIN_GRID = min(SIDES)
#: a word with at least this many symbols of cells is reported as a grid with cells missing
MIN_GRIDLIKE = 12
#: a word that may be a grid or a part of one
LONG_WORD = re.compile(rf"[\w+{re.escape(EMPTY_SYMBOLS)}]{{{MIN_GRIDLIKE},}}")
#: a word as an error quotes it, with whatever stands in place of a cell
FIELD = re.compile(r"[^\s,;:|\"']+")
#: a grid that a spreadsheet took for a number
ROUNDED = re.compile(r"\d(?:[.,]\d+)?E\+?\d{2,3}", re.IGNORECASE)
#: a grid of 4x4 cells that a spreadsheet took for a number, without the zeros at its beginning
CUT = re.compile("[1-4][0-4]{9,14}")
AS_TEXT = "format its column as text and save it again"
#: the line below the names of the columns in Markdown
MARKDOWN_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
#: the error for a solution in its column that is not one
NOT_FULL = "the solution is not a full grid of the puzzle's size; correct or remove it"


def read(source: Iterable[TextBlock], reader: "LineReader") -> Iterator[Block]:
    """Yield the puzzles of an input."""
    grids = tables.GridText(reader.tables[reader.cells], reader.cells)
    for block in source:
        if (table := reader.table(block, grids)) is not None:
            yield table
            continue
        clean, is_clear = grids.stored(block.data), grids.is_clear(block.data)
        if is_clear and reader.is_plain and grids.are_alone(clean, block.ends):
            places = range(block.first, block.first + block.ends)
            yield Block(Kind.SUDOKU, grids.cells, places, clean.decode("ascii"))
        else:
            if reader.columns is None and (plain := next(without_markup([block]))) is not block:
                block, clean = plain, grids.stored(plain.data)  # noqa: PLW2901
            text = clean.decode("ascii") if is_clear else "\n" * block.ends
            yield from blocks_of(_entries(block, text, grids.cells, reader))


def _entries(block: TextBlock, clean: str, cells: int, reader: "LineReader") -> Iterator[Entry]:
    """Yield the puzzles of a block line by line; `clean` is its translated text."""
    new = tuple.__new__
    lines = None
    for number, text in enumerate(clean.split("\n"), block.first):
        if len(text) == cells and INVALID not in text and reader.is_plain:
            yield new(Entry, (number, None, text, None, None, Kind.SUDOKU, False, None))
            continue
        lines = lines or block.data.split(b"\n")
        yield from reader.entries(number, decoded(lines[number - block.first]))


class LineReader:
    """Reads the lines of an input one by one."""

    def __init__(
        self, layout: Layout, sides: Sequence[int], columns: Columns | None, first: int
    ) -> None:
        self.tables = {side**2: SymbolTable(layout.symbols(side), side) for side in sides}
        self._ended = False  #: the line `end` was read, which closes the input
        self._heading = ""  #: the label that the last line gives to the next grid
        self.columns = columns
        self._counted = layout.counted
        self._first = first
        self._symbols = {chr(code) for table in self.tables.values() for code in table}
        self._side = sides[0]
        self.cells = cells = sides[0] ** 2  #: of most grids
        symbols = re.escape("".join(map(chr, self.tables[cells])))
        separator = rf"[^\w+{symbols}]"
        self._alone = re.compile(rf"(?:^|(?<={separator}))[{symbols}]{{{cells}}}(?={separator}|$)")
        self._gridlike = re.compile(rf"[{symbols}]{{{max(MIN_GRIDLIKE, min(self.tables) // 2)},}}")

    @property
    def is_plain(self) -> bool:
        """Whether a next line that is nothing but a grid is a puzzle without a label."""
        return not (self._ended or self._heading)

    def table(self, block: TextBlock, grids: tables.GridText) -> Block | None:
        """Return the puzzles of the lines of a table, or None if one of them needs `entries`."""
        if self.columns is None or not self.is_plain:
            return None
        return tables.read(block, self.columns, grids, self._gridlike)

    def entries(self, number: int, text: str) -> Sequence[Entry]:
        """Return the puzzles or the error of a line; nothing for a comment, header or rule.

        Raises FormatError if such a line says that the puzzles are no ordinary sudokus.
        """
        line = text.strip()
        if line.startswith("#"):
            variants.refuse(number, line)
            return ()
        if not line.strip("=") or (self.columns and MARKDOWN_RULE.fullmatch(line)):
            return ()
        if self._ended:
            return [Entry.wrong(number, line, AFTER_END)]
        if self._frames_the_puzzles(number, line):
            if self.columns is None:
                variants.refuse(number, line)
            return ()
        if self.columns is not None and self.columns.separator in text:
            return [self._of_columns(self.columns, number, text)]
        return self._read(number, line)

    def _read(self, number: int, line: str) -> Sequence[Entry]:
        if (only := self._only_grid(line)) is not None:
            return [self._entry(number, self._label(line, [only]), only.grid)]
        if found := find_grids(line, self._is_grid):
            return self._puzzles(number, line, found)
        return self._without_grid(number, line)

    def _frames_the_puzzles(self, number: int, line: str) -> bool:
        """Return whether a line is `end`, the header or the heading of a grid; note which."""
        if line == "end":
            self._ended = True
            return True
        if number == self._first and self._is_header(line):
            return True
        if self._is_heading(line):
            self._heading = excerpt(line, MAX_LABEL)
            return True
        return False

    def _puzzles(self, number: int, line: str, found: Sequence[GridAt]) -> list[Entry]:
        """Return the puzzles of a line, or an error if it has cells that belong to none of them."""
        cells = len(found[0].grid)
        label = self._label(line, found)
        puzzles = with_solutions(self._entry(number, label, one.grid) for one in found)
        if surplus := self._surplus(without(line, found), cells):
            return [Entry.wrong(number, line, surplus)]
        if len(puzzles) == 1:
            return puzzles
        if any(EMPTY not in puzzle.text for puzzle in puzzles):
            return [Entry.wrong(number, line, NO_SOLUTION)]
        before = f"{label}, grid" if label else "grid"
        return [one._replace(label=f"{before} {place}") for place, one in enumerate(puzzles, 1)]

    def _label(self, line: str, found: Sequence[GridAt]) -> str | None:
        words, heading = words_around(line, found), self._heading
        self._heading = ""
        return f"{heading}, {words}" if heading and words else heading or words or None

    def _entry(self, number: int, label: str | None, grid: str) -> Entry:
        stored = grid.translate(self.tables[len(grid)])
        return Entry(number, label, stored, None, None, Kind.SUDOKU)

    def _of_columns(self, columns: Columns, number: int, line: str) -> Entry:
        """Return the puzzle in its column, or an error even if another column has a grid."""
        fields = columns.fields(line)
        grid = columns.puzzle_of(fields)
        if (variant := columns.variant_of(fields)) is not None:
            return Entry.wrong(number, line, variant)
        if not self._is_grid(grid):
            name, why = excerpt(columns.names[columns.puzzle]), self._reason(fields[columns.puzzle])
            return Entry.wrong(number, line, f"column `{name}`: {why}")
        cells, solution = len(grid), columns.solution_of(fields)
        table = self.tables[cells]
        solved = solution.translate(table) if len(solution) == cells else EMPTY
        is_full = INVALID not in solved and EMPTY not in solved
        if not is_full and self._surplus(solution, cells):
            return Entry.wrong(number, line, NOT_FULL)
        others = "" if columns.is_chosen else columns.others_of(fields)
        if surplus := self._surplus(others, cells):
            return Entry.wrong(number, line, surplus)
        label, known = columns.label_of(fields), solved if is_full else None
        extra = columns.extra_of(fields, solved=is_full)
        return Entry(number, label, grid.translate(table), None, known, Kind.SUDOKU, extra=extra)

    def _surplus(self, rest: str, cells: int) -> str | None:
        """Return the error if the rest of a line has a word that could be another grid."""
        if len(rest) < MIN_GRIDLIKE:
            return None
        for word in WORD.finditer(rest):
            text = word.group()
            if len(text) == cells > MIN_GRID or self._gridlike.search(text):
                count = quantity(len(text), "character")
                quote = excerpt(text, MIN_GRIDLIKE)
                return f"`{quote}…` ({count}) could be another grid; correct or remove it"
        return None

    def _only_grid(self, line: str) -> GridAt | None:
        """Return the grid of a line, fast, if no other word is long enough to be part of one."""
        match = self._alone.search(line)
        if match is None:
            return None
        start, end = match.span()
        if self.tables[end - start].is_doubtful(match.group()):
            return None
        if LONG_WORD.search(line, 0, start) or LONG_WORD.search(line, end):
            return None
        return GridAt(match.group(), start, end)

    def _is_grid(self, text: str) -> bool:
        table = self.tables.get(len(text))
        return (
            table is not None
            and INVALID not in text.translate(table)
            and not table.is_doubtful(text)
        )

    def _is_heading(self, line: str) -> bool:
        """Return whether a line names the grid below it, as `Puzzle 1` does."""
        return (
            " " in line
            and HEADING.fullmatch(line) is not None
            and set(COLUMN_SEPARATORS).isdisjoint(line)
            and not self._gridlike.search(line)
        )

    def _is_header(self, line: str) -> bool:
        """Return whether the first line is the number of puzzles, or names columns."""
        if self.columns is not None or (self._counted and line.isdecimal()):
            return True
        if self._gridlike.search(line) or self._is_heading(line):
            return False
        return not PUZZLES.isdisjoint(word.lower() for word in WORD.findall(line))

    def _without_grid(self, number: int, line: str) -> Sequence[Entry]:
        """Return the error of a line without a grid; nothing for prose."""
        if is_prose(line, self._symbols, self._side) and not Columns.looks_like(line):
            variants.refuse(number, line)
            return ()
        why = self._reason(line)
        if number == self._first and Columns.looks_like(line):
            why += ", or call the column of the puzzles `puzzle`"
        return [Entry.wrong(number, line, why)]

    def _reason(self, line: str) -> str:
        """Return the reason why a line is not a grid, found in the word with the most cells."""
        expected = " or ".join(map(str, self.tables))
        symbols = self._symbols
        found = [(sum(map(symbols.__contains__, word)), word) for word in FIELD.findall(line)]
        cells, likely = max(found, key=itemgetter(0), default=(0, ""))
        if any(variants.is_region_map(word) for _, word in found):
            return "a map of regions; jigsaw sudokus are not solved"
        if any(map(ROUNDED.fullmatch, FIELD.findall(line))):
            return f"a spreadsheet has rounded this number; {AS_TEXT}"
        if cells < MIN_GRIDLIKE:
            return f"no grid of {expected} cells; put # before a comment"
        if len(likely) in self.tables and self.tables[len(likely)].is_doubtful(likely):
            return DOUBTFUL
        if cells < len(likely):
            at, other = next((at, c) for at, c in enumerate(likely) if c not in symbols)
            place = line.index(likely) + at + 1
            empty = ". or 0" if "0" in symbols else "."
            return f"`{excerpt(other)}` at character {place} is not a cell; empty cells are {empty}"
        lost = likely.isdecimal() and likely[0] != "0" and "0" in likely
        remedy = f"; if a spreadsheet has removed zeros before it, {AS_TEXT}" if lost else ""
        return f"{quantity(cells, 'cell')}, expected {expected}{remedy}"
