"""A number that is known only within limits."""

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

#: standard errors from the estimate to either end of a range. With a normal distribution, and as
#: many samples as are taken here, 97 of 100 ranges would hold the truth.
WIDTH = 2.5
#: an estimate is never taken to be more precise than this, relative to its size
LEAST_ERROR = 0.01


class Range(NamedTuple):
    """An estimate, and the limits between which the truth is expected."""

    low: float
    likely: float
    high: float

    @property
    def error(self) -> float:
        """The standard error of the logarithm of the estimate; infinite if nothing is known."""
        if self.likely <= 0 or math.isinf(self.high):
            return math.inf if self.high > self.low else 0.0
        return math.log(max(self.high / self.likely, 1.0)) / WIDTH

    def times(self, factor: float, error: float = 0.0) -> "Range":
        """Return the range of the product with a factor that has this relative error.

        >>> Range(1.0, 2.0, 4.0).times(10)
        Range(low=10.0, likely=20.0, high=40.0)
        """
        if error == 0 or math.isinf(self.error):
            return Range(*(factor * end for end in self))
        return around(self.likely * factor, math.hypot(self.error, error))

    def times_range(self, other: "Range") -> "Range":
        """Return the range of the product with another number that is not below zero."""
        return Range(*(a * b if b else 0.0 for a, b in zip(self, other, strict=True)))

    def plus(self, number: float) -> "Range":
        """Return the range of the sum with a number that is known."""
        return Range(*(end + number for end in self))

    def encode(self) -> str:
        """Return the range as JSON, with null for an end that is not known.

        >>> Range(1.0, 2.0, math.inf).encode()
        '[1.0, 2.0, null]'
        """
        return json.dumps([None if math.isinf(end) else end for end in self])

    @classmethod
    def decode(cls, text: str) -> "Range":
        """Return the range that `encode` wrote.

        >>> Range.decode('[1.0, 2.0, null]')
        Range(low=1.0, likely=2.0, high=inf)
        """
        return cls(*(math.inf if end is None else end for end in json.loads(text)))

    def at_least(self, least: float) -> "Range":
        """Return the range without what is below `least`."""
        return Range(*(max(least, end) for end in self))


#: the range of a number of which nothing is known
UNKNOWN = Range(0.0, 0.0, math.inf)


def exactly(number: float) -> Range:
    """Return the range of a number that is known."""
    return Range(number, number, number)


def around(likely: float, error: float) -> Range:
    """Return the range of an estimate whose logarithm has this standard error.

    >>> around(100, 0.1).low < 78 < 128 < around(100, 0.1).high
    True
    """
    if likely <= 0 or math.isinf(error):
        return Range(0.0, max(likely, 0.0), math.inf)
    factor = math.exp(WIDTH * error)
    return Range(likely / factor, likely, likely * factor)


def mean(samples: Sequence[float]) -> Range:
    """Return the range of the mean of a distribution, given independent samples of it.

    Without a sample above zero nothing is known but that the mean is not negative.
    """
    count, likely = len(samples), sum(samples) / len(samples)
    if likely == 0 or count == 1:
        return Range(0.0, likely, math.inf)
    square = math.fsum((one - likely) ** 2 for one in samples) / (count - 1)
    return around(likely, max(LEAST_ERROR, math.sqrt(square / count) / likely))
