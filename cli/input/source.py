"""Opens one input file."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cli.input.request import Request
from worker.formats.source import Source, open_source

#: columns of an invalid line that a message quotes
QUOTED_COLUMNS = 72


@contextmanager
def open_input(request: Request, file: str) -> Iterator[Source]:
    """Open a path, `-` or a literal puzzle.

    Raises FormatError if it cannot be read.
    """
    stdin = sys.stdin.buffer if file == "-" else None
    with open_source(file, request.format, stdin) as source:
        yield source
