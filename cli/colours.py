"""Colours of text that are readable on a light and on a dark background, and when they are used.

The colours 0 to 15 depend on the terminal: its yellow can be invisible on white, its blue on
black. Those above do not. Each one below has a contrast of 3.8:1 or more with white and with black.
"""

import os
import sys
from enum import IntEnum
from typing import TextIO

import click

from cli.streams import is_terminal


class Colour(IntEnum):
    """Numbers of the 256-colour palette of xterm."""

    RED = 160
    ORANGE = 130
    BLUE = 31


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
