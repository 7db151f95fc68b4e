"""How numbers, times and tables look to people; everything but answers goes to stderr."""

import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

#: columns where nobody looks
WIDTH = 80


def notify(text: str) -> None:
    """A line on stderr."""
    click.echo(text, err=True)


def console(stream: TextIO | None = None) -> "Console":
    """A rich console on `stream` (stdout); plain in a pipe and under NO_COLOR."""
    from rich.console import Console

    stream = stream or sys.stdout
    wide = None if stream is not None and stream.isatty() else int(os.environ.get("COLUMNS", WIDTH))
    return Console(file=stream, highlight=False, width=wide, soft_wrap=False, emoji=False)


def count(number: int, noun: str = "", plural: str = "") -> str:
    """A number with its noun.

    >>> count(1, "puzzle"), count(97924, "puzzle"), count(2, "batch", "batches")
    ('1 puzzle', '97,924 puzzles', '2 batches')
    """
    if not noun:
        return f"{number:,}"
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """A time span, as short as it can be understood.

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
    """A solver's time with three significant digits.

    >>> milliseconds(0.01234), milliseconds(12.34), milliseconds(71812.0), milliseconds(None)
    ('0.0123', '12.3', '71,812', '')
    """
    if ms is None:
        return ""
    if ms <= 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(ms)))
    return f"{ms:,.{min(digits, 4)}f}"


def shorten(text: str, width: int) -> str:
    """`text` in `width` columns.

    >>> shorten("987632541", 5)
    '9876…'
    """
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def bar(share: float, width: int) -> str:
    """A bar of block characters, an eighth of a column fine.

    >>> bar(0.5, 4), bar(0.28, 4), bar(0, 4)
    ('██', '█▏', '')
    """
    eighths = round(share * width * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + " ▏▎▍▌▋▊▉"[rest].strip()


def align(lines: Iterable[Sequence[str]], right: str) -> list[str]:
    """Lines with their columns under each other; `right` has `>` or `<` for each column.

    >>> align([["a", "1"], ["bb", "10"]], "<>")
    ['a    1', 'bb  10']
    """
    table = [list(line) for line in lines]
    widths = [max((len(cell) for cell in column), default=0) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(line, right, widths, strict=True)
        ).rstrip()
        for line in table
    ]
