"""Reads exact covers as matrices of 0 and 1: a column is an item, a row an option.

The error for an invalid line and the limit on size are those of all readers of covers.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from storage.values import Kind
from worker.covers.text import MAX_CHARACTERS, EncodedOptions
from worker.formats.entry import Entry
from worker.formats.errors import FormatError, excerpt, quantity
from worker.formats.files.text import Line

#: 0 and 1 as `numpy.savetxt` writes them by default
FLOAT = re.compile(r"\b([01])\.0*e\+00\b")
#: greatest number of digits in the size of a matrix
MAX_SIZE_DIGITS = 19


class InvalidLineError(Exception):
    """A line is not part of a cover problem, for this reason; its number is known to the reader."""


def bounded(source: Iterable[Line], name: str) -> Iterator[Line]:
    """Yield the lines of one problem; raise FormatError if they exceed MAX_CHARACTERS in total."""
    characters = 0
    for line in source:
        characters += len(line.text)
        check_size(characters, name, line.number)
        yield line


def check_size(characters: int, name: str, line: int) -> None:
    """Raise FormatError if lines, or the text of options, exceed MAX_CHARACTERS.

    The text can be longer than the lines: a 1 in column 30000 of a matrix becomes `30000`.
    """
    if characters > MAX_CHARACTERS:
        what = f"a cover problem of more than {MAX_CHARACTERS:,} characters"
        raise FormatError(name, what, line=line, remedy="split the problem")


def read(source: Iterable[Line], name: str, *, headed: bool) -> Iterator[Entry]:
    """Yield the matrices of an input, one after another.

    With `headed` each begins with a line `n m` and has n rows; else it ends at a blank line.
    """
    lines = iter(source)
    read_one = _read_headed if headed else _read_headless
    while (first := next(filter(_has_content, lines), None)) is not None:
        yield read_one(first, bounded(lines, name), name)


def matrix_row(text: str) -> list[str]:
    """Return the entries of a row, with or without spaces or commas between them.

    >>> matrix_row("0 1 1"), matrix_row("011"), matrix_row("0,1.000e+00,1")
    (['0', '1', '1'], ['0', '1', '1'], ['0', '1', '1'])
    """
    if "e" in text:
        text = FLOAT.sub(r"\1", text)
    words = text.replace(",", " ").split()
    return list(words[0]) if len(words) == 1 else words


def matrix_size(text: str) -> tuple[int, int] | None:
    """Return the numbers of rows and columns in a line `n m`, or None for any other line."""
    words = text.split()
    if len(words) != 2 or not all(map(_is_size, words)):
        return None
    return int(words[0]), int(words[1])


def _is_size(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= MAX_SIZE_DIGITS


class _Matrix:
    """The rows of a matrix that were read so far, and their first error."""

    def __init__(self, first: Line, columns: int, name: str) -> None:
        self.first = first
        self.columns = columns
        self.name = name
        self.options = EncodedOptions()
        self.error = None if columns else "no columns, so nothing to cover"

    def add(self, line: Line) -> None:
        try:
            self.options.add(_option(line.text, self.columns))
        except InvalidLineError as error:
            self.error = self.error or f"line {line.number}: {error}"
            self.options.add([])
        check_size(self.options.characters, self.name, line.number)

    def entry(self) -> Entry:
        if self.error is not None:
            return Entry.wrong(self.first.number, self.first.text, self.error)
        text = self.options.text(self.columns, 0)
        return Entry(self.first.number, None, text, kind=Kind.COVER)


def _read_headed(first: Line, following: Iterator[Line], name: str) -> Entry:
    size = matrix_size(first.text)
    if size is None:
        for _ in following:  # read on: a damaged or oversized input must raise FormatError
            pass
        why = "expected a line `n m`, the numbers of rows and columns; the rest was not read"
        return Entry.wrong(first.number, first.text, why)
    rows, columns = size
    matrix = _Matrix(first, columns, name)
    for line in islice(filter(_has_content, following), rows):
        matrix.add(line)
    if matrix.options.count < rows and matrix.error is None:
        matrix.error = f"the matrix has {matrix.options.count} of {rows} announced rows"
    return matrix.entry()


def _read_headless(first: Line, following: Iterator[Line], name: str) -> Entry:
    matrix = _Matrix(first, len(matrix_row(first.text)), name)
    for line in chain([first], following):
        if not line.text.strip():
            break
        if _has_content(line):
            matrix.add(line)
    return matrix.entry()


def _option(text: str, columns: int) -> list[int]:
    row = matrix_row(text)
    if not {"0", "1"}.issuperset(row):
        other = next(word for word in row if word not in {"0", "1"})
        raise InvalidLineError(f"`{excerpt(other)}` is neither 0 nor 1")
    if len(row) != columns:
        raise InvalidLineError(f"{quantity(len(row), 'entry', 'entries')}, expected {columns}")
    return [column for column, entry in enumerate(row, 1) if entry == "1"]


def _has_content(line: Line) -> bool:
    text = line.text.strip()
    return bool(text) and not text.startswith("#")
