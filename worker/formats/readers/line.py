"""Reads a line that is more or less than a grid: with words around it, in columns, or invalid."""

import re
from operator import itemgetter

from storage.values import Kind
from worker.formats.entry import Entry
from worker.formats.excerpt import excerpt, quantity
from worker.formats.readers.columns import PUZZLES, Columns
from worker.formats.readers.find_grid import FIELD, LABEL_EDGES, WORD_SEPARATORS, Found, find_grid
from worker.formats.readers.reading import Reading
from worker.formats.symbols import INVALID, SymbolTable
from worker.sudoku.symbols import EMPTY, SIDES

#: number of characters of the smallest grid
MIN_GRID = min(SIDES)
#: a word with at least this many symbols of cells is reported as a grid with cells missing
MIN_GRIDLIKE = 12


class LineReader:
    """Reads the lines of an input one by one."""

    def __init__(self, reading: Reading, first: int) -> None:
        layout = reading.layout
        self.tables = {side**2: SymbolTable(layout.symbols(side), side) for side in reading.sides}
        self.ended = False  #: the line `end` was read, which closes the input
        self._columns = reading.columns
        self._counted = layout.counted
        self._first = first
        cells = reading.sides[0] ** 2
        symbols = re.escape("".join(map(chr, self.tables[cells])))
        separator = f"[\\s{WORD_SEPARATORS}]"
        self._alone = re.compile(rf"(?:^|(?<={separator}))[{symbols}]{{{cells}}}(?={separator}|$)")

    def entry(self, number: int, text: str) -> Entry | None:
        """Return the puzzle or error of a line; None for a comment, header, blank line or rule."""
        line = text.strip()
        if line == "end":
            self.ended = True
            return None
        if not line or line.startswith("#") or not line.strip("="):
            return None
        if self._columns is not None and self._columns.separator in text:
            return self._entry_of_columns(self._columns, number, text)
        found = self._find_with_few_words(line) or find_grid(line, self._is_grid)
        if found is not None:
            return self._puzzle(number, found.words, found.grid, found.solution)
        if number == self._first and self._is_header(line):
            return None
        error = self._error(line)
        if number == self._first and Columns.looks_like(line):
            error += ", or call the column of the puzzles `puzzle`"
        return Entry(number, None, excerpt(line), error)

    def _entry_of_columns(self, columns: Columns, number: int, line: str) -> Entry | None:
        """Return the puzzle in its column, or an error even if another column has a grid."""
        if number == self._first:
            return None
        fields = columns.fields(line)
        grid = columns.puzzle_of(fields)
        if not self._is_grid(grid):
            error = f"column `{columns.puzzle_name}`: {self._error(fields[columns.puzzle])}"
            return Entry(number, None, excerpt(line.strip()), error)
        return self._puzzle(number, columns.label_of(fields), grid, columns.solution_of(fields))

    def _puzzle(self, number: int, label: str | None, grid: str, solution: str | None) -> Entry:
        text = grid.translate(self.tables[len(grid)])
        solved = None if solution is None else self._finished_grid(solution, len(grid))
        return Entry(number, label, text, None, solved, Kind.SUDOKU)

    def _finished_grid(self, text: str, cells: int) -> str | None:
        """Return the grid if it has this number of cells and none is empty, else None."""
        if len(text) != cells:
            return None
        grid = text.translate(self.tables[cells])
        return None if INVALID in grid or EMPTY in grid else grid

    def _find_with_few_words(self, line: str) -> Found | None:
        """Return what `find_grid` returns, but faster.

        Returns None if a word is long enough to be a second grid.
        """
        match = self._alone.search(line)
        if match is None:
            return None
        start, end = match.span()
        if start >= MIN_GRID or len(line) - end >= MIN_GRID:
            return None
        words = line[:start].strip(LABEL_EDGES) or line[end:].strip(LABEL_EDGES)
        return Found(match.group(), excerpt(words) or None, None)

    def _is_grid(self, text: str) -> bool:
        return len(text) in self.tables and INVALID not in text.translate(self.tables[len(text)])

    def _is_header(self, line: str) -> bool:
        """Return whether the first line is the number of puzzles, or names columns."""
        if self._counted and line.isdecimal():
            return True
        return not PUZZLES.isdisjoint(field.lower() for field in FIELD.findall(line))

    def _error(self, line: str) -> str:
        """Return the reason why a line is not a grid, found in the word with the most cells."""
        expected = " or ".join(map(str, self.tables))
        symbols = {chr(code) for table in self.tables.values() for code in table}
        found = [(sum(map(symbols.__contains__, field)), field) for field in FIELD.findall(line)]
        cells, likely = max(found, key=itemgetter(0), default=(0, ""))
        if cells < MIN_GRIDLIKE:
            return f"no grid of {expected} cells; put # before a comment"
        if cells < len(likely):
            at, other = next((at, c) for at, c in enumerate(likely) if c not in symbols)
            place = line.index(likely) + at + 1
            return f"`{excerpt(other)}` at character {place} is not a cell; empty cells are . or 0"
        return f"{quantity(cells, 'cell')}, expected {expected}"
