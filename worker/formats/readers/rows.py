"""Grids of several lines: rows of n characters, or of n cells apart.

Blank lines, headings such as `Grid 01` and rules such as `====` separate the grids; where there are
none, every n rows are one.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from storage.values import Kind
from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.formats.files.text import Line
from worker.formats.layout import Layout
from worker.formats.symbols import EMPTY_SYMBOLS, INVALID, SymbolTable
from worker.sudoku.symbols import VALUES

HEADING = re.compile(r"(grid|puzzle|sudoku)\b[^|]*", re.IGNORECASE)
#: what Simple Sudoku puts under a grid
TRAILER = re.compile(r"simple sudoku\b.*", re.IGNORECASE)
RULE = re.compile(r"[-+|*=_\s]+")
#: grids without anything between them that are held until their rows are counted
LONG_RUN = 64

#: a row's cells as our symbols, or what is wrong with it
Row = tuple[str, str | None]


def read(source: Iterable[Line], layout: Layout, name: str) -> Iterator[Entry]:
    """The puzzles of an input whose grids stand in rows.

    FormatError where a row is missing or too many and nothing tells in which of many grids.
    """
    side = layout.size or 9
    run = _Run(side, row_reader(layout, side), name)
    counted = layout.counted
    for line in source:
        text = line.text.strip()
        if text == "end":
            break
        if text.startswith("#"):
            continue
        if counted and text.isdecimal():
            counted = False
        elif not is_separator(text, side, ruled=layout.ruled):
            yield from run.add(line)
        elif HEADING.fullmatch(text) or not layout.banded:
            yield from run.end()
            run.label = excerpt(text) if HEADING.fullmatch(text) else run.label
    yield from run.end()


def is_separator(text: str, side: int, *, ruled: bool) -> bool:
    """Whether a stripped line stands between grids or inside a frame, and is no row of this side.

    >>> [is_separator(t, 9, ruled=False) for t in ("====", "Grid 01", "---+---+---", "---------")]
    [True, True, True, False]
    """
    if not text or HEADING.fullmatch(text) or TRAILER.fullmatch(text):
        return True
    if not RULE.fullmatch(text):
        return False
    if "=" in text or "+" in text:
        return True
    bare = text.replace("|", " ").split()
    if len(bare) == side and all(len(cell) == 1 for cell in bare):
        return False
    return sum(map(len, bare)) != side or (ruled and text == "-" * side)


def row_reader(layout: Layout, side: int) -> Callable[[str], Row]:
    """What turns a line into a row of our symbols, or says what is wrong with it."""
    if layout.shape == "spaced":
        return _SpacedRow(side, layout.alphabet)
    return _PackedRow(side, layout.symbols(side))


class _PackedRow:
    """Cells without anything between them, or in groups as wide as a box."""

    def __init__(self, side: int, alphabet: str) -> None:
        self.side = side
        self.table = SymbolTable(alphabet, side)

    def __call__(self, line: str) -> Row:
        cells = "".join(line.replace("|", " ").split())
        row = cells.translate(self.table)
        if INVALID in row:
            wrong = cells[row.index(INVALID)]
            return row, f"`{excerpt(wrong)}` at character {line.index(wrong) + 1} is no cell"
        if len(row) != self.side:
            return row, f"{len(row)} cells, expected {self.side}"
        return row, None


class _SpacedRow:
    """Cells apart: whole numbers, or symbols of an alphabet."""

    def __init__(self, side: int, alphabet: str | None) -> None:
        self.side = side
        if alphabet is None:
            self.values = {str(value): VALUES[value - 1] for value in range(1, side + 1)}
            self.values |= {f"0{value}": VALUES[value - 1] for value in range(1, min(side, 9) + 1)}
            self.values |= dict.fromkeys([*EMPTY_SYMBOLS, "00"], ".")
        else:
            self.values = {chr(code): cell for code, cell in SymbolTable(alphabet, side).items()}

    def __call__(self, line: str) -> Row:
        cells = spaced_cells(line)
        row = "".join(self.values.get(cell, INVALID) for cell in cells)
        if INVALID in row:
            wrong = cells[row.index(INVALID)]
            return row, f"`{excerpt(wrong)}` at cell {row.index(INVALID) + 1} is no cell"
        if len(row) != self.side:
            return row, f"{len(row)} cells, expected {self.side}"
        return row, None


def spaced_cells(line: str) -> list[str]:
    """The words of a line; commas, semicolons and frames count as space."""
    for between in ",;|":
        line = line.replace(between, " ")
    return line.split()


class _Run:
    """The rows since the last separator."""

    def __init__(self, side: int, row: Callable[[str], Row], name: str) -> None:
        self.side = side
        self.row = row
        self.name = name
        self.label: str | None = None
        self._rows: list[Line] = []
        self._long = False  #: some of its grids were given out already

    def add(self, line: Line) -> Iterator[Entry]:
        """One more row; of a long run the grids, so that memory stays constant."""
        if len(self._rows) == self.side * LONG_RUN:
            yield from self._grids()
            self._long = True
        self._rows.append(line)

    def end(self) -> Iterator[Entry]:
        """What the rows are: whole grids, or one bad entry."""
        if not self._rows:
            return
        if len(self._rows) % self.side == 0:
            yield from self._grids()
        elif self._long:
            raise FormatError(
                self.name,
                f"the rows up to here are no multiple of {self.side}",
                line=self._rows[-1].number,
                cure="put blank lines between the grids, and see which is not whole",
            )
        else:
            yield self._miscounted()
        self._rows, self._long, self.label = [], False, None

    def _grids(self) -> Iterator[Entry]:
        for start in range(0, len(self._rows), self.side):
            yield self._grid(self._rows[start : start + self.side])
        self._rows = []

    def _grid(self, rows: list[Line]) -> Entry:
        texts = []
        for index, line in enumerate(rows, 1):
            text, wrong = self.row(line.text.strip())
            if wrong is not None:
                place = f"row {index} (line {line.number}): {wrong}"
                return Entry(rows[0].number, self.label, _raw(rows), place)
            texts.append(text)
        return Entry(rows[0].number, self.label, "".join(texts), kind=Kind.SUDOKU)

    def _miscounted(self) -> Entry:
        rows = self._rows
        faults = (
            f"; line {line.number}: {wrong}"
            for line in rows
            if (wrong := self.row(line.text.strip())[1]) is not None
        )
        several = "a multiple of " if len(rows) > self.side else ""
        count = f"{len(rows)} {'row' if len(rows) == 1 else 'rows'}, expected {several}{self.side}"
        return Entry(rows[0].number, self.label, _raw(rows), count + next(faults, ""))


def _raw(rows: list[Line]) -> str:
    return excerpt(" / ".join(line.text.strip() for line in rows[:20]))
