"""Ranges of numbers and of times as text and as JSON."""

import math
from collections.abc import Sequence
from typing import Any

from cli.formatting import milliseconds
from worker.estimate.ranges import Range

#: larger numbers are written with a power of ten
MAX_PLAIN = 10**6
#: an end of a range is shown with so many digits, rounded away from the other end
DIGITS = 2
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: units of time, and how many seconds they have
UNITS = (
    ("years", 365.25 * 86400),
    ("days", 86400.0),
    ("h", 3600.0),
    ("min", 60.0),
    ("s", 1.0),
    ("ms", 0.001),
)


def amount(number: Range) -> str:
    """Return a range of numbers as text; a single number if it is exact.

    >>> amount(Range(1146, 1146, 1146)), amount(Range(2.961e8, 3.03e8, 3.108e8))
    ('1,146', '2.9–3.2 × 10⁸')
    >>> amount(Range(51_200, 60_000, 71_000)), amount(Range(20, 0, math.inf))
    ('51,000–71,000', '20 or more')
    """
    if number.low == number.high:
        return f"{number.low:,.0f}"
    if math.isinf(number.high):
        return f"{_power(_down(number.low))} or more"
    low, high = _down(number.low), _up(number.high)
    if high < MAX_PLAIN:
        return f"{_plain(low)}–{_plain(high)}"
    exponent = math.floor(math.log10(max(low, 1)))
    if high >= 10.0 ** (exponent + 2):
        return f"{_power(low)} – {_power(high)}"
    scale = 10.0**exponent
    return f"{_plain(low / scale)}–{_plain(high / scale)} × 10{_superscript(exponent)}"


def span(seconds: Range) -> str:
    """Return a range of times in the unit that suits them.

    >>> span(Range(23.4, 26.5, 30.1)), span(Range(7000, 8000, 9000)), span(Range(0, 0, math.inf))
    ('23–31 s', '1.9–2.5 h', '0 ms or more')
    """
    longest = seconds.low if math.isinf(seconds.high) else seconds.high
    unit, size = next((one for one in UNITS if longest >= one[1]), UNITS[-1])
    if seconds.low == seconds.high:
        return f"{milliseconds(seconds.low / size)} {unit}"
    in_unit = seconds.times(1 / size)
    if math.isinf(seconds.high):
        return f"{_power(_down(in_unit.low))} {unit} or more"
    low, high = _down(in_unit.low), _up(in_unit.high)
    if high >= MAX_PLAIN:
        return f"{amount(in_unit)} {unit}"
    return f"{_plain(low)}–{_plain(high)} {unit}"


def sum_of(ranges: Sequence[Range]) -> Range:
    """Return the range of a sum."""
    return Range(*map(math.fsum, zip(*ranges, strict=True)))


def ends(number: Range, digits: int) -> dict[str, float | None]:
    """Return the ends of a range; null for one that is not known."""
    return {
        name: None if math.isinf(end) else round(end, digits or None)
        for name, end in zip(number._fields, number, strict=True)
    }


def _down(number: float) -> float:
    return _rounded(number, math.floor)


def _up(number: float) -> float:
    return _rounded(number, math.ceil)


def _rounded(number: float, to_whole: Any) -> float:
    """Return a number with DIGITS digits."""
    if number <= 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(number)) - DIGITS + 1)
    whole = number / step
    nearest = round(whole)
    return float(
        (nearest if math.isclose(whole, nearest, rel_tol=1e-9) else to_whole(whole)) * step
    )


def _plain(number: float) -> str:
    """Return a number with at least DIGITS digits, unless it is a small whole number."""
    return f"{number:,.0f}" if number >= 10 or number == 0 else f"{number:.1f}"


def _power(number: float) -> str:
    """Return a number with its power of ten if it is large."""
    if number < MAX_PLAIN:
        return f"{number:,.0f}"
    exponent = math.floor(math.log10(number) + 1e-9)
    return f"{_plain(number / 10.0**exponent)} × 10{_superscript(exponent)}"


def _superscript(exponent: int) -> str:
    return str(exponent).translate(_SUPERSCRIPTS)
