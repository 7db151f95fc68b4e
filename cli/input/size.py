"""Tells small inputs, which are solved before a worker would be ready."""

import math
import stat
from collections.abc import Sequence
from pathlib import Path

#: bytes of all inputs together: 100,000 easy sudokus, which one process solves in a second
SMALL_BYTES = 1 << 23


def is_small(files: Sequence[str]) -> bool:
    """Return whether the inputs are small files or puzzles written as one line."""
    return sum(map(_size, files)) <= SMALL_BYTES


def _size(file: str) -> float:
    """Return the bytes of an input; more than any number if that is not known."""
    if file == "-":
        return math.inf
    try:
        status = Path(file).stat()
    except OSError:  # a puzzle as one line
        return len(file)
    return status.st_size if stat.S_ISREG(status.st_mode) else math.inf
