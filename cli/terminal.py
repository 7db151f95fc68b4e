"""Where text goes: stdout carries answers only, everything else goes to stderr."""

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console

#: columns assumed where the output is no terminal
DEFAULT_COLUMNS = 80


def notify(text: str) -> None:
    """Print a line on stderr."""
    click.echo(text, err=True)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether `stream` is open and shown on a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def console(stream: TextIO | None = None) -> "Console":
    """Return a rich console on `stream` (default stdout); it writes no colour to a pipe."""
    from rich.console import Console

    stream = stream or sys.stdout
    known = is_terminal(stream) or os.environ.get("COLUMNS", "").isdigit()
    columns = None if known else DEFAULT_COLUMNS
    return Console(file=stream, highlight=False, width=columns, soft_wrap=False, emoji=False)
