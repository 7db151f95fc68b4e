"""What a file is read into: its puzzles."""

from collections.abc import Iterator
from functools import partial
from itertools import count, repeat
from typing import NamedTuple


class Entry(NamedTuple):
    """One puzzle of the input, or one place that should be one and is not."""

    line: int  #: where it begins, from 1
    label: str | None  #: the name the input gave it
    text: str  #: a grid as `.1-9A-P` or a cover as JSON; of a bad one what was there, cut short
    error: str | None = None  #: what is wrong and how to cure it, if it is no puzzle
    solution: str | None = None  #: the one that the input gives, in the symbols of `text`


class Run(NamedTuple):
    """Neighbouring lines that are nothing but a grid each: an Entry for every one, in bulk."""

    line: int  #: the first one's, from 1
    size: int  #: how many
    text: str  #: the grids as `.1-9A-P`, each ended by LF

    def entries(self) -> Iterator[Entry]:
        """One by one."""
        new = partial(tuple.__new__, Entry)
        texts = self.text.split("\n")
        nothing = repeat(None)
        return map(new, zip(count(self.line), nothing, texts[:-1], nothing, nothing))
