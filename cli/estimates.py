"""Estimates of searches as a table and as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cli.formatting import align, count, milliseconds, shorten
from worker.estimate.estimate import Estimate
from worker.estimate.ranges import Range
from worker.options import Options

#: columns of the longest label that is shown
LABEL_COLUMNS = 24
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


class Estimated(NamedTuple):
    """A puzzle of the input, and the estimate of its search or why it is no puzzle."""

    position: int  #: in the input, from 1
    label: str | None
    estimate: Estimate | None
    error: str | None = None


def table(found: Sequence[Estimated], options: Options, processes: int) -> Iterator[str]:
    """Yield the lines of a table, with sums if there are several puzzles, and what they mean."""
    on = "1 process" if processes == 1 else f"{processes} processes"
    rows = [["puzzle", "label", "nodes", f"time on {on}", "solutions"]]
    rows += [_row(one, processes) for one in found]
    estimates = [one.estimate for one in found if one.estimate]
    if len(estimates) > 1:
        total = [sum_of([one.nodes for one in estimates])]
        total += [sum_of([one.seconds(processes) for one in estimates])]
        rows.append(["total", "", amount(total[0]), span(total[1]), ""])
    if not any(row[1] for row in rows[1:]):
        rows = [[row[0], *row[2:]] for row in rows]
    yield from align(rows, "><" + "<" * (len(rows[0]) - 2))
    yield from _explanations([one for one in estimates if not one.exact], options)


def _row(one: Estimated, processes: int) -> list[str]:
    row = [str(one.position), shorten(one.label or "", LABEL_COLUMNS)]
    if one.estimate is None:
        return [*row, f"invalid: {one.error}", "", ""]
    solutions = one.estimate.solutions
    return [
        *row,
        amount(one.estimate.nodes),
        span(one.estimate.seconds(processes)),
        "" if solutions is None else amount(solutions),
    ]


def _explanations(estimates: Sequence[Estimate], options: Options) -> Iterator[str]:
    """Yield what a table of estimated numbers does not show."""
    if estimates and options.target and not options.every:
        yield (
            "The ranges are for a proof that nothing exceeds the best score found so far; "
            "if a better one is found, it takes less."
        )
    elif estimates and options.limit is not None:
        limit = count(options.limit, "solution")
        yield f"The search stops at {limit}; how early these are found is a guess."


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


def as_json(found: Sequence[Estimated], processes: int) -> str:
    """Return the estimates as JSON, an object for each puzzle."""
    return json.dumps([_object(one, processes) for one in found], indent=2)


def _object(one: Estimated, processes: int) -> dict[str, Any]:
    found = {"position": one.position, "label": one.label}
    if one.estimate is None:
        return {**found, "error": one.error}
    estimate = one.estimate
    return {
        **found,
        "exact": estimate.exact,
        "nodes": _numbers(estimate.nodes, 0),
        "seconds": _numbers(estimate.seconds(processes), 6),
        "processes": processes,
        "solutions": None if estimate.solutions is None else _numbers(estimate.solutions, 0),
        "ns_per_node": round(estimate.ns_per_node, 1),
    }


def _numbers(number: Range, digits: int) -> dict[str, float | None]:
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
