"""Cuts puzzles into chunks by the time that they are expected to take.

A chunk is expected to take up to 200 ms, so that the cost of the chunk itself (3 ms) is small.  The
time of a puzzle is a guess of its order of magnitude.  Therefore chunks become smaller towards the
end of the batch, and all workers finish at about the same time even if the guess is wrong.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, chain, repeat
from math import ceil

from storage.packing import Packed, pack
from storage.tables import FULL_COST, LEAST_COST
from storage.values import Kind, Puzzles
from worker.formats.entry import Block
from worker.options import Options

#: the longest expected milliseconds of a chunk, unless a single puzzle takes longer
MAX_CHUNK_MS = 200.0
#: expected milliseconds below which a chunk is not made smaller towards the end of a batch
MIN_CHUNK_MS = 10.0
#: expected milliseconds that no chunk is made smaller than: even if the guess is three times too
#: low, it takes no longer than the cost of another chunk
LEAST_CHUNK_MS = 1.0
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
#: expected milliseconds for a cover problem whose text has COVER_CHARACTERS or more; shorter ones
#: are expected to take less in proportion, but not less than LEAST_COVER_MS
COVER_MS, COVER_CHARACTERS, LEAST_COVER_MS = 10.0, 8192, 1.0
#: time to find the best score, as a multiple of the time to find a solution
TARGET_FACTOR = 25
#: time to find all solutions, as a multiple of the time to find one
ALL_SOLUTIONS_FACTOR = 100
#: time to find the facts of a grid, as a multiple of the time to find a solution
FACTS_FACTOR = 25
#: puzzles in a chunk at most
MAX_CHUNK_PUZZLES = 8192
#: characters of puzzles in a chunk at most, unless a single puzzle has more
MAX_CHUNK_CHARACTERS = 1 << 20
#: a chunk takes at most 1 / SHARES of the puzzles left, so that workers share a small batch
SHARES = 8


def packed(
    blocks: Sequence[Block], options: Options, first_id: int, total: int, known: Collection[int]
) -> Iterator[Packed]:
    """Cut a portion of a batch's puzzles into chunks, leaving out those at `known` positions."""
    for puzzles, cells in by_kind(blocks, first_id):
        left = puzzles.without(known) if known else puzzles
        expected = expected_ms(puzzles, cells, options)
        for chunk in cut(left, cells, options, total):
            yield pack(chunk, cost(len(chunk), expected))


def expected_ms(puzzles: Puzzles, cells: int | None, options: Options) -> float:
    """Return the expected milliseconds for one of some puzzles: a guess of the order of magnitude.

    Puzzles have all the same number of cells, or are cover problems.
    """
    expected = _cover_ms(puzzles.texts) if puzzles.kind is Kind.COVER else GRID_MS[cells or 0]
    if options.target:
        expected *= TARGET_FACTOR
    if options.limit is None or options.every:
        expected *= ALL_SOLUTIONS_FACTOR
    if options.facts:
        expected += FACTS_FACTOR * GRID_MS[cells or 0]
    return expected


def _cover_ms(texts: Sequence[str]) -> float:
    characters = sum(map(len, texts)) / max(1, len(texts))
    return max(LEAST_COVER_MS, COVER_MS * min(1.0, characters / COVER_CHARACTERS))


def cut(puzzles: Puzzles, cells: int | None, options: Options, total: int) -> Iterator[Puzzles]:
    """Cut puzzles of one size, out of the `total` of their batch, into chunks."""
    expected = expected_ms(puzzles, cells, options)
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
    return max(LEAST_COST, min(FULL_COST, ceil(FULL_COST * puzzles * expected / MAX_CHUNK_MS)))


def _max_puzzles(position: int, total: int, expected: float) -> int:
    """Return the most puzzles for a chunk that begins at this position of the batch."""
    left = total - position + 1
    share = max(left / SHARES, min(total / SHARES, MIN_CHUNK_MS / expected))
    share = max(share, LEAST_CHUNK_MS / expected)
    return max(1, min(MAX_CHUNK_PUZZLES, int(MAX_CHUNK_MS / expected), ceil(share)))


def by_kind(blocks: Sequence[Block], first_id: int = 1) -> Iterator[tuple[Puzzles, int | None]]:
    """Yield the puzzles of each kind and size, and the number of their cells."""
    alike: dict[tuple[Kind, int | None], list[Block]] = defaultdict(list)
    for block in blocks:
        if block.kind is not None:
            alike[block.kind, block.cells].append(block)
    for (kind, cells), some in alike.items():
        texts = list(chain.from_iterable(block.texts() for block in some))
        labels = chain.from_iterable(block.labels or repeat(None, block.count) for block in some)
        given = list(labels) if any(block.labels for block in some) else None
        yield Puzzles(kind, _positions(some), given, texts, first_id), cells


def _positions(blocks: Sequence[Block]) -> Sequence[int]:
    """Return the positions of all puzzles: a range if there is no gap, which saves memory."""
    whole = range(blocks[0].places[0], blocks[-1].places[-1] + 1)
    if len(whole) == sum(block.count for block in blocks):
        return whole
    return list(chain.from_iterable(block.places for block in blocks))
