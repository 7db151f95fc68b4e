"""Where text goes: stdout carries answers only, everything else goes to stderr."""

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, TextIO

import click

from cli.formatting import wrap
from cli.streams import discard, is_terminal, visible

if TYPE_CHECKING:
    from rich.console import Console

#: columns assumed where the output is no terminal
DEFAULT_COLUMNS = 80
#: options of `less` where the user has set none: no pager for one screen, colours, and the text
#: stays on the screen afterwards
LESS = "-FRX"


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
    """Return a rich console on `stream` (default stdout); it writes no colour to a pipe.

    Give it `visible` text.
    """
    from rich.console import Console

    stream = stream or sys.stdout
    stream = getattr(stream, "unfiltered", stream)
    known = is_terminal(stream) or os.environ.get("COLUMNS", "").isdigit()
    columns = None if known else DEFAULT_COLUMNS
    return Console(file=stream, highlight=False, width=columns, soft_wrap=False, emoji=False)
