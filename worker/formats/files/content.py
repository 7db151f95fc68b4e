"""Recognises text, NumPy arrays and compressed files by their first bytes, and reads lines."""

from collections.abc import Iterator
from contextlib import closing

from worker.formats.errors import FormatError
from worker.formats.files import text
from worker.formats.files.compressed import Decompressed, is_compressed
from worker.formats.files.stream import HEAD_BYTES, Readable, read
from worker.formats.files.text import TextBlock

#: first bytes of a NumPy array file
NUMPY_MAGIC = b"\x93NUMPY"
#: first bytes of files that are not text, with the problem and the remedy
UNREADABLE = (
    (b"\xff\xfe", "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
    (b"\xfe\xff", "is UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8 FILE"),
    (b"%PDF", "is a PDF", "save its puzzles as plain text"),
    (b"SQLite format 3", "is an SQLite database", "open it with --db, and give a puzzle file here"),
)


def blocks(stream: Readable, name: str, asked: str | None = None) -> Iterator[TextBlock]:
    """Yield the lines of an input in blocks of whole lines, the first of about HEAD_BYTES.

    Compressed input is decompressed.  An array becomes lines of cells; `asked`, the value of
    --from, decides whether these are grids or the rows of a matrix.
    """
    start = read(stream, HEAD_BYTES, name)
    if not is_compressed(start):
        yield from _blocks(start, stream, name, asked)
        return
    with closing(Decompressed(start, stream, name)) as content:
        yield from _blocks(read(content, HEAD_BYTES, name), content, name, asked)


def _blocks(start: bytes, rest: Readable, name: str, asked: str | None) -> Iterator[TextBlock]:
    if start.startswith(NUMPY_MAGIC):
        from worker.formats.files import npy  # noqa: PLC0415 # NumPy takes 0.1 s to import

        return npy.blocks(start, rest, name, asked)
    for magic, what, remedy in UNREADABLE:
        if start.startswith(magic):
            raise FormatError(name, what, remedy=remedy)
    return text.blocks(start, rest, name)
