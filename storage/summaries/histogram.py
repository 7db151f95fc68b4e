"""Approximate distributions of times and numbers of nodes.

A value is counted in the bucket of its bfloat16, truncated: 128 buckets from each power of two to
the next.  This is a DDSketch (Masson et al. 2019) whose mapping is linear between powers of two:
the middle of a bucket differs from its values by at most 1/257, and sketches are merged by adding
their counts.  Integers below 256 have a bucket of their own.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from struct import pack, unpack
from typing import TypeVar

Percent = TypeVar("Percent", int, float)
Value = TypeVar("Value", int, float)

#: greatest relative error of a percentile, in percent; the true limit is 0.4
MAX_ERROR_PERCENT = 1
#: the upper halves of floats with 32 bits, which are little-endian on x86-64
_UPPER = slice(1, None, 2)

#: number of values by bucket
Histogram = Mapping[int, int]


def count(values: Iterable[float]) -> Counter[int]:
    """Count values that are not negative by bucket.

    >>> sorted(count([0, 1, 1, 1.001, 2]).items())
    [(0, 1), (16256, 3), (16384, 1)]
    """
    return Counter(_buckets(values))


def count_integers(values: Iterable[int]) -> Counter[int]:
    """Return the same as `count`, in less time if many values are equal."""
    numbers = Counter(values)
    found = Counter[int]()
    for bucket, number in zip(_buckets(numbers), numbers.values(), strict=True):
        found[bucket] += number
    return found


def _buckets(values: Iterable[float]) -> "array[int]":
    halves = array("H")
    halves.frombytes(array("f", values).tobytes())
    return halves[_UPPER]


def least(bucket: int) -> float:
    """Return the least value of a bucket.

    >>> least(16256), least(16257), least(0)
    (1.0, 1.0078125, 0.0)
    """
    (value,) = unpack(">f", pack(">I", bucket << 16))
    return float(value)


def middle(bucket: int) -> float:
    """Return the value that stands for those of a bucket.

    >>> middle(16256), middle(0)
    (1.00390625, 0.0)
    """
    return (least(bucket) + least(bucket + 1)) / 2 if bucket else 0.0


def nearest_ranks(
    values: Sequence[Value], numbers: Iterable[int], percents: Sequence[Percent]
) -> dict[Percent, Value]:
    """Return percentiles by the nearest-rank method, without interpolation.

    `values` are ascending, and `numbers` say how often each occurs.

    >>> nearest_ranks([0, 5, 7], [97, 2, 1], (50, 98, 100))
    {50: 0, 98: 5, 100: 7}
    """
    ends = array("q", accumulate(numbers))
    return {p: values[bisect_left(ends, ends[-1] * p / 100)] for p in percents}


def percentiles(counts: Histogram, percents: Sequence[Percent]) -> dict[Percent, float]:
    """Return percentiles, each as the middle of its bucket.

    >>> percentiles(count(range(1, 101)), (0, 50, 100))
    {0: 1.00390625, 50: 50.125, 100: 100.25}
    """
    buckets = sorted(counts)
    found = nearest_ranks(buckets, (counts[bucket] for bucket in buckets), percents)
    return {p: middle(bucket) for p, bucket in found.items()}


def doublings(counts: Histogram, at_least: float) -> list[tuple[float, int]]:
    """Return the number of values from each power of two to the next, from the least value on.

    Values below `at_least`, a power of two, are counted with those that follow it.

    >>> doublings(count([0.25, 0.3, 1.0, 1.9]), 2.0**-10)
    [(0.25, 2), (0.5, 0), (1.0, 2)]
    """
    found = Counter[int]()
    (first,) = count([at_least])
    for bucket, number in counts.items():
        found[max(first, bucket) >> 7] += number
    steps = range(min(found), max(found) + 1) if found else ()
    return [(least(step << 7), found[step]) for step in steps]
