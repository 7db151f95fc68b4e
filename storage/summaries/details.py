"""The distributions of a summary as bytes, for one column of its row.

Each section has its number of entries, in 4 bytes, and then its columns.  Integers and
floats are little-endian, as on x86-64.  All of it is compressed, to half its size.
"""

import zlib
from array import array
from collections.abc import Iterable, Sequence
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
    columns = partial(_columns, BytesIO(zlib.decompress(data)))
    return {
        "ms": dict(zip(*columns(_COUNTS), strict=True)),
        "nodes": dict(zip(*columns(_COUNTS), strict=True)),
        "scores": dict(zip(*columns(_SCORES), strict=True)),
        "clues": _groups(*columns(_GROUPS)),
        "sizes": _groups(*columns(_GROUPS)),
        "hardest": list(map(Effort, *columns(_EFFORTS))),
    }


def _groups(values: Iterable[int], *times: Iterable[Any]) -> TimesBy:
    return dict(zip(values, map(Times, *times), strict=True))


def _section(types: str, rows: Iterable[Sequence[float]]) -> bytes:
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return b"".join([array("I", [len(columns[0])]), *map(array, types, columns)])


def _columns(data: BytesIO, types: str) -> "list[array[Any]]":
    """Return the columns of the next section."""
    (number,) = array("I", data.read(array("I").itemsize))
    return [array(type_, data.read(number * array(type_).itemsize)) for type_ in types]
