"""Where a batch is cut into chunks.

A chunk is worth a few tenths of a second, so that what it costs by itself (3 ms) does not count.
How long a puzzle takes nobody knows beforehand, not to the power of ten; so chunks become smaller
towards the batch's end, and the workers finish together whatever the puzzles.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from storage.values import Puzzle
from worker.options import Options

#: milliseconds of solving that a chunk is cut for, and that it is worth at least
CHUNK_MS = 200.0
LEAST_MS = 10.0
#: a guess at the milliseconds for a grid of so many cells, and for a cover problem
GRID_MS = {16: 0.002, 81: 0.02, 256: 1.0, 625: 20.0}
COVER_MS = 10.0
#: so many times as long take the best score, and all solutions
TARGET = 25
ALL = 100
#: the most puzzles in a chunk, and the most bytes
CHUNK_PUZZLES = 8192
CHUNK_BYTES = 1 << 20
#: a chunk takes at most this part of what is left, so that several workers share a small batch
PARTS = 8


class Grids(NamedTuple):
    """Neighbouring grids without labels, cut off as a chunk."""

    position: int  #: the first one's
    size: int  #: how many
    text: str  #: apart by blanks


def expected_ms(text: str, options: Options) -> float:
    """A guess at the solver's time for one puzzle, to the power of ten."""
    base = COVER_MS if text.startswith("{") else GRID_MS.get(len(text), max(GRID_MS.values()))
    if options.target:
        base *= TARGET
    if options.limit is None or options.every:
        base *= ALL
    return base


def cut(puzzles: Iterable[Puzzle], options: Options, total: int) -> Iterator[list[Puzzle]]:
    """Chunks of some puzzles of a batch that has `total` of them."""
    chunk: list[Puzzle] = []
    cost, size, room = 0.0, 0, 0
    for puzzle in puzzles:
        expected = expected_ms(puzzle.text, options)
        full = len(chunk) >= room or cost + expected > CHUNK_MS
        if chunk and (full or size + len(puzzle.text) > CHUNK_BYTES):
            yield chunk
            chunk, cost, size = [], 0.0, 0
        if not chunk:
            room = _room(puzzle.position, total, expected)
        chunk.append(puzzle)
        cost += expected
        size += len(puzzle.text)
    if chunk:
        yield chunk


def plain_grids(lines: Sequence[str]) -> str | None:
    """The lines in one piece, if they are grids of one size; each of them is ended by LF."""
    text, width = "".join(lines), len(lines[0])
    alike = text[width - 1 :: width] == "\n" * len(lines) and len(text) == width * len(lines)
    return text if alike and "[" not in text and "{" not in text else None


def cut_grids(text: str, position: int, options: Options, total: int) -> Iterator[Grids]:
    """As `cut`, in bulk, what `plain_grids` gave; its first grid has this position."""
    cells = text.index("\n")
    expected = expected_ms(text[:cells], options)
    most = max(1, min(int(CHUNK_MS / expected), CHUNK_BYTES // cells))
    end = position + len(text) // (cells + 1)
    first = position
    while position < end:
        size = min(most, _room(position, total, expected), end - position)
        start = (position - first) * (cells + 1)
        some = text[start : start + size * (cells + 1) - 1].replace("\n", " ")
        yield Grids(position, size, some)
        position += size


def _room(position: int, total: int, expected: float) -> int:
    """The most puzzles in the chunk that begins with this position of the batch."""
    left = total - position + 1
    least = min(total / PARTS, LEAST_MS / expected)
    return max(1, min(CHUNK_PUZZLES, ceil(max(left / PARTS, least))))
