"""The progress of a batch, by chunks and workers, and what the workers of a queue do."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, bindparam, case, func, select, text

from storage import batches
from storage.archive import catalogue
from storage.batches import Batch
from storage.clock import now, seconds_between, utc
from storage.queries.searches import OpenSearch, open_searches
from storage.summaries import table
from storage.tables import NEW, UNDER_WAY, batch, chunk, search, search_worker, summary
from storage.values import ChunkState

#: seconds between two queries of those who follow a batch
QUERY_SECONDS = 0.5
#: the shortest time, and the fraction of the time since the start: a batch may be over at once
LEAST_QUERY_SECONDS, QUERY_FRACTION = 0.05, 0.1
#: seconds over which `Work.rate` is measured
RATE_SECONDS = 60.0

_chunks = select(chunk.c.id).where(chunk.c.batch_id == bindparam("batch"))
_unfinished = select(_chunks.where(text(NEW)).exists() | _chunks.where(text(UNDER_WAY)).exists())


class WorkerShare(NamedTuple):
    """The share of one worker process in a batch."""

    worker: str
    puzzles: int  #: number of puzzles that it answered
    last_seen: str  #: when it last took, renewed or completed a chunk


class Progress(NamedTuple):
    """The progress of a batch."""

    batch: Batch
    answered: int  #: number of answered puzzles
    by_status: dict[str, int]  #: answered puzzles by status; empty unless requested
    chunks: dict[ChunkState, int]  #: number of chunks in each state
    workers: list[WorkerShare]
    seconds: float | None  #: from the batch's creation to its last completed chunk
    searches: int = 0  #: number of puzzles whose search is divided into parts and has not ended
    searched: float = 0.0  #: what is done of these searches, in puzzles: the sum of their progress
    open_searches: Sequence[OpenSearch] = ()  #: the first of them
    is_archived: bool = False  #: its answers are in files
    rate: float = 0.0  #: answers per second in the last minute, or since its creation

    @property
    def done(self) -> float:
        """The answered puzzles and what is done of searches, in puzzles."""
        return self.answered + self.searched


def read_progress(connection: Connection, batch_id: int, *, tally: bool = False) -> Progress:
    """Return the progress of a batch, or raise NoSuchBatch.

    The numbers come from its chunks.  With `tally`, its answers are also counted by status.
    """
    whole = batches.find(connection, batch_id)
    groups = _groups(connection, batch_id)
    searches, searched = _searches(connection, batch_id)
    to_do = sum(group.to_do for group in groups) + searches
    last = max((group.done_at for group in groups if group.done_at), default=None)
    return Progress(
        whole,
        whole.puzzles - to_do if whole.ready else 0,
        table.by_status(connection, batch_id) if tally else {},
        {state: sum(one.chunks for one in groups if one.state == state) for state in ChunkState},
        _shares(groups, _last_turns(connection, search_worker.c.search_id.between(*whole.ids))),
        seconds_between(whole.created_at, last) if last else None,
        searches,
        searched,
        open_searches(connection, batch_id) if searches else (),
        not to_do and bool(catalogue.of_batch(connection, batch_id)),
        _rate(sum(one.recent for one in groups), whole.created_at, now(connection)) or 0.0,
    )


def is_finished(connection: Connection, batch_id: int) -> bool:
    """Return whether all chunks of a batch are done; it takes no longer if there are many."""
    return not connection.execute(_unfinished, {"batch": batch_id}).scalar_one()


class OutcomeCount(NamedTuple):
    """A group of answers that a summary line counts together."""

    status: str
    complete: int
    solutions: int | None  #: 2 stands for two or more
    best: int | None  #: the highest score in the group; None if its answers have no score
    puzzles: int  #: number of answers


def count_outcomes(connection: Connection, batch_id: int | None = None) -> list[OutcomeCount]:
    """Return the answers of a batch, or all, by status, completeness, solutions and score.

    Answers with a score form groups apart from those without.
    """
    s = summary.c
    alike = (s.status, s.complete, s.solutions)
    wanted = select(*alike, func.max(s.max_score), func.sum(s.answers))
    wanted = wanted.group_by(*alike, s.max_score.is_(None))
    if batch_id is not None:
        wanted = wanted.where(s.batch_id == batch_id)
    return [OutcomeCount(*row) for row in connection.execute(wanted)]


def _groups(connection: Connection, batch_id: int) -> Sequence[Row[Any]]:
    """Read the chunks of each state and worker in one scan, since there may be thousands.

    `recent` counts the answers of those that were completed in the last minute.
    """
    c = chunk.c
    wanted = select(
        c.state,
        c.worker,
        func.count().label("chunks"),
        func.sum(c.answered).label("answered"),
        func.sum(c.count - c.answered).label("to_do"),
        func.sum(case((c.done_at > utc(RATE_SECONDS), c.answered), else_=0)).label("recent"),
        func.max(c.done_at).label("done_at"),
        func.max(func.coalesce(c.done_at, c.taken_at)).label("last_seen"),
    )
    wanted = wanted.where(c.batch_id == batch_id).group_by(c.state, c.worker)
    return connection.execute(wanted).all()


def _searches(connection: Connection, batch_id: int) -> tuple[int, float]:
    """Return number and total progress of searches that go on; their puzzles are in no chunk."""
    s = search.c
    wanted = select(func.count(), func.coalesce(func.sum(s.progress), 0.0))
    number, progress = connection.execute(
        wanted.where(s.batch_id == batch_id, s.ended_at.is_(None))
    ).one()
    return number, progress


def _shares(groups: Sequence[Row[Any]], turns: Mapping[str, str]) -> list[WorkerShare]:
    shares = []
    for name in sorted({one.worker for one in groups if one.worker and one.last_seen}):
        theirs = [one for one in groups if one.worker == name]
        times = [*(one.last_seen for one in theirs), turns.get(name)]
        last_seen = max(time for time in times if time)
        shares.append(WorkerShare(name, sum(one.answered for one in theirs), last_seen))
    return shares


def _last_turns(connection: Connection, condition: ColumnElement[bool]) -> dict[str, str]:
    """Return when each worker last ended a turn of a search; the chunk of its part forgets it."""
    w = search_worker.c
    wanted = select(w.worker, func.max(w.last_at))
    wanted = wanted.where(condition, w.last_at.is_not(None)).group_by(w.worker)
    return dict(map(tuple, connection.execute(wanted)))


# --- the workers of a queue ---


class ActiveLease(NamedTuple):
    """A worker's lease on a chunk that is not done."""

    worker: str
    batch: int
    chunk: int
    attempt: int
    silent: float  #: seconds since the lease was taken or renewed


def active_leases(connection: Connection, queue: str) -> list[ActiveLease]:
    """Return the leases on all chunks of a queue, ordered by chunk; skip cancelled batches."""
    c = chunk.c
    found = connection.execute(
        select(c.worker, c.batch_id, c.id, c.attempts, c.taken_at, utc())
        .join(batch)
        .where(
            text(UNDER_WAY),
            c.state == ChunkState.TAKEN,
            batch.c.queue == queue,
            batch.c.cancelled_at.is_(None),
        )
    )
    # Sorted here: with ORDER BY, SQLite walks through all chunks instead of those under way.
    return [
        ActiveLease(worker, of_batch, id_, attempt, max(0.0, seconds_between(taken_at, now)))
        for worker, of_batch, id_, attempt, taken_at, now in sorted(found, key=lambda row: row.id)
    ]


class Work(NamedTuple):
    """What one worker process has done, for all batches of a queue."""

    worker: str
    puzzles: int  #: number of puzzles that it answered
    rate: float | None  #: answers per second during the last minute, or since it began meanwhile
    last_seen: str  #: when it last took, renewed or completed a chunk


def work(connection: Connection, queue: str) -> list[Work]:
    """Return the work of every process that ever took a chunk of this queue, by name."""
    c = chunk.c
    is_recent = c.done_at > utc(RATE_SECONDS)
    found = connection.execute(
        select(
            c.worker,
            func.sum(c.answered),
            func.sum(case((is_recent, c.count), else_=0)),
            func.min(case((is_recent, c.taken_at))),
            func.max(func.coalesce(c.done_at, c.taken_at)),
            utc(),
        )
        .join(batch)
        .where(batch.c.queue == queue, c.worker.is_not(None))
        .group_by(c.worker)
        .order_by(c.worker)
    )
    searches = select(search.c.id).join(batch).where(batch.c.queue == queue)
    turns = _last_turns(connection, search_worker.c.search_id.in_(searches))
    return [
        Work(worker, puzzles, _rate(recent, began, now), max(last_seen, turns.get(worker, "")))
        for worker, puzzles, recent, began, last_seen, now in found
    ]


def _rate(recent: int, began: str | None, now: str) -> float | None:
    """Return answers per second since `began`, but for RATE_SECONDS at most."""
    seconds = min(RATE_SECONDS, seconds_between(began, now)) if began else 0.0
    return recent / seconds if seconds > 0 else None
