"""The distributions of a summary as bytes, for one column of its row.

Each section has its number of entries, in 4 bytes, and then its columns.  Integers and
floats are little-endian, as on x86-64.  All of it is compressed, to half its size.
"""

import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
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
    rows = partial(_rows, BytesIO(zlib.decompress(data)))
    return {
        "ms": Counter(dict(rows(_COUNTS))),
        "nodes": Counter(dict(rows(_COUNTS))),
        "scores": Counter(dict(rows(_SCORES))),
        "clues": _groups(rows(_GROUPS)),
        "sizes": _groups(rows(_GROUPS)),
        "hardest": [Effort(*row) for row in rows(_EFFORTS)],
    }


def _groups(rows: Iterable[Sequence[Any]]) -> TimesBy:
    return {value: Times(*rest) for value, *rest in rows}


def _section(types: str, rows: Iterable[Sequence[float]]) -> bytes:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return b"".join([array("I", [len(columns[0])]), *map(array, types, columns)])


def _rows(data: BytesIO, types: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows of the next section."""
    (number,) = array("I", data.read(array("I").itemsize))
    columns = [array(type_, data.read(number * array(type_).itemsize)) for type_ in types]
    return zip(*columns, strict=True)
