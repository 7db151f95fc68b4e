"""Weights of the cells, for targets of one's own."""

from math import isqrt
from pathlib import Path

from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.sudoku.symbols import SIDES

#: bytes a file of weights may have
LARGEST = 64 * 1024


def read_weights(path: str) -> tuple[int, ...]:
    """The weights of a grid's cells, row by row: whole numbers, white space or commas between."""
    name = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(name, f"cannot be read as weights ({reason})") from error
    if len(data) > LARGEST:
        raise FormatError(name, f"more than {LARGEST:,} bytes, too long for weights")
    words = data.decode("utf-8-sig", "replace").replace(",", " ").split()
    if len(words) not in SIDES:
        expected = ", ".join(f"{cells} ({isqrt(cells)}x{isqrt(cells)})" for cells in SIDES)
        raise FormatError(name, f"{len(words)} weights, expected one a cell: {expected}")
    return tuple(_weight(name, word) for word in words)


def _weight(name: str, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise FormatError(name, f"`{excerpt(word)[:40]}` is no whole number") from None
