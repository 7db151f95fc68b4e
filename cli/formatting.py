"""Numbers, durations and aligned columns as text for people."""

import math
from collections.abc import Iterable, Sequence

#: the block characters of one to seven eighths of a column
EIGHTHS = " ▏▎▍▌▋▊▉"


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


def percent(part: int, whole: int) -> int:
    """Return `part` of `whole` in percent, rounded down, so that 100 means all.

    >>> percent(999, 1000), percent(1000, 1000), percent(0, 0)
    (99, 100, 100)
    """
    return 100 * part // whole if whole else 100


def shorten(text: str, width: int) -> str:
    """Return `text` cut to `width` columns, with an ellipsis if it was cut.

    >>> shorten("987632541", 5)
    '9876…'
    """
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


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
    widths = [max((len(cell) for cell in column), default=0) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)
        ).rstrip()
        for row in table
    ]
