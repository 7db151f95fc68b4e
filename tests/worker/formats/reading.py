"""Reads inputs given as text or bytes, for the tests of this folder."""

import io
import re
from pathlib import Path

from worker.formats.entry import Entry
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS, Layout
from worker.formats.source import open_source

DATA = Path(__file__).parents[2] / "data"
#: the formats of judges' inputs that content alone cannot tell apart
JUDGE_FORMATS = {
    "hdu3498": "domination",
    "fzu1686": "windows",
    "hdu2295": "radar",
    "hdu5046": "airports",
    "zoj3209": "rectangles",
    "hust1017": "sparse",
}
#: a puzzle with every digit among its clues
GRID = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."


def judge_format(stem: str) -> str | None:
    """Return the format of a judge's input that must be named, given the name of its file."""
    return JUDGE_FORMATS.get(stem.partition("-")[0])


def read(content: str | bytes, format_name: str | None = None) -> tuple[Layout, list[Entry]]:
    data = content.encode() if isinstance(content, str) else content
    with open_source("-", format_name, io.BytesIO(data)) as source:
        return source.layout, list(source)


def flags(error: FormatError) -> tuple[str, ...]:
    """Return the values of --from that a message offers."""
    return tuple(name for name in re.findall(r"--from (\w+)", str(error)) if name in FORMATS)


def texts(content: str | bytes, format_name: str | None = None) -> list[str]:
    """Return the texts of the puzzles; raise AssertionError if one of them has an error."""
    entries = read(content, format_name)[1]
    assert [entry.error for entry in entries if entry.error] == []
    return [entry.text for entry in entries]


def errors(content: str | bytes, format_name: str | None = None) -> list[tuple[int, str]]:
    """Return the line and the message of each error."""
    return [(e.line, e.error) for e in read(content, format_name)[1] if e.error is not None]
