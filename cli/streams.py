"""The standard streams: stdout carries answers only, everything else goes to stderr.

Text that comes from outside, such as a label, a name of a file or a value of a query, may contain
codes that move the cursor, overwrite lines or reverse the direction of text.  While a command runs,
everything that it writes to a terminal passes `Screen`, which lets only our own styles through.
"""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from cli.formatting import wrap
from storage.values import printable

if TYPE_CHECKING:
    from rich.console import Console


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
#: columns assumed where the output is no terminal
DEFAULT_COLUMNS = 80
#: options of `less` where the user has set none: no pager for one screen, colours, and the text
#: stays on the screen afterwards
LESS = "-FRX"
#: what a descriptor is opened for that the caller has closed: nothing can be written to stdout then
_CLOSED = ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def visible(text: str) -> str:
    """Return text with U+FFFD for what a terminal would not show; tabs and our styles remain."""
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


def can_draw(stream: TextIO) -> bool:
    """Return whether `stream` is a terminal on which a cursor moves and text has styles."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def has_colour(stream: TextIO) -> bool:
    """Return whether text on `stream` is coloured.

    It is on a terminal that knows colours. `NO_COLOR` turns colours off; `FORCE_COLOR` turns them
    on for stdout and stderr, also in a pipe.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") and stream in {sys.stdout, sys.stderr}:
        return True
    return can_draw(stream)


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


def echo(text: str, stream: TextIO | None = None, indent: int = 0) -> None:
    """Print text on `stream` (default stdout).

    On a terminal long lines break between words, and go on indented by `indent` columns.  Styles
    are written as they are: style text only if `has_colour` of the stream.
    """
    stream, text = stream or sys.stdout, visible(text)
    if is_terminal(stream):
        columns = terminal_columns(stream)
        text = "\n".join(part for line in text.split("\n") for part in wrap(line, columns, indent))
    click.echo(text, file=stream, color=True)


def notify(text: str, indent: int = 0) -> None:
    """Print text on stderr, like `echo`; what a full disk rejects is lost, and nothing else."""
    try:
        echo(text, sys.stderr, indent)
    except BrokenPipeError:
        raise
    except OSError:
        discard(2)


def terminal_columns(stream: TextIO) -> int:
    """Return `COLUMNS`, else the width of the terminal of `stream`, else 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    with suppress(OSError, ValueError):  # no terminal
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_COLUMNS
    return DEFAULT_COLUMNS


def page(lines: Iterable[str]) -> None:
    """Write lines to stdout, a terminal; through a pager if they do not fit on one screen.

    The pager is `PAGER`, by default `less`; `PAGER=cat` turns it off.  Lines are taken only as
    they are read; after the pager was quit the rest is not taken.
    """
    lines = iter(lines)
    height = shutil.get_terminal_size().lines
    first = list(islice(lines, height))
    if len(first) < height:
        sys.stdout.writelines(map(visible, first))
        return
    os.environ.setdefault("LESS", LESS)
    with click.get_pager_file() as pager:
        pager.writelines(map(visible, chain(first, lines)))


def console(stream: TextIO | None = None) -> "Console":
    """Return a rich console for `visible` text on `stream`, default stdout; no colour in a pipe."""
    from rich.console import Console

    stream = stream or sys.stdout
    stream = getattr(stream, "unfiltered", stream)
    known = is_terminal(stream) or os.environ.get("COLUMNS", "").isdigit()
    columns = None if known else DEFAULT_COLUMNS
    return Console(file=stream, highlight=False, width=columns, soft_wrap=False, emoji=False)
