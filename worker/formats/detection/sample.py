"""The beginning of an input, and a way to read it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.files.cleaning import Blanks, has_markup, plain_line
from worker.formats.files.text import Line
from worker.formats.layout import Layout
from worker.formats.names import NO_ROLES, Roles
from worker.formats.readers.columns import Columns

#: digits of the number of puzzles that may head an input
MAX_COUNT_DIGITS = 8


@dataclass(frozen=True)
class Sample:
    """The first lines of an input, and the format that --from asks for."""

    name: str
    lines: list[Line]
    complete: bool  #: these are all lines of the input
    requested: str | None = None  #: the value of --from
    roles: Roles = NO_ROLES  #: the columns that the user has chosen

    @cached_property
    def plain(self) -> "Sample":
        """The sample without the markup of forums and drawn boxes, as grids are read."""
        if not has_markup("\n".join(line.text for line in self.lines)):
            return self
        lines = [Line(line.number, plain_line(line.text)) for line in self.lines]
        return replace(self, lines=lines)

    @cached_property
    def content(self) -> list[Line]:
        """The lines up to `end` that are neither blank nor comments, stripped."""
        lines = takewhile(lambda line: line.text.strip() != "end", self.lines)
        return [Line(line.number, line.text.strip()) for line in lines if line.has_content]

    @cached_property
    def count(self) -> int | None:
        """The whole number that is the first of several lines, if it is one."""
        first = self.content[0].text if len(self.content) > 1 else ""
        if first.isascii() and first.isdecimal() and len(first) <= MAX_COUNT_DIGITS:
            return int(first)
        return None

    @cached_property
    def body(self) -> list[Line]:
        """The content without that number."""
        return self.content if self.count is None else self.content[1:]


#: yields the puzzles of an input, given its lines
Reader = Callable[[Iterator[Line]], Iterator[Entry]]


class Reading(NamedTuple):
    """A way to read an input: its layout, further facts that the reader needs, and its support."""

    layout: Layout
    read: Reader | None  #: None for grids of one line each, which are read in blocks
    lines: int = 0  #: number of lines of the sample that it can read
    sides: tuple[int, ...] = ()  #: the sides of grids of one line each, the commonest first
    announced: int | None = None  #: the number of puzzles that the first line announces
    blanks: Blanks | None = None  #: how rows are written in which blanks are empty cells
    columns: Columns | None = None  #: the columns that the first line names
    doubt: FormatError | None = None  #: the reason to reject the input unless --from is given


#: returns how a format reads a sample, if it can
Match = Callable[[Sample], Reading | None]
