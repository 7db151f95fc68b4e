"""Reads an exact cover in the text format of Knuth's programs DLX1, DLX3, DLX5 and SSXCC.

    | a comment
    a b 2:3|c | x
    a c x:red |3
    b c

The first line names the items, the secondary ones after `|`.  A primary item may have a
multiplicity: `2:3|c` is covered two or three times, `2|c` twice.  Each further line is an option; a
secondary item may have a colour, and words that begin with `|` are costs.  The comment SET_COVER
before the items marks a set cover.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from storage.values import Kind
from worker.covers.decoding import multiplicity_fault
from worker.covers.text import MAX_COST, ONCE, Colours, EncodedOptions, Multiplicity
from worker.formats.entry import Entry
from worker.formats.errors import FormatError, excerpt
from worker.formats.files.text import Line
from worker.formats.readers.matrix import InvalidLineError, bounded, check_size

#: the comment that marks a set cover; Knuth's programs ignore it
SET_COVER = "| set-cover"
#: an item with a multiplicity
MULTIPLE = re.compile(r"(?:(-?[0-9]{1,18}):)?(-?[0-9]{1,18})\|(.+)")
#: a cost after its `|`
COST = re.compile("[0-9]+")
#: digits of a cost that are read: one more than MAX_COST has, and few enough for `int`
COST_DIGITS = len(str(MAX_COST)) + 1


class Option(NamedTuple):
    """An option of a line."""

    items: list[int]  #: numbers of its items
    cost: int | None
    colours: Colours


class Items:
    """The items of a problem, numbered from 1, the primary ones first."""

    def __init__(self, primary: list[str], secondary: list[str], times: list[Multiplicity]) -> None:
        self.names = primary + secondary
        self.primary = len(primary)
        self.secondary = len(secondary)
        self._times = times  # of all items
        self._numbers = {name: number for number, name in enumerate(self.names, 1)}

    @classmethod
    def of(cls, line: str) -> "Items":
        """Return the items that a line names, or raise InvalidLineError."""
        words = line.split()
        if words.count("|") > 1:
            why = "two `|` among the items; one separates primary from secondary items"
            raise InvalidLineError(why)
        at = words.index("|") if "|" in words else len(words)
        pairs = list(map(_item, words[:at] + words[at + 1 :]))
        names, times = [name for name, _ in pairs], [times for _, times in pairs]
        for name, count in Counter(names).items():
            if count > 1:
                raise InvalidLineError(f"item `{excerpt(name)}` occurs twice")
            if ":" in name or "|" in name:
                why = f"`{excerpt(name)}` is not an item; names contain neither `:` nor `|`"
                raise InvalidLineError(why)
        if at == 0:
            raise InvalidLineError("no primary item, so nothing to cover")
        return cls(names[:at], names[at:], times)

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

    def option(self, line: str) -> Option:
        """Return the option in a line, or raise InvalidLineError."""
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
        return Option(option, cost, colours)

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


def read(source: Iterable[Line], name: str) -> Iterator[Entry]:
    """Yield the only problem of an input, or an Entry with an error if a line is invalid."""
    comments: list[str] = []
    content = bounded(content_lines(source, comments), name)
    line = first = next(content, None)
    if line is None or first is None:
        raise FormatError(name, "contains nothing but comments", remedy="give items and options")
    options = EncodedOptions()
    try:
        items = Items.of(first.text)
        multiplicities = items.multiplicities()
        for line in content:
            options.add(*items.option(line.text))
            check_size(options.characters, name, line.number)
    except InvalidLineError as error:
        for _ in content:  # read on: a damaged or oversized input must raise FormatError
            pass
        yield Entry.wrong(first.number, first.text, f"line {line.number}: {error}")
        return
    text = options.text(
        items.primary,
        items.secondary,
        items.names,
        multiplicities=multiplicities,
        set_cover=SET_COVER in comments,
    )
    yield Entry(first.number, None, text, kind=Kind.COVER, costs=options.has_costs)


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
    for word in words:
        if not COST.fullmatch(word, 1):
            why = f"`{excerpt(word)}` is not a cost; a cost is `|` and a whole number"
            raise InvalidLineError(why)
    cost = sum(int((word[1:].lstrip("0") or "0")[:COST_DIGITS]) for word in words)
    if cost > MAX_COST:
        raise InvalidLineError(f"this option costs more than {MAX_COST:,}")
    return cost if words else None
