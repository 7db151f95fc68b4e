"""Reads lists of lists, of texts and of objects, as JSON, Python or NumPy write them.

    sudoku = [[5, 3, 0, 0, 7, 0, 0, 0, 0],
              [6, 0, 0, 1, 9, 5, 0, 0, 0], ...]

A list of n lists or texts of n cells is a grid; so is a list or text of n x n cells.  A list of
rows of 0 and 1 that is no grid is an exact cover.  An object is read like a line of JSON Lines.
Lists may be nested in any way, and follow one another; a word before `=` is a label.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from worker.errors import PuzzleError
from worker.formats import variants
from worker.formats.entry import Entry
from worker.formats.errors import MAX_QUOTE, FormatError, excerpt, label, quoted
from worker.formats.files.text import Line
from worker.formats.layout import EMPTY_SYMBOLS
from worker.formats.names import PUZZLES, SOLUTIONS
from worker.formats.readers import objects
from worker.formats.readers.list_rows import MAX_ROW, Row, puzzles_of, row_of_text, row_of_values
from worker.formats.readers.words import SMALLEST
from worker.sudoku.symbols import SIDES

#: greatest depth of nested lists and objects
MAX_DEPTH = 32
#: greatest number of characters from one puzzle to the next
MAX_CHARACTERS = 4 << 20
#: brackets that close those that are opened
CLOSING = {"": "", "[": "]", "(": ")", "{": "}"}
#: a text in some quotes, up to them
TEXT = r"{0}(?:[^{0}\\]|\\.)*+"
#: the other tokens
OTHERS = r"""(?P<number>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)
    |(?P<open>[\[{]|(?:[^\W\d][\w.]*+)?\()
    |(?P<word>[^\W\d][\w.]*)
    |(?P<close>[\])}])|(?P<colon>:)|(?P<equals>=)
    |(?P<comment>\#.*|//.*)
    |(?P<skipped>[,;|\s]+)
    |(?P<other>.)"""
#: words without quotes that are values
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("None", "null", "nil", "nan", "NaN")),
    **dict.fromkeys(("True", "true"), True),
    **dict.fromkeys(("False", "false"), False),
}
#: digits of a number beyond which it is taken for a text of cells
MAX_DIGITS = 2


class Token(NamedTuple):
    """A token, by the name of its group in OTHERS; `skipped` ones and comments are left out."""

    kind: str  #: value, word, open, close, colon, equals or other
    text: str
    value: str | float | None = None  #: of a `value`

    def __str__(self) -> str:
        return self.text


def read(source: Iterable[Line], alphabet: str | None) -> Iterator[Entry]:
    """Yield the puzzles in the lists and objects of an input.

    `alphabet` has the symbols of texts that are grids beyond 9x9, if there are any.

    Raises FormatError if a list or an object is too large.
    """
    reader = _Reader(objects.tables_of(alphabet))
    characters = 0  # since the last puzzle
    for line in source:
        characters += len(line.text)
        for entry in reader.feed(line):
            characters = 0
            yield entry
        if characters > MAX_CHARACTERS:
            what = f"a list of more than {MAX_CHARACTERS:,} characters without a puzzle"
            raise FormatError(what, line=line.number, remedy="write one puzzle per line")
    yield from reader.close()


class _Frame:
    """A list or an object that is not closed yet."""

    def __init__(self, bracket: str, line: int) -> None:
        self.bracket = bracket  #: empty outside of all brackets
        self.line = line
        self.values: list[Any] = []
        self.members: dict[str, Any] | None = None  #: of an object
        self.key: str | None = None  #: the key of the next value
        self.error: str | None = None  #: why it cannot be read

    @property
    def is_prose(self) -> bool:
        """Whether words may stand here: outside of lists, and between the arguments of a call."""
        return self.bracket in {"", "("}

    def add(self, value: Any) -> None:
        if self.members is not None and self.key is not None:
            if self.key in self.members:
                raise PuzzleError(objects.twice(self.key))
            self.members[self.key], self.key = value, None
        else:
            self.values.append(value)

    def add_row(self, row: Row) -> None:
        if row.error or len(row.cells) >= SMALLEST or not self.is_prose:
            self.values.append(row)


class _Reader:
    """Reads lines, of which a list or an object may take several."""

    def __init__(self, tables: objects.Tables) -> None:
        self.tables = tables
        self.open = [_Frame("", 1)]
        self.objects = 0  #: number of open objects
        self.label: str | None = None
        self.text = ""  #: the current line

    def feed(self, line: Line) -> Iterator[Entry]:
        self.text = line.text
        word = ""
        try:
            for token in tokens(line.text):
                if token.kind == "word":
                    word = token.text
                elif token.kind == "equals" and len(self.open) == 1:
                    yield from self._rows(self.open[0])
                    self.label = label(word) if word.lower() not in PUZZLES else None
                yield from self._take(token, line.number)
        except PuzzleError as error:
            yield Entry.wrong(line.number, self.text, error)

    def close(self) -> Iterator[Entry]:
        """Yield the puzzles of rows outside of all lists, and errors for what is not closed."""
        yield from self._rows(self.open[0])
        for frame in self.open[1:2]:
            why = f"`{frame.bracket}` is not closed; add what is missing"
            yield Entry.wrong(frame.line, self.text, why)

    def _take(self, token: Token, line: int) -> Iterator[Entry]:
        frame = self.open[-1]
        if token.kind == "open":
            if len(self.open) > MAX_DEPTH:
                raise PuzzleError("lists are nested too deeply")
            self.open.append(_Frame(token.text, line))
        elif token.kind == "close":
            yield from self._close(token.text)
        elif token.kind == "colon":
            if frame.bracket == "{":  # the last value is the key of the next
                self.objects += frame.members is None
                frame.key = str(frame.values.pop()) if frame.values else ""
                frame.members = frame.members or {}
        elif token.kind == "value":
            yield from self._value(token.value, line)
        elif frame.bracket == "{" or (self.objects and not frame.is_prose):
            frame.values.append(token if frame.bracket == "[" else token.text)  # no cell, or a key
        elif not frame.is_prose:
            frame.error = frame.error or f"{quoted(token.text)} is not a cell"

    def _value(self, value: Any, line: int) -> Iterator[Entry]:
        frame = self.open[-1]
        if self.objects or frame.bracket == "{":
            frame.add(value)
        elif not isinstance(value, str) or len(value) <= 2:
            frame.values.append(value)
        else:
            row = row_of_text(line, value, self.tables)
            if len(row.cells) > MAX_ROW:
                yield from puzzles_of([row], self.label)
            elif row.error is None or not frame.is_prose:
                frame.add_row(row)

    def _close(self, bracket: str) -> Iterator[Entry]:
        frame = self.open[-1]
        if CLOSING[frame.bracket] != bracket:
            raise PuzzleError(f"`{bracket}` closes nothing; check the brackets")
        self.open.pop()
        self.objects -= frame.members is not None
        if self.objects:
            self.open[-1].add(frame.values if frame.members is None else frame.members)
        elif frame.members is not None:
            for members in _puzzles_in(frame.members):
                yield objects.entry_of(frame.line, members, self.text, self.tables)
        else:
            yield from self._rows(frame)

    def _rows(self, frame: _Frame) -> Iterator[Entry]:
        """Yield the puzzles of a list, or add it to the list that contains it as a row."""
        values, frame.values = frame.values, []
        rows = [value for value in values if isinstance(value, Row)]
        if frame.is_prose and (rows or not frame.bracket):
            values = rows
        if rows and len(rows) < len(values):
            frame.error = frame.error or "rows and cells in one list"
        row = Row(frame.line, "", frame.error)
        if not (rows or frame.error):
            row = row_of_values(frame.line, values)
        if rows or len(row.cells) > MAX_ROW:
            yield from puzzles_of([row] if frame.error or not rows else rows, self.label)
        elif values or frame.error:
            self.open[-1].add_row(row)


def _puzzles_in(members: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the objects in the lists of an object, and its grids by their names; or the object."""
    if variants.is_chat(members) or variants.of_members(members.items()) is not None:
        return [members]
    found: list[dict[str, Any]] = []
    for key, value in members.items():
        name, values = key.lower(), value if isinstance(value, list) else []
        if name in SOLUTIONS or (name in PUZZLES and not values):
            return [members]
        if values and all(isinstance(one, dict) for one in values):
            found += values
        elif values and all(map(_is_grid, values)):
            found += [{"puzzle": one} for one in values]
        elif _is_grid(value):
            found.append({"puzzle": value, "label": key})
        elif isinstance(value, list | dict):
            return [members]
    return found or [members]


def _is_grid(value: object) -> bool:
    return isinstance(value, str) and len(value) in SIDES and len(value) > MAX_ROW


def tokens(line: str) -> Iterator[Token]:
    """Yield the tokens of a line; raise PuzzleError for a text that cannot be read.

    >>> [token.text for token in tokens("grid = [[5, None, '7'],  # a comment")]
    ['grid', '=', '[', '[', '5', 'None', "'7'", ']']
    """
    quotes, at = "\"'", 0
    while at < len(line):
        for match in _pattern(quotes).finditer(line, at):
            if match.lastgroup == "endless":
                break
            if token := _token(str(match.lastgroup), match.group()):
                yield token
        else:
            return
        at = match.start() + 1
        quotes = quotes.replace(line[at - 1], "")  # none of them begins a text behind this one
        yield Token("other", line[at - 1])


@cache
def _pattern(quotes: str) -> re.Pattern[str]:
    """Return what matches a token, if texts begin with one of these quotes."""
    texts = [TEXT.format(quote) for quote in quotes]
    closed = "|".join(text + quote for text, quote in zip(texts, quotes, strict=True))
    endless = "|".join(text + r"\\?\Z" for text in texts)
    begin = f"(?P<text>{closed})|(?P<endless>{endless})|" if quotes else ""
    return re.compile(begin + OTHERS, re.VERBOSE)


def _token(kind: str, text: str) -> Token | None:
    """Return the token of a match; None if it is left out."""
    if kind == "text":
        return Token("value", text, _unquoted(text))
    if kind == "number":
        return Token("value", text, _number(text))
    if kind == "word" and text in WORDS:
        return Token("value", text, WORDS[text])
    if len(text) == 1 and text in EMPTY_SYMBOLS:
        return Token("value", text)
    if kind in {"skipped", "comment"}:
        return None
    return Token(kind, text[-1] if kind == "open" else text)  # array( is a parenthesis


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text) if text.startswith('"') else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise PuzzleError(f"the text {excerpt(text, MAX_QUOTE)} cannot be read") from None
    return str(value)


def _number(text: str) -> str | float:
    """Return a number, or the text if it has more than MAX_DIGITS digits, which are cells.

    >>> [_number(text) for text in ("7", "5.", "1e0", "530070000", "2.5")]
    [7, 5, 1, '530070000', 2.5]
    """
    if text.isdecimal():
        return int(text) if len(text) <= MAX_DIGITS else text
    try:
        value = float(text)
    except ValueError:  # such as 1.2.3
        return text
    return int(value) if value.is_integer() and abs(value) < 100 else value
