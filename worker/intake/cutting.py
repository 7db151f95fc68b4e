"""Cuts the puzzles of a batch into chunks.

A chunk is worth a few tenths of a second of solving, so that its own cost (3 ms) does not matter.
The time of a puzzle can only be guessed, to the power of ten.  So chunks become smaller towards the
end of the batch, and all workers finish at about the same time whatever the puzzles.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil

from storage.values import Kind, Puzzles
from worker.options import Options

#: milliseconds of expected solving in a chunk, at most
MAX_CHUNK_MS = 200.0
#: milliseconds below which chunks are not made smaller, however few puzzles are left
MIN_CHUNK_MS = 10.0
#: expected milliseconds for a grid, by its number of cells
GRID_MS = {16: 0.002, 81: 0.02, 256: 1.0, 625: 20.0}
#: expected milliseconds for a cover problem
COVER_MS = 10.0
#: how many times as long the best score takes
TARGET_FACTOR = 25
#: how many times as long all solutions take
ALL_SOLUTIONS_FACTOR = 100
#: puzzles in a chunk at most
MAX_CHUNK_PUZZLES = 8192
#: characters of puzzles in a chunk at most, unless a single puzzle has more
MAX_CHUNK_CHARACTERS = 1 << 20
#: a chunk takes at most this fraction of what is left, so that workers share a small batch
SHARES = 8


def expected_ms(kind: Kind, cells: int | None, options: Options) -> float:
    """Return the expected milliseconds of solving for one puzzle; a guess to the power of ten."""
    expected = COVER_MS if kind is Kind.COVER else GRID_MS[cells or 0]
    if options.target:
        expected *= TARGET_FACTOR
    if options.limit is None or options.every:
        expected *= ALL_SOLUTIONS_FACTOR
    return expected


def cut(puzzles: Puzzles, cells: int | None, options: Options, total: int) -> Iterator[Puzzles]:
    """Cut puzzles of one size, out of the `total` of their batch, into chunks."""
    expected = expected_ms(puzzles.kind, cells, options)
    start = 0
    while start < len(puzzles):
        end = start + _max_puzzles(puzzles.positions[start], total, expected)
        chunk = puzzles[start:end]
        if puzzles.kind is Kind.COVER:  # grids stay below the limit of characters
            chunk = chunk[: _fitting(chunk.texts)]
        yield chunk
        start += len(chunk)


def _max_puzzles(position: int, total: int, expected: float) -> int:
    """Return the most puzzles for a chunk that begins at this position of the batch."""
    left = total - position + 1
    share = max(left / SHARES, min(total / SHARES, MIN_CHUNK_MS / expected))
    return max(1, min(MAX_CHUNK_PUZZLES, int(MAX_CHUNK_MS / expected), ceil(share)))


def _fitting(texts: Sequence[str]) -> int:
    """Return how many of the first texts have few enough characters for a chunk; at least 1."""
    sizes = accumulate(map(len, texts))
    return max(1, sum(size <= MAX_CHUNK_CHARACTERS for size in sizes))
