"""Turns UTF-16 text with a byte order mark into UTF-8, while it is read."""

import codecs

from worker.formats.errors import FormatError
from worker.formats.files.stream import Readable, read

#: the byte order marks of UTF-16, little-endian and big-endian
MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Utf8:
    """A stream of UTF-16, whose first bytes `start` were read already, as a stream of UTF-8."""

    def __init__(self, start: bytes, rest: Readable, name: str) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._start = start
        self._rest = rest
        self._name = name

    def read(self, size: int, /) -> bytes:
        """Return about `size` bytes; none at the end.  Raises FormatError for damaged text."""
        text, data = "", b"."
        while data and not text:
            data, self._start = self._start or read(self._rest, size, self._name), b""
            try:
                text = self._decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                why = f"is damaged UTF-16 text ({error.reason})"
                raise FormatError(self._name, why, remedy="save it as UTF-8") from error
        return text.encode()
