"""Turns bytes into numbered lines, in constant memory.

LF, CRLF and CR end a line, in any mixture.  Text is UTF-8, or UTF-16 with a byte order mark; a line
that is not valid UTF-8 is decoded as GB 18030 if it can be Chinese, else as Latin-1, so that a
comment in another encoding does not make the file unreadable.
"""

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO, NamedTuple, Protocol, cast

from worker.formats.errors import FormatError
from worker.sudoku.symbols import SIDES

#: bytes that are read before the format is detected
HEAD_BYTES = 64 * 1024
#: bytes that are read at a time after the head
BLOCK_BYTES = 256 * 1024
#: greatest length of a line in bytes; up to a block more is accepted
MAX_LINE_BYTES = 1024 * 1024
#: the byte order mark of UTF-8, which is skipped
BOM = b"\xef\xbb\xbf"
#: the byte order marks of UTF-16, little-endian and big-endian
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_ASCII = rb"[\x00-\x7f]*"
#: two or more of the signs and common characters of GB 2312, each of two bytes; the first one would
#: be a capital in Latin-1, and these hardly ever come in pairs only
CHINESE = re.compile(_ASCII + rb"(?:[\xa1-\xa9\xb0-\xd7][\xa1-\xfe]" + _ASCII + rb"){2,}")


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


def pieces_of(stream: Readable) -> Iterator[bytes]:
    """Yield what is left of a stream, which stays open."""
    return iter(partial(stream.read, HEAD_BYTES), b"")


def stream_of(pieces: Iterable[bytes]) -> BinaryIO:
    """Return a stream of these bytes, whose `read(size)` returns fewer only at the end."""
    return cast(BinaryIO, io.BufferedReader(_Joined(pieces), HEAD_BYTES))


def rewound(start: bytes, stream: Readable) -> BinaryIO:
    """Return a stream of `start` and then what is left of `stream`."""
    return stream_of(chain([start], pieces_of(stream)))


class _Joined(io.RawIOBase):
    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = filter(None, pieces)
        self._begun = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # io passes no other
        piece = self._begun or next(self._pieces, b"")
        data, self._begun = piece[: len(buffer)], piece[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


class Line(NamedTuple):
    """A line without its end, and its number from 1."""

    number: int
    text: str

    @property
    def has_content(self) -> bool:
        """Whether it is neither blank nor a comment."""
        text = self.text.strip()
        return bool(text) and not text.startswith("#")


class TextBlock(NamedTuple):
    """Whole lines as bytes, each ended by LF (which the last line of an input may lack)."""

    first: int  #: number of the first line
    data: bytes
    ends: int  #: how many LF it has


def blocks(start: bytes, rest: Readable) -> Iterator[TextBlock]:
    """Yield the text that begins with `start`, in blocks of whole lines.

    Raises FormatError if it contains a NUL byte, or a line longer than MAX_LINE_BYTES.
    """
    first, begun, piece = 1, b"", start.removeprefix(BOM)
    while piece:
        following = rest.read(BLOCK_BYTES)
        whole, begun = _cut(begun + piece) if following else (begun + piece, b"")
        if whole:
            block = _normalised(first, whole)
            yield block
            first += block.ends
        if len(begun) > MAX_LINE_BYTES:
            raise FormatError(
                f"more than {MAX_LINE_BYTES:,} bytes without a line end",
                line=first,
                remedy="give a puzzle file, with one puzzle or one row per line",
            )
        piece = following


def lines(source: Iterable[TextBlock]) -> Iterator[Line]:
    """Yield the lines of the blocks, decoded."""
    for block in source:
        try:
            texts = block.data.decode().split("\n")
        except UnicodeDecodeError:
            texts = [decoded(line) for line in block.data.split(b"\n")]
        if not texts[-1]:  # after the last LF
            texts.pop()
        yield from map(Line, range(block.first, block.first + len(texts)), texts)


def decoded(line: bytes) -> str:
    """Return a line decoded from UTF-8, or from GB 18030 or Latin-1 where it is not UTF-8.

    >>> decoded("题目,难度".encode("gb18030")), decoded("Größe, GRÖßE".encode("latin-1"))
    ('题目,难度', 'Größe, GRÖßE')
    """
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("gb18030" if CHINESE.fullmatch(line) else "latin-1")


def one_line(value: str) -> str:
    r"""Return a value of a table as one line; line ends between the rows of a grid are left out.

    >>> one_line("12..\n.4..\n...3\n..2."), one_line("by\n  Anna")
    ('12...4.....3..2.', 'by Anna')
    """
    words = value.split()
    return ("" if sum(map(len, words)) in SIDES else " ").join(words)


def _cut(data: bytes) -> tuple[bytes, bytes]:
    """Split at the last line end: whole lines, and the beginning of the next."""
    cut = data.rfind(b"\n") + 1
    if not cut:
        cut = data.rfind(b"\r", 0, -1) + 1  # a CR at the very end may be half of a CRLF
    return data[:cut], data[cut:]


def _normalised(first: int, data: bytes) -> TextBlock:
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    nul = data.find(b"\0")
    if nul >= 0:
        raise FormatError(
            "contains a NUL byte, so it is not text",
            line=first + data.count(b"\n", 0, nul),
            remedy="give a text file (UTF-16 needs a byte order mark)",
        )
    return TextBlock(first, data, data.count(b"\n"))


class Utf8:
    """A stream of UTF-16, whose first bytes `start` were read already, as a stream of UTF-8."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._text = io.TextIOWrapper(rewound(start, rest), "utf-16", newline="")

    def read(self, size: int, /) -> bytes:
        """Return `size` characters; none at the end.  Raises FormatError for damaged text."""
        try:
            return self._text.read(size).encode()
        except UnicodeDecodeError as error:
            why = f"is damaged UTF-16 text ({error.reason})"
            raise FormatError(why, remedy="save it as UTF-8") from error
