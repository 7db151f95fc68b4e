"""What a file is read into: its puzzles, and the way it writes them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count, repeat
from typing import Any, NamedTuple, Self

#: sides of the grids we read, by their number of cells
SIDES = {16: 4, 81: 9, 256: 16, 625: 25}
#: characters that may stand for an empty cell, unless the alphabet has them as values
EMPTY = ".0*_-xX"
#: our own symbols of the values 1 to 25
DIGITS = "123456789ABCDEFGHIJKLMNOP"
#: the judges' symbols of the values 1 to 25
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
#: hexadecimal symbols of the values 1 to 16: here `0` is a value
HEX = "0123456789ABCDEF"
#: what a cell that cannot be read becomes on the way
BAD = "?"
#: how much of a bad line is kept for the message
SHOWN = 200
#: characters a label may have
LABEL = 100


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


@dataclass(frozen=True, slots=True)
class Layout:
    """How an input writes its puzzles, so that `judge` can answer in kind."""

    format: str  #: a name of FORMATS
    kind: str  #: sudoku or cover
    size: int | None = None  #: side of its grids; None where they differ, and for covers
    alphabet: str | None = None  #: symbols of empty, 1, 2, ...; None: whole numbers, 0 is empty
    shape: str | None = None  #: of a grid: `lines` (one a line), `rows`, or `spaced` rows
    counted: bool = False  #: a lone count heads the input
    ended: bool = False  #: a line `end` closes it
    apart: bool = False  #: blank lines or rules stand between its grids
    banded: bool = False  #: blank lines stand between the bands of a grid, so they end nothing
    ruled: bool = False  #: a line of dashes as wide as a grid is a rule, not an empty row

    def symbols(self, side: int) -> str:
        """The symbols of empty, 1, 2, ... in grids of this side."""
        if self.alphabet is None or (self.size is None and side < 16):
            return "." + DIGITS[:side]
        return self.alphabet

    def to_json(self) -> dict[str, Any]:
        """As plain values, for the batch's options."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Back from `to_json`; unknown keys are passed over."""
        return cls(**{name: values[name] for name in cls.__slots__ if name in values})


def shown(text: str) -> str:
    """A raw line, fit for a message: cut short, without control characters."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:SHOWN])


class Cells(dict[int, str]):
    """A `str.translate` table from an alphabet to our own; what is no cell becomes BAD.

    >>> "A-c".translate(Cells(".ABCD", 4)), "1.5".translate(Cells(".1234", 4))
    ('1.3', '1.?')
    """

    def __init__(self, alphabet: str, side: int) -> None:
        super().__init__({ord(symbol): "." for symbol in EMPTY + alphabet[0]})
        for symbol, value in zip(alphabet[1 : side + 1], DIGITS, strict=False):
            self[ord(symbol)] = self[ord(symbol.lower())] = value

    def __missing__(self, _: int) -> str:
        return BAD
