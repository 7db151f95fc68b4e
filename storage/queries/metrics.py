"""What monitoring asks of the database, from batches, chunks and summaries; no answer is read."""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, case, func, label, select, text

from storage.batches import LIVE
from storage.clock import now, seconds_between
from storage.tables import (
    FULL_COST,
    NEW,
    PAUSED,
    UNDER_WAY,
    archive,
    batch,
    chunk,
    search,
    summary,
)
from storage.values import ChunkState

#: seconds that a chunk of FULL_COST is expected to take, until answers of its batch are measured
FULL_SECONDS = 0.2

_b, _c, _s = batch.c, chunk.c, summary.c
_states = select(_c.id).where(_c.batch_id == _b.id).correlate(batch)
_to_do = _states.where(_c.state.in_([ChunkState.NEW, ChunkState.SENT, ChunkState.TAKEN]))
_begun = _states.where(_c.state.in_([ChunkState.TAKEN, ChunkState.DONE]))
_state = case(
    (_b.id.in_(select(archive.c.batch_id)), "archived"),
    ((_b.ready == 1) & ~_to_do.exists(), "complete"),
    (_b.cancelled_at.is_not(None), "cancelled"),
    (_b.ready == 0, "being stored"),
    (_b.active == PAUSED, "paused"),
    (_begun.exists(), "running"),
    else_="waiting",
)


class Backlog(NamedTuple):
    """What is left to do in a queue, without batches that are cancelled or paused."""

    chunks: Mapping[ChunkState, int]  #: those that are not done, by state
    puzzles: Mapping[ChunkState, int]  #: the puzzles in them that have no answer
    oldest: float  #: seconds since the oldest batch with such a chunk was submitted; 0.0 without
    seconds: float  #: of one process for all of them, as predicted
    searches: int  #: puzzles whose search is divided into parts and has not ended


def batches_by_state(connection: Connection) -> dict[str, int]:
    """Return the number of batches in each state, as `bullseye status` names them."""
    found = connection.execute(select(_state).select_from(batch))
    return Counter(found.scalars())


def backlog(connection: Connection, queue: str) -> Backlog:
    """Return what is left to do in a queue.

    The time of a puzzle is predicted as the mean of its batch so far, else from the expected time
    of its chunk; a part of a search counts as one turn.
    """
    found = _chunks(connection, queue)
    means = _mean_seconds(connection, {row.batch_id for row in found})
    chunks, puzzles = Counter[ChunkState](), Counter[ChunkState]()
    seconds = 0.0
    for row in found:
        chunks[ChunkState(row.state)] += row.chunks
        puzzles[ChunkState(row.state)] += row.puzzles
        expected = row.cost * FULL_SECONDS / FULL_COST
        is_measured = row.puzzles and row.batch_id in means
        seconds += row.puzzles * means[row.batch_id] if is_measured else expected
    began = min((row.created_at for row in found), default=None)
    oldest = max(0.0, seconds_between(began, now(connection))) if began else 0.0
    return Backlog(chunks, puzzles, oldest, seconds, _searches(connection, queue))


def _chunks(connection: Connection, queue: str) -> list[Row[Any]]:
    """Return the chunks that are not done by batch, state, and whether they are parts."""
    sums = (func.count(), func.sum(_c.count - _c.answered), func.sum(_c.cost))
    names = ("chunks", "puzzles", "cost")
    wanted = (
        select(_c.batch_id, _c.state, _b.created_at, *map(label, names, sums))
        .join(batch)
        .where(_b.queue == queue, *LIVE)
        .group_by(_c.batch_id, _c.state, _b.created_at, _c.count == 0)
    )
    # Two statements: SQLite uses a partial index only for a condition that has its text.
    each = (connection.execute(wanted.where(text(some))).all() for some in (NEW, UNDER_WAY))
    return [*chain.from_iterable(each)]


def _mean_seconds(connection: Connection, batch_ids: Collection[int]) -> dict[int, float]:
    """Return the mean time of the answered puzzles of each batch that has some."""
    mean = func.sum(_s.total_ms) / func.sum(_s.timed) / 1e3
    wanted = select(_s.batch_id, mean).where(_s.batch_id.in_(batch_ids), _s.timed > 0)
    return dict(map(tuple, connection.execute(wanted.group_by(_s.batch_id))))


def _searches(connection: Connection, queue: str) -> int:
    is_open = search.c.ended_at.is_(None)
    wanted = select(func.count()).select_from(search).join(batch)
    return connection.execute(wanted.where(is_open, _b.queue == queue, *LIVE)).scalar_one()
