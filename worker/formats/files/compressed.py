"""Packed input: recognised by its first bytes, and unpacked as it is read, in constant memory."""

import bz2
import gzip
import io
import lzma
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, BinaryIO, TypeAlias, cast

from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.formats.files.text import Readable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: what unpacking fails with; RuntimeError is a zip's password, and the three above it are what
#: `zipfile` says of nonsense in an archive's lists
BROKEN = (
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
#: from a packed stream to its content; what it opens meanwhile is for the stack to close
Way: TypeAlias = "Callable[[BinaryIO, ExitStack], BinaryIO]"
#: names that are quoted of an archive with several files
NAMED = 3
#: how files in a zip may be packed; what else there is may ask for any memory
KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
#: bytes that the list of a zip's files may have: some thousand names
LISTED = 1 << 20
#: bytes of xz read at a time
PIECE = 64 << 10
#: bytes of memory that unpacking xz may take; `xz -9` wants 65 MB
ROOM = 256 << 20


class Unpacked:
    """What is in a packed stream whose first bytes were read already.

    FormatError says what is wrong with the packing, as soon as it shows.
    """

    def __init__(self, start: bytes, rest: Readable, name: str) -> None:
        self._name = name
        self._opened = ExitStack()
        packed = cast(BinaryIO, io.BufferedReader(_Joined(start, rest)))
        open_ = next(way for magic, way in _WAYS.items() if start.startswith(magic))
        try:
            self._content = open_(packed, self._opened)
        except BROKEN as error:
            self.close()
            raise self._broken(error) from error
        except _NotOneFileError as fault:
            self.close()
            cure = "unpack it, and give the files that you mean"
            raise FormatError(name, str(fault), cure=cure) from None

    def read(self, size: int) -> bytes:
        """As of any stream."""
        try:
            return self._content.read(size)
        except BROKEN as error:
            raise self._broken(error) from error

    def close(self) -> None:
        """Give back what was opened for it; the packed stream stays open."""
        self._opened.close()

    def _broken(self, error: Exception) -> FormatError:
        why = excerpt(str(error) or type(error).__name__)
        cure = "get it anew, or unpack it by hand"
        return FormatError(self._name, f"cannot be unpacked ({why})", cure=cure)


class _Joined(io.RawIOBase):
    """Bytes that were read, and the stream that they came from."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # io asks for no more
        data, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        data = data or self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Xz(io.RawIOBase):
    """What is in xz streams, one after the other; as `lzma.LZMAFile`, but in bounded memory."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed
        self._stream = self._new_stream()
        self._ahead = b""  #: read already: the beginning of another stream

    def _new_stream(self) -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=ROOM)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # io asks for no more
        data = b""
        while not data and self._goes_on():
            more, self._ahead = self._ahead, b""
            if self._stream.needs_input and not more:
                more = self._packed.read(PIECE)
                if not more:
                    raise EOFError("it ends too early")
            data = self._stream.decompress(more, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _goes_on(self) -> bool:
        """Whether there is more; zeros may stand between two streams and after the last."""
        if not self._stream.eof:
            return True
        ahead = self._stream.unused_data.lstrip(b"\0")
        while not ahead and (more := self._packed.read(PIECE)):
            ahead = more.lstrip(b"\0")
        if ahead:
            self._stream, self._ahead = self._new_stream(), ahead
        return bool(ahead)


class _NotOneFileError(Exception):
    """An archive from which nobody can tell which file is meant."""


class _Spared:
    """A zip's file, whose list `zipfile` reads in one go: none that fills the memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > LISTED:
            raise zipfile.BadZipFile(f"its list of files has {size:,} bytes")
        return self._file.read(size)


def _only_file(packed: BinaryIO, opened: ExitStack) -> BinaryIO:
    """A zip's; the list of its files is at its end, so it is written down first."""
    whole = opened.enter_context(tempfile.TemporaryFile(prefix="bullseye-"))  # noqa: SIM115 # so it is
    shutil.copyfileobj(packed, whole)
    archive = opened.enter_context(zipfile.ZipFile(cast(BinaryIO, _Spared(whole))))
    files = [one for one in archive.infolist() if _is_content(one)]
    if len(files) != 1:
        names = ", ".join([one.filename for one in files[:NAMED]] + ["…"] * (len(files) > NAMED))
        raise _NotOneFileError(
            f"is a zip archive of {len(files)} files ({excerpt(names) or 'none'})"
        )
    if (method := files[0].compress_type) not in KNOWN:
        raise _NotOneFileError(f"is a zip archive packed by a rare method ({method})")
    return cast(BinaryIO, opened.enter_context(archive.open(files[0])))


def _is_content(one: zipfile.ZipInfo) -> bool:
    """Not a folder, and none of the files that a Mac adds."""
    return not (one.is_dir() or one.filename.startswith("__MACOSX/"))


def _by(open_: Callable[[BinaryIO], Any]) -> Way:
    return lambda packed, opened: cast(BinaryIO, opened.enter_context(open_(packed)))


_WAYS: dict[bytes, Way] = {
    b"\x1f\x8b": _by(lambda packed: gzip.GzipFile(fileobj=packed)),
    b"\x28\xb5\x2f\xfd": _by(zstd.ZstdFile),
    b"BZh": _by(bz2.BZ2File),
    b"\xfd7zXZ": _by(_Xz),
    b"PK\x03\x04": _only_file,
    b"PK\x05\x06": _only_file,  # an archive without a file
}
