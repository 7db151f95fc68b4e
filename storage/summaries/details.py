"""The distributions of a summary as bytes, for one column of its row.

A section follows the other: how many entries it has, in 4 bytes, then its columns.  Integers and
floats are little-endian.
"""

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from storage.summaries.summary import Effort, Group, Groups, Summary

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
    return b"".join(sections)


def unpack(data: bytes) -> dict[str, Any]:
    """Return the distributions as fields of `Summary`."""
    reader = _Reader(data)
    return {
        "ms": Counter(dict(reader.rows(_COUNTS))),
        "nodes": Counter(dict(reader.rows(_COUNTS))),
        "scores": Counter(dict(reader.rows(_SCORES))),
        "clues": _groups(reader.rows(_GROUPS)),
        "sizes": _groups(reader.rows(_GROUPS)),
        "hardest": [Effort(*row) for row in reader.rows(_EFFORTS)],
    }


def _groups(rows: Iterable[Sequence[Any]]) -> Groups:
    return {value: Group(*rest) for value, *rest in rows}


def _section(types: str, rows: Iterable[Sequence[float]]) -> bytes:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    parts = [array("I", [len(columns[0])]), *map(array, types, columns)]
    return b"".join(map(_bytes, parts))


def _bytes(part: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        part.byteswap()
    return part.tobytes()


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
        column = array(type_)
        end = self._at + number * column.itemsize
        column.frombytes(self._data[self._at : end])
        self._at = end
        if sys.byteorder == "big":
            column.byteswap()
        return column
