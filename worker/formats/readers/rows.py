"""Reads grids of several lines: rows of n characters, or of n cells with spaces between them.

Blank lines, headings such as `Grid 01` and rules such as `====` separate the grids; where there are
none, every n rows are a grid.
"""

import re
from collections.abc import Iterable, Iterator

from storage.values import Kind
from worker.formats import variants
from worker.formats.entry import Entry
from worker.formats.errors import FormatError, excerpt, quantity
from worker.formats.files.text import Line
from worker.formats.layout import DOUBTFUL, EMPTY_SYMBOLS, INVALID, Layout, SymbolTable, is_doubtful
from worker.formats.readers.words import is_prose
from worker.sudoku.symbols import EMPTY, SIDES, SYMBOLS

#: a line above a grid that names it
HEADING = re.compile(r"(grid|puzzle|sudoku)\b[^|]*", re.IGNORECASE)
#: the line that Simple Sudoku writes below a grid
TRAILER = re.compile(r"simple sudoku\b.*", re.IGNORECASE)
RULE = re.compile(r"[-+|*=_\s]+")
#: symbols with which no separator begins
CELLS_ONLY = ".0123456789"
#: greatest number of unseparated grids whose rows are kept to be counted before they are read
MAX_GRIDS_HELD = 64
#: what is between two grids beside each other, and the greatest number of rows that are held
_BESIDE = re.compile(r"\s{3,}|\t")
MAX_ROWS_HELD = 100
#: greatest number of rows of an invalid grid in its excerpt
MAX_ROWS_QUOTED = 20

#: the error for what follows the line `end`
AFTER_END = "a line after `end`, which closes the input; remove one"


def read(source: Iterable[Line], layout: Layout) -> Iterator[Entry]:
    """Yield the puzzles of an input whose grids have a line for each row.

    Raises FormatError if a row is missing or superfluous in a long series of unseparated grids.
    """
    side = layout.size or 9
    read_row = RowReader(layout, side)
    symbols = layout.symbols(side) + EMPTY_SYMBOLS
    rows = _Rows(read_row)
    counted = layout.counted
    letters = 0  # number of rows of letters that were skipped one after another
    lines = iter(source)
    for line in lines:
        text = line.text.strip()
        if text == "end":
            break
        if text.startswith("#"):
            variants.refuse(line.number, text)
            continue
        if counted and text.isdecimal():
            counted = False
        elif is_prose(text, symbols, side) and read_row(text)[1] is not None:
            letters = letters + 1 if len(text) == side and text.isalpha() else 0
            if letters == side:
                raise variants.with_map(line.number - side + 1)
            variants.refuse(line.number, text)
            yield from rows.end()
            rows.label = excerpt(text) if HEADING.fullmatch(text) else rows.label
        elif not is_separator(text, side, ruled=layout.ruled):
            yield from rows.add(line)
        elif HEADING.fullmatch(text):
            variants.refuse(line.number, text)
            yield from rows.end()
            rows.label = excerpt(text)
        elif not layout.banded:
            yield from rows.end()
    yield from rows.end()
    for line in lines:
        if line.text.strip():
            yield Entry.wrong(line.number, line.text.strip(), AFTER_END)


def one_by_one(source: Iterable[Line]) -> Iterator[Line]:
    """Yield lines in which grids that stand beside each other follow each other.

    Between two grids beside each other there are more spaces than between two cells.
    """
    beside: list[list[Line]] = []
    for line in source:
        parts = _BESIDE.split(line.text.strip())
        cells = {len("".join(spaced_cells(part))) for part in parts}
        is_row = len(parts) > 1 and len(cells) == 1 and not cells.isdisjoint(SIDES.values())
        if beside and (not is_row or len(parts) != len(beside) or len(beside[0]) == MAX_ROWS_HELD):
            yield from _below(beside)
            beside = []
        if is_row:
            beside = beside or [[] for _ in parts]
            for grid, part in zip(beside, parts, strict=True):
                grid.append(Line(line.number, part))
        else:
            yield line
    yield from _below(beside)


def _below(beside: list[list[Line]]) -> Iterator[Line]:
    for grid in beside:
        yield from grid
        yield Line(grid[-1].number, "")


def is_separator(text: str, side: int, *, ruled: bool) -> bool:
    """Return whether a stripped line separates grids or boxes, instead of being a row of n cells.

    n is `side`.  `ruled`: a line of n dashes is a rule, not an empty row.

    >>> [is_separator(t, 9, ruled=False) for t in ("====", "Grid 01", "---+---+---", "---------")]
    [True, True, True, False]
    """
    if text[:1] in CELLS_ONLY:  # most lines; this is fast
        return not text
    if not RULE.fullmatch(text):
        return bool(HEADING.fullmatch(text) or TRAILER.fullmatch(text))
    if "=" in text or "+" in text:
        return True
    if fields_of(text, side) is not None:
        return False
    cells = text.replace("|", " ").split()
    if len(cells) == side and all(len(cell) == 1 for cell in cells):
        return False
    return sum(map(len, cells)) != side or (ruled and text == "-" * side)


def cells_of(line: str, side: int) -> list[str]:
    """Return the words of a line, or if it has fields of at most one word, a cell for each field.

    >>> cells_of("5 3 | 1 .", 4), cells_of("5,,,1", 4), cells_of("| 5 |   |   | 1 |", 4)
    (['5', '3', '1', '.'], ['5', '.', '.', '1'], ['5', '.', '.', '1'])
    """
    cells = spaced_cells(line)
    is_whole = len(cells) == side and '"' not in line
    return cells if is_whole else fields_of(line, side) or cells


def spaced_cells(line: str) -> list[str]:
    """Return the words of a line; commas, semicolons and bars count as spaces."""
    for separator in ",;|":
        line = line.replace(separator, " ")
    return line.split()


def fields_of(line: str, side: int) -> list[str] | None:
    """Return the cells of a row in a spreadsheet or a frame, in which an empty cell has no symbol.

    Returns None if there are not `side` fields of at most two characters, or if some empty cells
    have a symbol and others have none.
    """
    signs = [sign for sign in ",;|" if sign in line]
    if not signs:
        return None
    separator = max(signs, key=line.count)
    fields = [field.strip(" \"'") for field in line.split(separator)]
    if len(fields) == side + 2 and not (fields[0] or fields[-1]):  # a frame
        fields = fields[1:-1]
    if len(fields) != side or max(map(len, fields)) > 2:
        return None
    if "" in fields and not set(EMPTY_SYMBOLS).isdisjoint(fields):
        return None
    return [field or EMPTY for field in fields]


class RowReader:
    """Reads a stripped row of n cells, adjacent or apart, in the symbols of stored grids."""

    def __init__(self, layout: Layout, side: int) -> None:
        self.side = side
        self._are_apart = layout.shape == "spaced"
        self._table = SymbolTable(layout.symbols(side), side)
        self._values = {chr(code): cell for code, cell in self._table.items()}
        if self._are_apart and layout.alphabet is None:
            self._values = _numbers(side)

    def __call__(self, line: str) -> tuple[str, str | None]:
        """Return the cells of a row, and its error or None."""
        cells = self._cells(line)
        if isinstance(cells, str):
            row = cells.translate(self._table)
        else:
            row = "".join([self._values.get(cell, INVALID) for cell in cells])
        if INVALID in row:
            at = row.index(INVALID)
            cell = cells[at]
            place = f"cell {at + 1}" if self._are_apart else f"character {line.index(cell) + 1}"
            return row, f"`{excerpt(cell)}` at {place} is not a cell"
        if len(row) != self.side:
            return row, f"{quantity(len(row), 'cell')}, expected {self.side}"
        return row, None

    def is_doubtful(self, lines: list[str]) -> bool:
        """Return whether `0` can be a value in these rows of a grid."""
        if self._values.get("0", INVALID) != EMPTY:
            return False
        cells = {cell for line in lines for cell in self._cells(line)}
        return is_doubtful(cells | {"0"} if "00" in cells else cells)

    def _cells(self, line: str) -> str | list[str]:
        if self._are_apart:
            return cells_of(line, self.side)
        return "".join(line.replace("|", " ").split())


def _numbers(side: int) -> dict[str, str]:
    """Return the cells that numbers stand for, with or without a zero before a digit."""
    values = {str(value): SYMBOLS[value] for value in range(1, side + 1)}
    values |= {f"0{value}": SYMBOLS[value] for value in range(1, min(side, 9) + 1)}
    return values | dict.fromkeys([*EMPTY_SYMBOLS, "00"], EMPTY)


class _Rows:
    """The rows since the last separator."""

    def __init__(self, read_row: RowReader) -> None:
        self.side = read_row.side
        self.label: str | None = None  #: of the grids up to the next separator
        self._read_row = read_row
        self._rows: list[Line] = []
        self._grids_were_read = False  #: earlier grids since the last separator were read

    def add(self, line: Line) -> Iterator[Entry]:
        """Add a row; if MAX_GRIDS_HELD grids are kept, yield them first, to limit memory."""
        if len(self._rows) == self.side * MAX_GRIDS_HELD:
            yield from self._grids()
            self._grids_were_read = True
        self._rows.append(line)

    def end(self) -> Iterator[Entry]:
        """Yield the rows as whole grids, or as one Entry with an error, and remove them."""
        if not self._rows:
            return
        if len(self._rows) % self.side == 0:
            yield from self._grids()
        elif self._grids_were_read:
            raise FormatError(
                f"the number of rows up to here is not a multiple of {self.side}",
                line=self._rows[-1].number,
                remedy="put blank lines between the grids to find the incomplete one",
            )
        else:
            yield self._miscounted()
        self._rows, self._grids_were_read, self.label = [], False, None

    def _grids(self) -> Iterator[Entry]:
        for start in range(0, len(self._rows), self.side):
            yield self._grid(self._rows[start : start + self.side])
        self._rows = []

    def _grid(self, rows: list[Line]) -> Entry:
        texts = []
        for index, line in enumerate(rows, 1):
            text, error = self._read_row(line.text.strip())
            if error is not None:
                place = f"row {index} (line {line.number}): {error}"
                return self._wrong(rows, place)
            texts.append(text)
        lines = [line.text for line in rows]
        if is_doubtful("".join(lines)) and self._read_row.is_doubtful(lines):
            return self._wrong(rows, DOUBTFUL)
        return Entry(rows[0].number, self.label, "".join(texts), kind=Kind.SUDOKU)

    def _miscounted(self) -> Entry:
        rows = self._rows
        errors = (
            f"; line {line.number}: {error}"
            for line in rows
            if (error := self._read_row(line.text.strip())[1]) is not None
        )
        multiple = "a multiple of " if len(rows) > self.side else ""
        count = f"{quantity(len(rows), 'row')}, expected {multiple}{self.side}"
        return self._wrong(rows, count + next(errors, ""))

    def _wrong(self, rows: list[Line], why: str) -> Entry:
        text = " / ".join(line.text.strip() for line in rows[:MAX_ROWS_QUOTED])
        return Entry.wrong(rows[0].number, text, why, self.label)
