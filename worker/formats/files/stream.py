"""Reads the bytes of an input in blocks, and turns errors of reading into FormatError."""

import io
from typing import BinaryIO, Protocol, cast

from worker.formats.errors import FormatError

#: bytes that are read before the format is detected
HEAD_BYTES = 64 * 1024
#: bytes that are read at a time after the head
BLOCK_BYTES = 256 * 1024


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


def read(stream: Readable, size: int, name: str) -> bytes:
    """Return at most `size` bytes of the input `name`, or raise FormatError if reading fails."""
    try:
        return stream.read(size)
    except OSError as error:
        raise FormatError(name, f"cannot be read ({error.strerror or error})") from error


def rewound(start: bytes, stream: Readable) -> BinaryIO:
    """Return a stream of `start` and then what is left of `stream`, which stays open.

    Its `read(size)` returns fewer bytes only at the end.
    """
    return cast(BinaryIO, io.BufferedReader(_Concatenated(start, stream)))


class _Concatenated(io.RawIOBase):
    def __init__(self, start: bytes, stream: Readable) -> None:
        self._start = start
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override] # io passes no other
        data, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        data = data or self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
