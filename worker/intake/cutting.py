"""Cuts the puzzles of a batch into chunks.

A chunk is expected to take up to 200 ms, so that the cost of the chunk itself (3 ms) is small.  The
time of a puzzle is a guess of its order of magnitude.  Therefore chunks become smaller towards the
end of the batch, and all workers finish at about the same time even if the guess is wrong.
"""

from collections.abc import Iterator
from itertools import accumulate
from math import ceil

from storage.tables import FULL_COST
from storage.values import Kind, Puzzles
from worker.options import Options

#: the longest expected milliseconds of a chunk, unless a single puzzle takes longer
MAX_CHUNK_MS = 200.0
#: expected milliseconds below which a chunk is not made smaller towards the end of a batch
MIN_CHUNK_MS = 10.0
#: expected milliseconds for a grid, by its number of cells
GRID_MS = {
    16: 0.002,
    36: 0.004,
    64: 0.01,
    81: 0.02,
    100: 0.05,
    144: 0.2,
    225: 0.8,
    256: 1.0,
    400: 5.0,
    625: 20.0,
}
#: expected milliseconds for a cover problem
COVER_MS = 10.0
#: time to find the best score, as a multiple of the time to find a solution
TARGET_FACTOR = 25
#: time to find all solutions, as a multiple of the time to find one
ALL_SOLUTIONS_FACTOR = 100
#: puzzles in a chunk at most
MAX_CHUNK_PUZZLES = 8192
#: characters of puzzles in a chunk at most, unless a single puzzle has more
MAX_CHUNK_CHARACTERS = 1 << 20
#: a chunk takes at most 1 / SHARES of the puzzles left, so that workers share a small batch
SHARES = 8


def expected_ms(kind: Kind, cells: int | None, options: Options) -> float:
    """Return the expected milliseconds for one puzzle, a guess of the order of magnitude."""
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
            sizes = accumulate(map(len, chunk.texts))
            chunk = chunk[: max(1, sum(size <= MAX_CHUNK_CHARACTERS for size in sizes))]
        yield chunk
        start += len(chunk)


def cost(puzzles: int, expected: float) -> int:
    """Return the cost of a chunk of puzzles, each of which takes `expected` milliseconds.

    A small batch is cut into SHARES chunks, which cost no more than one chunk of a large batch.

    >>> cost(8192, 0.02), cost(3, 0.02), cost(1, 2000.0)
    (7, 1, 8)
    """
    return max(1, min(FULL_COST, ceil(FULL_COST * puzzles * expected / MAX_CHUNK_MS)))


def _max_puzzles(position: int, total: int, expected: float) -> int:
    """Return the most puzzles for a chunk that begins at this position of the batch."""
    left = total - position + 1
    share = max(left / SHARES, min(total / SHARES, MIN_CHUNK_MS / expected))
    return max(1, min(MAX_CHUNK_PUZZLES, int(MAX_CHUNK_MS / expected), ceil(share)))
