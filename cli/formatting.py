"""Numbers, ranges, durations, aligned columns and broken lines as text for people.

Widths are in columns of a terminal, where a Chinese character takes two.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence

from click import unstyle
from rich.cells import cell_len, set_cell_size

from worker.estimate.ranges import Range

#: the block characters of one to seven eighths of a column
EIGHTHS = " ▏▎▍▌▋▊▉"
#: larger numbers are written with a power of ten
MAX_PLAIN = 10**6
#: digits of an end of a range, which is rounded away from the other end
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


def count(number: int, noun: str = "", plural: str = "") -> str:
    """Return a number with its noun in singular or plural.

    >>> count(1, "puzzle"), count(97924, "puzzle"), count(2, "batch", "batches")
    ('1 puzzle', '97,924 puzzles', '2 batches')
    """
    if not noun:
        return f"{number:,}"
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """Return a time span with three significant digits, from a minute on as a clock.

    >>> duration(0.4123), duration(42.13), duration(125), duration(7384)
    ('0.41 s', '42.1 s', '2:05', '2:03:04')
    """
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def milliseconds(ms: float | None) -> str:
    """Return a solving time with three significant digits; empty for None.

    >>> milliseconds(0.01234), milliseconds(12.34), milliseconds(71812.0), milliseconds(None)
    ('0.0123', '12.3', '71,812', '')
    """
    if ms is None:
        return ""
    if ms <= 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(ms)))
    return f"{ms:,.{min(digits, 4)}f}"


def percent(part: float, whole: int, digits: int = 0) -> str:
    """Return `part` of `whole` in percent, rounded down, so that 100 means all.

    >>> percent(999, 1000), percent(1000, 1000), percent(0, 0), percent(7.758, 10, 1)
    ('99 %', '100 %', '100 %', '77.5 %')
    """
    steps = 10**digits
    # The sum of floats that are shares may be below a whole number that it stands for.
    share = math.floor(100 * steps * part / whole + 1e-9) / steps if whole else 100
    return f"{share:.{digits}f} %"


def shorten(text: str, width: int) -> str:
    """Return `text` cut to `width` columns, with an ellipsis if it was cut.

    >>> shorten("987632541", 5), shorten("数独数独", 6)
    ('9876…', '数独…')
    """
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"


def pad(text: str, side: str, width: int) -> str:
    """Return `text` padded to `width` columns; side `<` pads after it, `>` before it.

    >>> pad("数独", "<", 5), pad("17", ">", 5)
    ('数独 ', '   17')
    """
    padding = " " * (width - cell_len(text))
    return text + padding if side == "<" else padding + text


def bar(share: float, width: int) -> str:
    """Return a bar of block characters, `share` of `width` columns long.

    >>> bar(0.5, 4), bar(0.28, 4), bar(0, 4)
    ('██', '█▏', '')
    """
    whole, rest = divmod(round(share * width * 8), 8)
    return "█" * whole + EIGHTHS[rest].strip()


def align(rows: Iterable[Sequence[str]], sides: str) -> list[str]:
    """Return rows of cells as lines; `sides` has `<` or `>` for each column.

    >>> align([["a", "1"], ["bb", "10"]], "<>")
    ['a    1', 'bb  10']
    """
    table = [list(row) for row in rows]
    widths = [max(map(cell_len, column), default=0) for column in zip(*table, strict=True)]
    return ["  ".join(map(pad, row, sides, widths)).rstrip() for row in table]


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """Return one line of text as lines that break between words; a longer word is not broken.

    A part between ` · ` stays on one line if it fits, and so does a command, which can be copied
    then.  Lines after the first are indented by `indent` columns.  Colours take no columns.

    >>> wrap("error: no worker is alive: bullseye worker", 34, 7)
    ['error: no worker is alive:', '       bullseye worker']
    """
    first, *words = _unbroken(text, width - indent)
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if cell_len(unstyle(longer)) <= width or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append(" " * indent + word)
    return lines


def _unbroken(text: str, width: int) -> list[str]:
    """Return what is not broken: parts and commands that fit, and the words of all others."""
    found: list[str] = []
    for part in re.split(r"(?<= ·) | (?=bullseye )", text):
        found += [part] if cell_len(unstyle(part)) <= width else part.split(" ")
    return found


def amount(number: Range, unit: str = "") -> str:
    """Return a range of numbers as text; a single number if it is exact.

    >>> amount(Range(1146, 1146, 1146)), amount(Range(2.961e8, 3.03e8, 3.108e8))
    ('1,146', '2.9–3.2 × 10⁸')
    >>> amount(Range(51_200, 60_000, 71_000)), amount(Range(20, 0, math.inf))
    ('51,000–71,000', '20 or more')
    """
    if number.low == number.high:
        return f"{number.low:,.0f}{unit}"
    low = _rounded(number.low, math.floor)
    if math.isinf(number.high):
        return f"{_power(low)}{unit} or more"
    high = _rounded(number.high, math.ceil)
    if high < MAX_PLAIN:
        return f"{_plain(low)}–{_plain(high)}{unit}"
    exponent = math.floor(math.log10(max(low, 1)))
    if high >= 10.0 ** (exponent + 2):
        return f"{_power(low)} – {_power(high)}{unit}"
    scale = 10.0**exponent
    return f"{_plain(low / scale)}–{_plain(high / scale)} × 10{_superscript(exponent)}{unit}"


def span(seconds: Range) -> str:
    """Return a range of times in the unit that suits them.

    >>> span(Range(23.4, 26.5, 30.1)), span(Range(7000, 8000, 9000)), span(Range(0, 0, math.inf))
    ('23–31 s', '1.9–2.5 h', '0 ms or more')
    """
    longest = seconds.low if math.isinf(seconds.high) else seconds.high
    unit, size = next((one for one in UNITS if longest >= one[1]), UNITS[-1])
    if seconds.low == seconds.high:
        return f"{milliseconds(seconds.low / size)} {unit}"
    return amount(seconds.times(1 / size), f" {unit}")


def sum_of(ranges: Sequence[Range]) -> Range:
    """Return the range of a sum."""
    return Range(*map(math.fsum, zip(*ranges, strict=True)))


def ends(number: Range, digits: int) -> dict[str, float | None]:
    """Return the ends of a range; null for one that is not known."""
    return {
        name: None if math.isinf(end) else round(end, digits or None)
        for name, end in zip(number._fields, number, strict=True)
    }


def _rounded(number: float, to_whole: Callable[[float], int]) -> float:
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
