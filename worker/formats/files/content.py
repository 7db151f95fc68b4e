"""The content of a file by its first bytes: compressed, a NumPy array, UTF-16 or other text.

It is decompressed while it is read.  Memory stays constant, whatever size a compressed file
declares.
"""

import bz2
import gzip
import lzma
import re
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import chain
from typing import BinaryIO, TypeAlias, cast

from worker.formats.errors import FormatError, excerpt
from worker.formats.files import text
from worker.formats.files.text import Readable, TextBlock
from worker.formats.names import PUZZLES, SPREADSHEETS

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: first bytes of a NumPy array file
NUMPY_MAGIC = b"\x93NUMPY"
#: first bytes of Parquet files, of Arrow's, which are also called Feather, and of its streams
ARROW_MAGIC = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
UNPACK = "unpack it and give the files that contain puzzles"
AS_XLSX = "save it as .xlsx or CSV"
OPEN_DB = "open it with --db, and give a puzzle file here"
#: how an HTML page begins, and what a page with tables has
HTML_PAGE = re.compile(rb"\s*<(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE)
HTML_CELL = re.compile(rb"<t[dh]\b", re.IGNORECASE)
#: the place and the bytes that tell files that are not text, with the problem and the remedy
UNREADABLE = (
    (0, b"%PDF", "is a PDF", "extract its text: pdftotext -layout FILE"),
    (0, b"\xd0\xcf\x11\xe0", "is a file of an old office program, such as .xls", AS_XLSX),
    (0, b"\x89PNG", "is a picture", "give the puzzles as text"),
    (0, b"\xff\xd8\xff", "is a picture", "give the puzzles as text"),
    (0, b"\x89HDF", "is an HDF5 file", "save its table as Parquet or CSV"),
    (0, b"\x80\x04\x95", "is a pickle, which Bullseye does not load", "save its table as Parquet"),
    (0, b"7z\xbc\xaf", "is a 7z archive", UNPACK),
    (0, b"Rar!", "is a RAR archive", UNPACK),
    (0, b"SQLite format 3", "is an SQLite database", OPEN_DB),
    (257, b"ustar", "is a tar archive", UNPACK),
)
#: what decompressing damaged data raises; `zipfile` raises LookupError, ValueError and struct.error
#: for a damaged list of files, and RuntimeError for an encrypted file
DAMAGED = (
    EOFError,
    OSError,
    LookupError,
    ValueError,
    struct.error,
    RuntimeError,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zlib.error,
    zstd.ZstdError,
)
#: opens a compressed stream, which stays open itself
Opener: TypeAlias = "Callable[[BinaryIO], AbstractContextManager[Readable]]"
#: greatest number of file names in a message about an archive
MAX_NAMES_QUOTED = 3
#: methods by which a file in a zip archive may be compressed; others may need any amount of memory
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
#: greatest size of a zip archive's list of files in bytes: enough for thousands of names
MAX_ZIP_LIST_BYTES = 1 << 20
#: greatest memory for decompressing xz, in bytes; `xz -9` needs 65 MB
MAX_XZ_MEMORY_BYTES = 256 << 20


def blocks(stream: Readable, requested: str | None = None) -> Iterator[TextBlock]:
    """Yield the lines of an input in blocks of whole lines, the first of about text.HEAD_BYTES.

    Compressed input is decompressed.  An array becomes lines of cells; `requested`, the value of
    --from, decides whether these are grids or the rows of a matrix.
    """
    start = stream.read(text.HEAD_BYTES)
    open_ = next((open_ for magic, open_ in _OPENERS.items() if start.startswith(magic)), None)
    if open_ is None:
        yield from _blocks(start, stream, requested)
        return
    with closing(_decompressed(open_, text.rewound(start, stream))) as pieces:
        content = text.stream_of(pieces)
        yield from _blocks(content.read(text.HEAD_BYTES), content, requested)


def _blocks(start: bytes, rest: Readable, requested: str | None) -> Iterator[TextBlock]:
    if start.startswith(NUMPY_MAGIC):
        from worker.formats.files import npy  # noqa: PLC0415 # NumPy takes 0.1 s to import

        return npy.blocks(start, rest, requested)
    if start.startswith(ARROW_MAGIC):
        try:
            from worker.formats.files import arrow  # noqa: PLC0415 # pyarrow is optional
        except ImportError as error:
            what = f"is a Parquet or Arrow file, which needs {error.name}"
            raise FormatError(what, remedy="pip install 'bullseye[parquet]'") from error
        return arrow.blocks(start, rest)
    for place, magic, what, remedy in UNREADABLE:
        if start.startswith(magic, place):
            raise FormatError(what, remedy=remedy)
    if start.startswith(text.UTF16_MARKS):
        rest = text.Utf8(start, rest)
        start = rest.read(text.HEAD_BYTES)
    if HTML_PAGE.match(start) and HTML_CELL.search(start):
        from worker.formats.files import html  # noqa: PLC0415 # as rare as what follows

        rest = text.stream_of(html.lines(text.rewound(start, rest)))
        start = rest.read(text.HEAD_BYTES)
    return text.blocks(start, rest)


def _decompressed(open_: Opener, compressed: BinaryIO) -> Generator[bytes, None, None]:
    """Yield the content of a compressed stream; raise FormatError if it is damaged."""
    try:
        with open_(compressed) as content:
            yield from text.pieces_of(content)
    except DAMAGED as error:
        what = f"cannot be decompressed ({excerpt(str(error) or type(error).__name__)})"
        remedy = "copy or download it again, or decompress it yourself"
        raise FormatError(what, remedy=remedy) from error


def _xz(compressed: BinaryIO) -> Iterator[bytes]:
    """Yield the content of consecutive xz streams; `lzma.LZMAFile` offers no limit on memory."""
    pieces = text.pieces_of(compressed)
    data = next(pieces, b"")
    while data:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ_MEMORY_BYTES)
        while not stream.eof:
            if stream.needs_input and not data:
                data = next(pieces, b"")
                if not data:
                    raise EOFError("it ends too early")
            yield stream.decompress(data, text.HEAD_BYTES)
            data = b""
        padded = chain([stream.unused_data], pieces)
        data = next(filter(None, (piece.lstrip(b"\0") for piece in padded)), b"")


class _BoundedFile:
    """A zip archive with a limit on each read: `zipfile` reads the whole list of files at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > MAX_ZIP_LIST_BYTES:
            raise zipfile.BadZipFile(f"its list of files has {size:,} bytes")
        return self._file.read(size)


@contextmanager
def _open_zip(compressed: BinaryIO) -> Iterator[Readable]:
    """Open a spreadsheet as CSV, or the only file of an archive.

    It is copied before, since its list of files is at its end.

    Raises FormatError if it has not exactly one file, or one that cannot be read safely.
    """
    with tempfile.TemporaryFile(prefix="bullseye-") as copy:
        shutil.copyfileobj(compressed, copy)
        bounded = cast(BinaryIO, _BoundedFile(copy))
        with zipfile.ZipFile(bounded) as archive:
            if not {*SPREADSHEETS}.isdisjoint(archive.namelist()):
                from worker.formats.files import sheets  # noqa: PLC0415 # its parser of XML

                yield text.stream_of(sheets.lines(archive))
                return
            with archive.open(_only_file(archive)) as content:
                yield content


def _only_file(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    own = "__MACOSX/"  # macOS adds it
    files = [
        info for info in archive.infolist() if not (info.is_dir() or info.filename.startswith(own))
    ]
    arrays = [info for info in files if _is_array_of_puzzles(info.filename)]
    files = arrays if len(arrays) == 1 else files
    if len(files) != 1:
        what = f"is a zip archive of {len(files)} files ({_names(files)})"
        raise FormatError(what, remedy=UNPACK)
    if (method := files[0].compress_type) not in ZIP_METHODS:
        what = f"is a zip archive with an unsupported compression method ({method})"
        raise FormatError(what, remedy=UNPACK)
    return files[0]


def _is_array_of_puzzles(name: str) -> bool:
    """Return whether a file in an archive is an array of puzzles that `numpy.savez` named so."""
    return name.endswith(".npy") and name.removesuffix(".npy").lower() in PUZZLES


def _names(files: list[zipfile.ZipInfo]) -> str:
    names = [info.filename for info in files[:MAX_NAMES_QUOTED]]
    return excerpt(", ".join(names + ["…"] * (len(files) > MAX_NAMES_QUOTED))) or "none"


_OPENERS: dict[bytes, Opener] = {
    b"\x1f\x8b": lambda compressed: gzip.GzipFile(fileobj=compressed),
    b"\x28\xb5\x2f\xfd": zstd.ZstdFile,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lambda compressed: text.stream_of(_xz(compressed)),
    b"PK\x03\x04": _open_zip,
    b"PK\x05\x06": _open_zip,  # an archive without a file
}
