"""Numbers, durations, aligned columns and broken lines as text for people.

Widths are in columns of a terminal, where a Chinese character takes two.
"""

import math
import re
from collections.abc import Iterable, Sequence

from click import unstyle
from rich.cells import cell_len, set_cell_size

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


def percent(part: float, whole: int) -> int:
    """Return `part` of `whole` in percent, rounded down, so that 100 means all.

    >>> percent(999, 1000), percent(1000, 1000), percent(0, 0)
    (99, 100, 100)
    """
    return int(100 * part // whole) if whole else 100


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
