"""Recovery: lost chunks are sent again, chunks that ended processes are split, and `retry`."""

import json

from sqlalchemy import ColumnElement, Connection, bindparam, delete, or_, select, text, update

from storage import answers, batches
from storage.archive import catalogue
from storage.batches import Batch
from storage.clock import earlier, utc
from storage.errors import NoSuchBatch
from storage.outbox import leases, publishing, stride
from storage.outbox.leases import SUSPECT_ATTEMPT, Lease
from storage.packing import pack, unpack
from storage.searches import ending
from storage.summaries.summary import PROVISIONAL
from storage.tables import (
    OF_SUMMARY,
    PAUSED,
    UNDER_WAY,
    answer,
    batch,
    chunk,
    part,
    payload,
    summary,
)
from storage.values import ChunkState, Kind, Puzzle, Puzzles, slices

KindAndPuzzle = tuple[Kind, Puzzle]

#: a sent chunk is lost if one that was sent this many seconds later was taken before it
OVERTAKEN_SECONDS = 60.0
#: a sent chunk is lost if Redis is empty this many seconds after it was sent
MISSING_SECONDS = 5.0
#: chunks into which one is split that ended a process: many, because a puzzle on which the solver
#: hangs takes BULLSEYE_SILENCE seconds each time
PIECES = 16


# --- lost chunks ---


def lost(
    connection: Connection, queue: str, *, idle: bool, drained: bool
) -> list[tuple[int, ColumnElement[bool]]]:
    """Return the ids of lost chunks, each with the condition that it is still lost.

    A taken chunk is lost when its lease has expired.  A sent one is lost

    - when a chunk that was sent OVERTAKEN_SECONDS after it has been taken,
    - when it was sent MISSING_SECONDS ago and Redis holds no message of the queue (`idle`),
    - when it was sent as long ago as a lease lasts and no message waits (`drained`): its message
      was delivered to a worker that died before it took the chunk.
    """
    long_ago = utc(leases.stored_seconds(queue))
    reasons = [(chunk.c.state == ChunkState.TAKEN) & (chunk.c.taken_at <= long_ago)]
    sent = chunk.c.state == ChunkState.SENT
    if idle:
        reasons.append(sent & (chunk.c.sent_at <= utc(MISSING_SECONDS)))
    if drained:
        reasons.append(sent & (chunk.c.sent_at <= long_ago))
    if overtaking := _last_taken(connection, queue):
        reasons.append(sent & (chunk.c.sent_at <= earlier(overtaking, OVERTAKEN_SECONDS)))
    found = connection.execute(
        select(chunk.c.id, chunk.c.state, chunk.c.sent_at, chunk.c.taken_at)
        .join(batch)
        .where(text(UNDER_WAY), or_(*reasons), *stride.publishable(queue))
    )
    # Sorted here: with ORDER BY, SQLite walks through all chunks instead of those under way.
    return [(id_, unchanged(*seen)) for id_, *seen in sorted(found)]


def unchanged(state: str, sent_at: str | None, taken_at: str | None) -> ColumnElement[bool]:
    """Return the condition that a chunk has not been sent, taken, renewed or completed since."""
    same_times = (chunk.c.sent_at == sent_at) & (chunk.c.taken_at == taken_at)
    return (chunk.c.state == state) & same_times


def _last_taken(connection: Connection, queue: str) -> str | None:
    """Return the latest `sent_at` of the chunks that were taken.

    Only first attempts count: of a chunk sent twice, the first message may have been taken.
    """
    in_queue = select(batch.c.id).where(batch.c.id == chunk.c.batch_id, batch.c.queue == queue)
    return connection.execute(
        select(chunk.c.sent_at)
        .where(
            chunk.c.sent_at.is_not(None),
            chunk.c.state.in_((ChunkState.TAKEN, ChunkState.DONE)),
            chunk.c.attempts == 1,
            in_queue.exists(),
        )
        .order_by(chunk.c.sent_at.desc())
        .limit(1)
    ).scalar()


# --- chunks that end processes ---


def split(connection: Connection, lease: Lease, puzzles: Puzzles) -> bool:
    """Put the puzzles that a chunk under lease has left into PIECES new ones, and end the chunk.

    A new one with a single puzzle is suspect, others are not.  Returns False if the lease is lost.
    """
    ended = leases.of_held.values(state=ChunkState.DONE, count=chunk.c.answered, done_at=utc())
    if not leases.change(connection, ended, lease):
        return False
    connection.execute(*publishing.removal(lease.chunk_id))
    size = -(-len(puzzles) // PIECES)
    publishing.add_many(
        connection,
        lease.batch_id,
        [pack(piece, cost=1) for piece in slices(puzzles, size)],
        attempts=SUSPECT_ATTEMPT - 1 if size == 1 else 0,
    )
    return True


# --- retry ---


def retry(
    connection: Connection,
    batch_id: int,
    *,
    queue: str,
    timeout: float | None = None,
    chunk_puzzles: int = 256,
) -> int:
    """Put a batch's failed, timed-out and unanswered puzzles back into chunks; return how many.

    A search that was divided into parts goes on where it stopped, with a new time limit.
    Unfinished chunks in `queue` are left unchanged, with their timed-out answers, so a second retry
    adds nothing.  A batch that was cancelled or belongs to another queue is moved to `queue`; one
    that is paused stays so, unless it has ended.  If any puzzle is put back, `timeout` replaces the
    batch's time limit per puzzle, in seconds.  Raises NoSuchBatch, and BatchArchived.
    """
    found = batches.lock(connection, batch_id)
    if not found.ready:
        raise NoSuchBatch(f"batch {batch_id} is being deleted or submitted", "see bullseye status")
    catalogue.check_not_archived(connection, found.id)
    paused = found.paused and batches.has_chunks_left(connection, batch_id)
    waiting, again = 0, list[KindAndPuzzle]()
    stopped = found.cancelled_at is not None or found.queue != queue
    if stopped:
        waiting = _reopen(connection, batch_id)
        again = _dissolve(connection, batch_id)
    waiting += ending.reopen(connection, found, stopped=stopped)
    again += _withdraw(connection, found)
    if not waiting and not again:
        return 0
    options = found.options if timeout is None else {**found.options, "timeout": timeout}
    values = {
        "cancelled_at": None,
        "active": PAUSED if paused else 1,
        "served": stride.rejoining(connection, queue, found.priority),
        "queue": queue,
        "options": json.dumps(options),
    }
    connection.execute(update(batch).where(batch.c.id == batch_id).values(values))
    for kind in Kind:
        rows = sorted(puzzle for its_kind, puzzle in again if its_kind is kind)
        packed = [pack(Puzzles.of(kind, some)) for some in slices(rows, chunk_puzzles)]
        publishing.add_many(connection, batch_id, packed)
    return waiting + len(again)


_is_part = select(part.c.chunk_id).where(part.c.chunk_id == chunk.c.id).exists()
_untouched = (chunk.c.attempts == 0) & (chunk.c.answered == 0)


def _reopen(connection: Connection, batch_id: int) -> int:
    """Make chunks that were never taken new again; return the number of their puzzles."""
    counts = connection.execute(
        update(chunk)
        .where(batches.unfinished(batch_id), ~_is_part, _untouched)
        .values(state=ChunkState.NEW, sent_at=None)
        .returning(chunk.c.count)
    ).scalars()
    return sum(counts)


def _dissolve(connection: Connection, batch_id: int) -> list[KindAndPuzzle]:
    """Delete unfinished chunks that were taken or have answers; return their unanswered puzzles.

    A worker that still holds a lease on such a chunk can store nothing more.
    """
    begun = select(chunk.c.id, payload.c.puzzles).join(payload)
    begun = begun.where(batches.unfinished(batch_id), ~_is_part, ~_untouched)
    dissolved = connection.execute(begun.with_for_update(of=chunk)).all()
    if ids := [{"dissolved": row.id} for row in dissolved]:  # one by one: they may be many
        for column in (payload.c.chunk_id, chunk.c.id):
            gone = delete(column.table).where(column == bindparam("dissolved"))
            connection.execute(gone, ids)
    each = [unpack(packed) for _, packed in dissolved]
    found = [(some.kind, puzzle) for some in each for puzzle in some]
    before = answers.stored(connection, [puzzle.id for _, puzzle in found])
    return [(kind, puzzle) for kind, puzzle in found if puzzle.id not in before]


def _withdraw(connection: Connection, found: Batch) -> list[KindAndPuzzle]:
    """Delete failed and timed-out answers of finished chunks; return their puzzles."""
    a, s = answer.c, summary.c
    position = a.id - (found.first_id - 1)
    bad = select(s.kind, a.id, position, a.label, a.puzzle).join(summary, OF_SUMMARY)
    bad = bad.where(s.batch_id == found.id, s.status.in_(PROVISIONAL))
    all_bad = [
        (Kind.COVER if kind == Kind.COVER else Kind.SUDOKU, Puzzle(*row))  # a target is a sudoku
        for kind, *row in connection.execute(bad)
    ]
    # This must be read after the answers, so that it includes every chunk that stored one of them.
    unfinished = _partly_answered(connection, found.id) if all_bad else set()
    puzzles = [(kind, puzzle) for kind, puzzle in all_bad if puzzle.id not in unfinished]
    for some in slices(puzzles, answers.IDS_PER_STATEMENT):
        ids = [puzzle.id for _, puzzle in some]
        answers.withdraw(connection, ids)
        answers.remove_facts(connection, ids)
    return puzzles


def _partly_answered(connection: Connection, batch_id: int) -> set[int]:
    """Return the ids of all puzzles in unfinished chunks that have some answers."""
    partial = select(payload.c.puzzles).join(chunk)
    partial = partial.where(batches.unfinished(batch_id), chunk.c.answered > 0)
    texts = connection.execute(partial).scalars()
    return {id_ for packed in texts for id_ in unpack(packed).ids}
