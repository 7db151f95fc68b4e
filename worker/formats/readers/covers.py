"""Reads exact covers: matrices of 0 and 1, and the text format of Knuth's DLX1, DLX3, DLX5, SSXCC.

In a matrix, a column is an item and a row an option.  Knuth's format:

    | a comment
    a b 2:3|c | x
    a c x:red |3
    b c

The first line names the items, the secondary ones after `|`.  A primary item may have a
multiplicity: `2:3|c` is covered two or three times, `2|c` twice.  Each further line is an option; a
secondary item may have a colour, and words that begin with `|` are costs.  The comment SET_COVER
before the items marks a set cover.

The error for an invalid line and the limit on size are those of all readers of covers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, takewhile

from storage.values import Kind
from worker.covers.decoding import multiplicity_fault
from worker.covers.text import (
    MAX_CHARACTERS,
    MAX_COST,
    ONCE,
    Colours,
    Cover,
    EncodedOptions,
    Multiplicity,
)
from worker.formats.entry import Entry
from worker.formats.errors import FormatError, excerpt, quantity
from worker.formats.files.text import Line

#: 0 and 1 as `numpy.savetxt` writes them by default
FLOAT = re.compile(r"\b([01])\.0*e\+00\b")
#: the line `n m` before a matrix
SIZE = re.compile(r"([0-9]{1,19})\s+([0-9]{1,19})")
#: the comment that marks a set cover; Knuth's programs ignore it
SET_COVER = "| set-cover"
#: an item with a multiplicity
MULTIPLE = re.compile(r"(?:(-?[0-9]{1,18}):)?(-?[0-9]{1,18})\|(.+)")
#: a cost after its `|`
COST = re.compile("(-?)0*([0-9]+)")
#: digits of a cost that are read: one more than MAX_COST has, and few enough for `int`
COST_DIGITS = len(str(MAX_COST)) + 1


class InvalidLineError(Exception):
    """A line is not part of a cover problem, for this reason; its number is known to the reader."""


def bounded(source: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines of one problem; raise FormatError if they exceed MAX_CHARACTERS in total."""
    characters = 0
    for line in source:
        characters += len(line.text)
        check_size(characters, line.number)
        yield line


def check_size(characters: int, line: int) -> None:
    """Raise FormatError if lines, or the text of options, exceed MAX_CHARACTERS.

    The text can be longer than the lines: a 1 in column 30000 of a matrix becomes `30000`.
    """
    if characters > MAX_CHARACTERS:
        what = f"a cover problem of more than {MAX_CHARACTERS:,} characters"
        raise FormatError(what, line=line, remedy="split the problem")


def read_matrices(source: Iterable[Line], *, headed: bool) -> Iterator[Entry]:
    """Yield the matrices of an input, one after another.

    With `headed` each begins with a line `n m` and has n rows; else it ends at a blank line.
    """
    lines = iter(source)
    while (first := next(_contents(lines), None)) is not None:
        following = bounded(lines)
        if headed:
            yield _read_headed(first, following)
        else:
            rows = takewhile(lambda line: line.text.strip(), chain([first], following))
            yield _matrix(first, len(matrix_row(first.text)), _contents(rows))


def _contents(lines: Iterable[Line]) -> Iterator[Line]:
    return (line for line in lines if line.has_content)


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
    match = SIZE.fullmatch(text.strip())
    return None if match is None else (int(match[1]), int(match[2]))


def _read_headed(first: Line, following: Iterator[Line]) -> Entry:
    size = matrix_size(first.text)
    if size is None:
        for _ in following:  # read on: a damaged or oversized input must raise FormatError
            pass
        why = "expected a line `n m`, the numbers of rows and columns; the rest was not read"
        return Entry.wrong(first.number, first.text, why)
    rows, columns = size
    return _matrix(first, columns, islice(_contents(following), rows), rows)


def _matrix(first: Line, columns: int, lines: Iterable[Line], rows: int = 0) -> Entry:
    """Return the matrix in these lines, of which `rows` are announced, or its first error."""
    options, error = EncodedOptions(), None if columns else "no columns, so nothing to cover"
    for line in lines:
        try:
            options.add(_row_option(line.text, columns))
        except InvalidLineError as why:
            error = error or f"line {line.number}: {why}"
            options.add([])
        check_size(options.characters, line.number)
    if options.count < rows:
        error = error or f"the matrix has {options.count} of {rows} announced rows"
    if error is not None:
        return Entry.wrong(first.number, first.text, error)
    return Entry(first.number, None, options.text(Cover(columns, 0, [])), kind=Kind.COVER)


def _row_option(text: str, columns: int) -> list[int]:
    row = matrix_row(text)
    if not {"0", "1"}.issuperset(row):
        other = next(word for word in row if word not in {"0", "1"})
        raise InvalidLineError(f"`{excerpt(other)}` is neither 0 nor 1")
    if len(row) != columns:
        raise InvalidLineError(f"{quantity(len(row), 'entry', 'entries')}, expected {columns}")
    return [column for column, entry in enumerate(row, 1) if entry == "1"]


class Items:
    """The items that a line names, numbered from 1, the primary ones first.

    Raises InvalidLineError if the line is not one of items.
    """

    def __init__(self, line: str) -> None:
        words = line.split()
        if words.count("|") > 1:
            why = "two `|` among the items; one separates primary from secondary items"
            raise InvalidLineError(why)
        at = words.index("|") if "|" in words else len(words)
        pairs = list(map(_item, words[:at] + words[at + 1 :]))
        self.names = [name for name, _ in pairs]
        self.primary, self.secondary = at, len(pairs) - at
        self._times = [times for _, times in pairs]
        self._numbers = {name: number for number, name in enumerate(self.names, 1)}
        for name, count in Counter(self.names).items():
            if count > 1:
                raise InvalidLineError(f"item `{excerpt(name)}` occurs twice")
            if ":" in name or "|" in name:
                why = f"`{excerpt(name)}` is not an item; names contain neither `:` nor `|`"
                raise InvalidLineError(why)
        if at == 0:
            raise InvalidLineError("no primary item, so nothing to cover")

    def multiplicities(self) -> list[Multiplicity]:
        """Return the multiplicities of the primary items, or raise InvalidLineError.

        They are not checked while the format is detected, so that wrong ones are reported.
        """
        for number, (name, times) in enumerate(zip(self.names, self._times, strict=True), start=1):
            if fault := multiplicity_fault(*times):
                raise InvalidLineError(f"the multiplicity of `{excerpt(name)}` {fault}")
            if number > self.primary and times != ONCE:
                why = f"`{excerpt(name)}` is secondary; only primary items have multiplicities"
                raise InvalidLineError(why)
        return self._times[: self.primary]

    def option(self, line: str) -> tuple[list[int], int | None, Colours]:
        """Return the items, the cost and the colours of an option, or raise InvalidLineError."""
        words, cost, colours = line.split(), None, []
        if "|" in line:
            cost = _cost([word for word in words if word.startswith("|")])
            words = [word for word in words if not word.startswith("|")]
        if ":" in line:
            pairs = [word.partition(":") for word in words]
            words = [name for name, _, _ in pairs]
            colours = [self._coloured(name, colour) for name, sign, colour in pairs if sign]
        option = list(map(self._number, words))
        if len(set(option)) < len(option):
            raise InvalidLineError("an item occurs twice in this option")
        return option, cost, colours

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            hint = "; separate a cost from an item by a space" if "|" in name else ""
            raise InvalidLineError(f"`{excerpt(name)}` is not an item of the first line{hint}")
        return number

    def _coloured(self, name: str, colour: str) -> tuple[int, str]:
        number = self._number(name)
        if number <= self.primary:
            why = f"`{excerpt(name)}` is primary; only secondary items have colours"
            raise InvalidLineError(why)
        if not colour or ":" in colour:
            why = f"`{excerpt(name)}:{excerpt(colour)}` names no colour, such as x:1"
            raise InvalidLineError(why)
        return number, colour


def read_dlx(source: Iterable[Line]) -> Iterator[Entry]:
    """Yield the only problem of an input, or an Entry with an error if a line is invalid."""
    comments: list[str] = []
    content = bounded(content_lines(source, comments))
    line = first = next(content, None)
    if line is None or first is None:
        raise FormatError("contains nothing but comments", remedy="give items and options")
    options = EncodedOptions()
    try:
        items = Items(first.text)
        multiplicities = items.multiplicities()
        for line in content:
            options.add(*items.option(line.text))
            check_size(options.characters, line.number)
    except InvalidLineError as error:
        for _ in content:  # read on: a damaged or oversized input must raise FormatError
            pass
        yield Entry.wrong(first.number, first.text, f"line {line.number}: {error}")
        return
    cover = Cover(items.primary, items.secondary, [], names=items.names)
    cover = cover._replace(multiplicities=multiplicities, set_cover=SET_COVER in comments)
    yield Entry(first.number, None, options.text(cover), kind=Kind.COVER, costs=options.has_costs)


def _item(word: str) -> tuple[str, Multiplicity]:
    """Return the name and the multiplicity of an item.

    >>> _item("2:3|c"), _item("2|c"), _item("c")
    (('c', (2, 3)), ('c', (2, 2)), ('c', (1, 1)))
    """
    match = MULTIPLE.fullmatch(word)
    if match is None:
        return word, ONCE
    least, greatest, name = match.groups()
    return name, (int(least or greatest), int(greatest))


def content_lines(source: Iterable[Line], comments: list[str] | None = None) -> Iterator[Line]:
    """Yield the lines that are neither blank nor comments.

    A comment begins with `|`, or with `#` above the line of items.  Those above it are appended to
    `comments`.
    """
    begun = False
    for line in source:
        text = line.text.strip()
        if not text or text.startswith("|") or (not begun and text.startswith("#")):
            if comments is not None and not begun:
                comments.append(text)
            continue
        begun = True
        yield line


def _cost(words: list[str]) -> int | None:
    """Return the cost of an option: the sum of words such as `|3`."""
    cost = 0
    for word in words:
        match = COST.fullmatch(word, 1)
        if match is None:
            why = f"`{excerpt(word)}` is not a cost; a cost is `|` and a whole number"
            raise InvalidLineError(why)
        cost += int(match[1] + match[2][:COST_DIGITS])
    if abs(cost) > MAX_COST:
        raise InvalidLineError(f"the cost of this option is not from {-MAX_COST:,} to {MAX_COST:,}")
    return cost if words else None
