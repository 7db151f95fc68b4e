"""Stores a spool of puzzles as a batch, in transactions of well under a second.

A chunk is expected to take up to 200 ms, so that the cost of the chunk itself (3 ms) is small.  The
time of a puzzle is a guess of its order of magnitude.  Therefore chunks become smaller towards the
end of the batch, and all workers finish at about the same time even if the guess is wrong.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import asdict, replace
from itertools import accumulate, chain, repeat
from math import ceil
from typing import Any

from sqlalchemy import Connection, Engine

from storage import answers, batches, removal
from storage.batches import Batch
from storage.clock import now
from storage.database import write
from storage.errors import StorageError
from storage.outbox import publishing
from storage.packing import Packed, Puzzles, pack
from storage.reuse.copying import copy
from storage.reuse.finding import KnownAnswers, known_answers
from storage.signals import check, deferred, interruptible
from storage.tables import FULL_COST
from storage.values import Answer, Answers, Kind, Priority, Status
from worker.errors import BatchLost
from worker.formats.entry import Block
from worker.intake.spool import Spool
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

logger = logging.getLogger(__name__)


def store(
    engine: Engine,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    queue: str,
    reuse: bool = False,
    priority: Priority = Priority.NORMAL,
    private: bool = False,
) -> Batch:
    """Store everything in the spool as a batch: puzzles as chunks, faults as `invalid` answers.

    With `reuse`, a puzzle that was solved before with the same options gets a copy of its answer,
    and the batch's options hold the number of such puzzles as `reused`.  Workers see the batch
    only after the last transaction, which makes it ready.  On any exception before, those of
    signals included, what was stored of it is deleted.  A `private` batch ends with this process.

    Also ends the batches of processes that have died.
    """
    with ExitStack() as stack:
        with interruptible():
            removal.end_orphans(engine)
            known = stack.enter_context(_known(engine, spool, options, reuse=reuse))
        stack.enter_context(deferred())
        batch = _create(engine, spool, options, name, queue, known, priority)
        try:
            for blocks in spool.portions():
                check()
                reused: Collection[int] = ()
                if known is not None:
                    first, last = blocks[0].places[0], blocks[-1].places[-1]
                    reused = copy(known, batch, first, last, further=options.keep > 1)
                _store_extras(engine, batch, blocks)
                if len(reused) < sum(block.count for block in blocks):
                    _store_portion(engine, batch, options, blocks, reused)
            check()
            _make_ready(engine, batch, private=private)
        except BaseException:
            _withdraw(engine, batch)
            raise
    return batch


def _make_ready(engine: Engine, batch: Batch, *, private: bool) -> None:
    with write(engine) as connection:
        _check_cancelled(connection, batch)
        publishing.make_ready(connection, batch)
        if not private:
            removal.disown(connection, batch.id)


def _check_cancelled(connection: Connection, batch: Batch) -> None:
    """Lock the batch until the transaction ends; raise BatchLost if it was cancelled."""
    if batches.lock(connection, batch.id).cancelled_at is not None:
        raise BatchLost(f"batch {batch.id} was cancelled while it was stored; nothing is kept")


def _withdraw(engine: Engine, batch: Batch) -> None:
    """Delete what was stored of a batch."""
    try:
        removal.withdraw(engine, batch)
        with write(engine) as connection:
            removal.disown(connection, batch.id)
    except StorageError as error:  # the database may be the reason for the first one
        logger.warning(
            "batch %d is removed by the next solve, submit or worker: %s", batch.id, error
        )


def _known(
    engine: Engine, spool: Spool, options: Options, *, reuse: bool
) -> AbstractContextManager[KnownAnswers | None]:
    """Find the answers of earlier batches with the same options, apart from their limits.

    The context is None if answers are not to be reused.
    """
    if not reuse:
        return nullcontext()
    unlimited = replace(options, timeout=0.0, memory=None)

    def same(stored: dict[str, Any]) -> bool:
        return replace(Options.from_json(stored), timeout=0.0, memory=None) == unlimited

    wanted = (puzzles for blocks in spool.portions() for puzzles, _ in _by_kind(blocks))
    return known_answers(engine, wanted, same, source=spool.source)


def _create(
    engine: Engine,
    spool: Spool,
    options: Options,
    name: str | None,
    queue: str,
    known: KnownAnswers | None,
    priority: Priority,
) -> Batch:
    values = {**asdict(options), "inputs": list(map(asdict, spool.inputs))}
    if known is not None:
        values["reused"] = known.count
    with write(engine) as connection:
        batch = batches.create(
            connection,
            name=name,
            source=spool.source,
            kind="target" if options.target and spool.kind == Kind.SUDOKU else spool.kind,
            options=values,
            puzzles=spool.puzzles,
            queue=queue,
            priority=priority,
        )
        removal.own(connection, batch.id)
        return batch


def _store_portion(
    engine: Engine, batch: Batch, options: Options, blocks: Sequence[Block], reused: Collection[int]
) -> None:
    """Store all puzzles of these blocks but those that are answered, and their faults."""
    new_chunks = list(packed(blocks, options, batch.first_id, batch.puzzles, reused))
    invalid = Answers.of(list(_invalid(blocks, batch)))
    with write(engine) as connection:
        _check_cancelled(connection, batch)
        publishing.add_many(connection, batch.id, new_chunks)
        time = now(connection)
        answers.add(connection, batch.id, invalid, None, attempts=0, now=time)


def _store_extras(engine: Engine, batch: Batch, blocks: Sequence[Block]) -> None:
    """Store the further columns or keys of these puzzles."""
    rows = [
        (batch.first_id + place - 1, extra)
        for block in blocks
        for place, extra in zip(block.places, block.extras or (), strict=False)
        if extra
    ]
    if rows:
        with write(engine) as connection:
            _check_cancelled(connection, batch)
            answers.add_extras(connection, rows)


def packed(
    blocks: Sequence[Block], options: Options, first_id: int, total: int, known: Collection[int]
) -> Iterator[Packed]:
    """Cut a portion of a batch's puzzles into chunks, leaving out those at `known` positions."""
    for puzzles, cells in _by_kind(blocks):
        left = puzzles.without(known) if known else puzzles
        expected = expected_ms(puzzles.kind, cells, options)
        for chunk in cut(left, cells, options, total):
            yield pack(chunk, first_id, cost(len(chunk), expected))


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


def _by_kind(blocks: Sequence[Block]) -> Iterator[tuple[Puzzles, int | None]]:
    """Yield the puzzles of each kind and size, and the number of their cells."""
    alike: dict[tuple[Kind, int | None], list[Block]] = defaultdict(list)
    for block in blocks:
        if block.kind is not None:
            alike[block.kind, block.cells].append(block)
    for (kind, cells), some in alike.items():
        texts = list(chain.from_iterable(block.texts() for block in some))
        labels = chain.from_iterable(block.labels or repeat(None, block.count) for block in some)
        given = list(labels) if any(block.labels for block in some) else None
        yield Puzzles(kind, positions=_positions(some), labels=given, texts=texts), cells


def _positions(blocks: Sequence[Block]) -> Sequence[int]:
    """Return the positions of all puzzles: a range if there is no gap, which saves memory."""
    whole = range(blocks[0].places[0], blocks[-1].places[-1] + 1)
    if len(whole) == sum(block.count for block in blocks):
        return whole
    return list(chain.from_iterable(block.places for block in blocks))


def _invalid(blocks: Sequence[Block], batch: Batch) -> Iterator[Answer]:
    """Yield an answer for each fault; its kind is the batch's, because a fault has none."""
    faults = (entry for block in blocks if block.kind is None for entry in block.entries())
    for fault in faults:
        yield Answer(
            id=batch.first_id + fault.line - 1,
            position=fault.line,
            label=fault.label,
            kind=batch.kind,
            size=None,
            clues=None,
            puzzle=fault.text,
            status=Status.INVALID,
            detail=fault.error,
        )
