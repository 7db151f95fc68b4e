"""Bytes -> numbered lines, in constant memory.

Any mixture of LF, CRLF and CR ends a line.  Text is UTF-8; a line that is not is taken as Latin-1,
so that an old comment spoils nothing.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple, Protocol

from worker.formats.errors import FormatError

#: bytes seen before the format is decided
HEAD = 64 * 1024
#: bytes read at a time after that
BLOCK = 256 * 1024
#: bytes a line may have, about; the longest puzzle line is far below
LONGEST = 1024 * 1024

#: first bytes of gzip, zstd, bzip2, xz and zip
PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ", b"PK\x03\x04", b"PK\x05\x06")
#: first bytes of files that are no text, and how to make them text
MAGIC = (
    (b"\xff\xfe", "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
    (b"\xfe\xff", "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
    (b"%PDF", "is a PDF", "save its puzzles as plain text"),
    (b"SQLite format 3", "is an SQLite database", "give it to --db, and a puzzle file here"),
)
NUMPY = b"\x93NUMPY"
BOM = b"\xef\xbb\xbf"


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """At most so many; none at the end."""


class Line(NamedTuple):
    """A line and its number, from 1."""

    number: int
    text: str


class Block(NamedTuple):
    """Some whole lines as bytes, each ended by LF (the input's last may lack it)."""

    first: int  #: number of the first line
    data: bytes


def blocks(stream: Readable, name: str, asked: str | None = None) -> Iterator[Block]:
    """The stream, unpacked if need be, in blocks of whole lines; the first is about HEAD bytes.

    What --from has `asked` for decides what the lines of an array are.
    """
    start = _read(stream, HEAD, name)
    if not start.startswith(PACKED):
        yield from _blocks(start, stream, name, asked)
        return
    from worker.formats.files.compressed import Unpacked  # noqa: PLC0415 # seldom needed

    with closing(Unpacked(start, stream, name)) as content:
        yield from _blocks(_read(content, HEAD, name), content, name, asked)


def _blocks(start: bytes, content: Readable, name: str, asked: str | None) -> Iterator[Block]:
    """Those of the content, of which `start` was read already."""
    if start.startswith(NUMPY):
        from worker.formats.files.npy import array_lines  # noqa: PLC0415 # seldom needed

        yield from array_lines(start, content, name, asked)
        return
    first, rest, piece = 1, b"", _without_bom(start, name)
    while piece:
        following = _read(content, BLOCK, name)
        whole, rest = _cut(rest + piece) if following else (rest + piece, b"")
        if whole:
            block = _checked(first, whole, name)
            yield block
            first += block.data.count(b"\n")
        if len(rest) > LONGEST:
            raise FormatError(
                name,
                f"more than {LONGEST:,} bytes without a line end",
                line=first,
                cure="this is no puzzle file, or its line ends are lost",
            )
        piece = following


def lines(source: Iterable[Block]) -> Iterator[Line]:
    """The lines of the blocks."""
    for block in source:
        texts = _texts(block.data)
        if not texts[-1]:  # after the last LF
            texts.pop()
        yield from map(Line, range(block.first, block.first + len(texts)), texts)


def decoded(line: bytes) -> str:
    """A single line as text."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _texts(data: bytes) -> list[str]:
    try:
        return data.decode().split("\n")
    except UnicodeDecodeError:
        return [decoded(line) for line in data.split(b"\n")]


def _read(stream: Readable, size: int, name: str) -> bytes:
    try:
        return stream.read(size)
    except OSError as error:
        raise FormatError(name, f"cannot be read ({error.strerror or error})") from error


def _without_bom(piece: bytes, name: str) -> bytes:
    for magic, what, cure in MAGIC:
        if piece.startswith(magic):
            raise FormatError(name, what, cure=cure)
    return piece.removeprefix(BOM)


def _cut(data: bytes) -> tuple[bytes, bytes]:
    """Whole lines, and the begun one after them."""
    cut = data.rfind(b"\n") + 1
    if not cut:
        cut = data.rfind(b"\r", 0, -1) + 1  # the very last may be half of a CRLF
    return data[:cut], data[cut:]


def _checked(first: int, data: bytes, name: str) -> Block:
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    nul = data.find(b"\0")
    if nul >= 0:
        raise FormatError(
            name,
            "a NUL byte, so this is no text",
            line=first + data.count(b"\n", 0, nul),
            cure="give a text file (UTF-16 converts with: iconv -f UTF-16 -t UTF-8 FILE)",
        )
    return Block(first, data)
