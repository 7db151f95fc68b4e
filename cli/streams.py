"""The standard streams: open, in an encoding that fits, in colour, and safe for a terminal.

Text that comes from outside, such as a label, a name of a file or a value of a query, may contain
codes that move the cursor, overwrite lines or reverse the direction of text.  While a command runs,
everything that it writes to a terminal passes `Screen`, which lets only our own styles through.
"""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any, TextIO, cast

import click

from storage.values import printable


class Colour(IntEnum):
    """Colours of text that are readable on a light and on a dark background.

    They are numbers of the 256-colour palette of xterm.  The colours 0 to 15 depend on the
    terminal: its yellow can be invisible on white, its blue on black.  Those above do not.  Each
    one here has a contrast of 3.8:1 or more with white and with black.
    """

    RED = 160
    ORANGE = 130
    BLUE = 31


#: the styles that Bullseye writes itself: none, bold and the colours
_STYLES = re.compile(rf"(\x1b\[(?:0|1|38;5;(?:{'|'.join(map(str, map(int, Colour)))}))m)")
#: what a descriptor is opened for that the caller has closed: nothing can be written to stdout then
_CLOSED = ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def visible(text: str) -> str:
    """Return lines of text with U+FFFD for each character that a terminal would not show.

    Tabs and our own styles remain.
    """
    if text.replace("\n", "").isprintable():
        return text
    parts = _STYLES.split(text)
    parts[::2] = [printable(part, keep="\n\t") for part in parts[::2]]
    return "".join(parts)


class Screen:
    """A text stream on a terminal, to which only `visible` text is written."""

    def __init__(self, stream: TextIO) -> None:
        self.unfiltered = stream  #: for rich, which moves the cursor and has styles of its own

    def write(self, text: str) -> int:
        """Write visible text."""
        return self.unfiltered.write(visible(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several visible texts."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> "_Decoder":
        """What takes the bytes of lines in UTF-8."""
        return _Decoder(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)


class _Decoder(io.BufferedIOBase):
    """Writes the bytes of whole lines as text."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def write(self, data: Any) -> int:
        """Write bytes that end with a line."""
        return self._screen.write(bytes(data).decode(errors="replace"))


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether `stream` is open and shown on a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def has_colour(stream: TextIO) -> bool:
    """Return whether text on `stream` is coloured.

    It is on a terminal that knows colours. `NO_COLOR` turns colours off; `FORCE_COLOR` turns them
    on for stdout and stderr, also in a pipe.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") and stream in {sys.stdout, sys.stderr}:
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def coloured(text: str, colour: Colour | None) -> str:
    """Return `text` in a colour; as it is without one."""
    return text if colour is None else click.style(text, fg=int(colour))


def filtered(stream: TextIO) -> TextIO:
    """Return a stream that can be written to as it is: a `Screen` if it is a terminal."""
    if hasattr(stream, "unfiltered") or not is_terminal(stream):
        return stream
    return cast(TextIO, Screen(stream))


@contextmanager
def screened() -> Iterator[None]:
    """Filter what the block writes to stdout and stderr."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(filtered, before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def prepare() -> None:
    """Open what the caller has closed, and choose encodings in which no text is an error.

    Otherwise the first file that is opened, such as the database, would take the place of a closed
    stream.  Files and pipes get UTF-8, whatever the locale is.
    """
    for descriptor, flags in _CLOSED:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, flags)  # it gets the lowest descriptor that is free: this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 # it stays open
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if is_terminal(stream):
            cast(io.TextIOWrapper, stream).reconfigure(errors="replace")
        else:
            cast(io.TextIOWrapper, stream).reconfigure(encoding="utf-8", errors="backslashreplace")


def discard(*descriptors: int) -> None:
    """Redirect output streams, so that flushing them at exit cannot fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(null, descriptor)
