"""Recognises text, NumPy arrays and compressed files by their first bytes, and reads lines."""

from collections.abc import Iterator
from contextlib import closing

from worker.formats.errors import FormatError
from worker.formats.files import text
from worker.formats.files.compressed import Decompressed, is_compressed
from worker.formats.files.text import HEAD_BYTES, MARKS, Readable, TextBlock, Utf8, read

#: first bytes of a NumPy array file
NUMPY_MAGIC = b"\x93NUMPY"
#: bytes of the header of a tar archive, and their place
TAR_MAGIC, TAR_MAGIC_AT = b"ustar", 257
#: first bytes of files that are not text, with the problem and the remedy
UNREADABLE = (
    (b"%PDF", "is a PDF", "save its puzzles as plain text"),
    (b"SQLite format 3", "is an SQLite database", "open it with --db, and give a puzzle file here"),
)


def blocks(stream: Readable, name: str, requested: str | None = None) -> Iterator[TextBlock]:
    """Yield the lines of an input in blocks of whole lines, the first of about HEAD_BYTES.

    Compressed input is decompressed.  An array becomes lines of cells; `requested`, the value of
    --from, decides whether these are grids or the rows of a matrix.
    """
    start = read(stream, HEAD_BYTES, name)
    if not is_compressed(start):
        yield from _blocks(start, stream, name, requested)
        return
    with closing(Decompressed(start, stream, name)) as content:
        yield from _blocks(read(content, HEAD_BYTES, name), content, name, requested)


def _blocks(start: bytes, rest: Readable, name: str, requested: str | None) -> Iterator[TextBlock]:
    if start.startswith(NUMPY_MAGIC):
        from worker.formats.files import npy  # noqa: PLC0415 # NumPy takes 0.1 s to import

        return npy.blocks(start, rest, name, requested)
    for magic, what, remedy in UNREADABLE:
        if start.startswith(magic):
            raise FormatError(name, what, remedy=remedy)
    if start.startswith(TAR_MAGIC, TAR_MAGIC_AT):
        raise FormatError(name, "is a tar archive", remedy="unpack it and give the files in it")
    if start.startswith(MARKS):
        rest = Utf8(start, rest, name)
        start = rest.read(HEAD_BYTES)
    return text.blocks(start, rest, name)
