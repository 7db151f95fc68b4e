"""The distributions of a summary as bytes, for one column of its row.

Each section has its number of entries, in 4 bytes, and then its columns.  Integers and
floats are little-endian.  All of it is compressed, to half its size.
"""

import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from storage.summaries.summary import Effort, Summary, Times, TimesBy

#: of the compression; others take twice as long and save no more than 6 %
LEVEL = 1
#: types of the columns of each section, as of `array`: keys, then what belongs to them
_COUNTS = "HI"  # buckets, numbers of values
_SCORES = "qI"
_GROUPS = "iIdd"  # values, puzzles, total ms, max ms
_EFFORTS = "qdq"


def pack(summary: Summary) -> bytes:
    """Return the distributions of a summary as bytes."""
    sections = (
        _section(_COUNTS, summary.ms.items()),
        _section(_COUNTS, summary.nodes.items()),
        _section(_SCORES, summary.scores.items()),
        _section(_GROUPS, ((value, *group) for value, group in summary.clues.items())),
        _section(_GROUPS, ((value, *group) for value, group in summary.sizes.items())),
        _section(_EFFORTS, summary.hardest),
    )
    return zlib.compress(b"".join(sections), LEVEL)


def unpack(data: bytes) -> dict[str, Any]:
    """Return the distributions as fields of `Summary`."""
    reader = _Reader(zlib.decompress(data))
    return {
        "ms": Counter(dict(reader.rows(_COUNTS))),
        "nodes": Counter(dict(reader.rows(_COUNTS))),
        "scores": Counter(dict(reader.rows(_SCORES))),
        "clues": _groups(reader.rows(_GROUPS)),
        "sizes": _groups(reader.rows(_GROUPS)),
        "hardest": [Effort(*row) for row in reader.rows(_EFFORTS)],
    }


def _groups(rows: Iterable[Sequence[Any]]) -> TimesBy:
    return {value: Times(*rest) for value, *rest in rows}


def _section(types: str, rows: Iterable[Sequence[float]]) -> bytes:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    parts = [array("I", [len(columns[0])]), *map(array, types, columns)]
    return b"".join(map(to_bytes, parts))


class _Reader:
    """Reads one section after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def rows(self, types: str) -> Iterator[tuple[Any, ...]]:
        """Return the rows of the next section."""
        (number,) = self._column("I", 1)
        return zip(*(self._column(type_, number) for type_ in types), strict=True)

    def _column(self, type_: str, number: int) -> "array[Any]":
        begin, self._at = self._at, self._at + number * array(type_).itemsize
        return from_bytes(type_, self._data[begin : self._at])


def to_bytes(values: "array[Any]") -> bytes:
    """Return numbers as bytes, little-endian on every machine."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def from_bytes(type_: str, data: bytes) -> "array[Any]":
    """Return the numbers of bytes; `type_` is their type code as of `array`."""
    values = array(type_)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
