"""Solving times: percentiles, histogram, slowest puzzles, and time by worker."""

from array import array
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from storage import batches
from storage.clock import seconds_between
from storage.tables import answer, chunk

#: number of puzzles in `Stats.slowest`
SLOWEST_PUZZLES = 5
#: the percentiles in `Stats.percentiles`
PERCENTILES = (50, 90, 99)


class Bucket(NamedTuple):
    """A bar of the histogram: puzzles that took from `least_ms` to less than twice that."""

    least_ms: float
    puzzles: int


class SlowPuzzle(NamedTuple):
    """A puzzle with one of the longest solving times."""

    id: int
    ms: float


class WorkerTime(NamedTuple):
    """The puzzles that one worker process solved, and their total solving time."""

    worker: str
    puzzles: int
    ms: float


class Stats(NamedTuple):
    """Solving times of one batch or of all, in milliseconds."""

    by_status: dict[str, int]
    timed: int  #: number of puzzles with a time; invalid ones have none
    total_ms: float
    percentiles: dict[int, float]  #: by percent; empty without times
    max_ms: float | None
    histogram: list[Bucket]
    slowest: list[SlowPuzzle]  #: at most SLOWEST_PUZZLES, the slowest first
    workers: list[WorkerTime]  #: by name
    best_score: int | None
    wall_seconds: (
        float | None
    )  #: from the first chunk sent to the last answer; None for all batches


def stats(connection: Connection, batch_id: int | None = None) -> Stats:
    """Return the statistics of a batch, or of all answers without `batch_id`; raise NoSuchBatch."""
    ours = of_batch(connection, batch_id)
    ordered = sorted_times(connection, batch_id)
    statuses = select(answer.c.status, func.count()).where(*ours).group_by(answer.c.status)
    best = select(func.max(answer.c.score)).where(*ours)
    return Stats(
        by_status=dict(map(tuple, connection.execute(statuses))),
        timed=len(ordered),
        total_ms=sum(ordered),
        percentiles={p: percentile(ordered, p) for p in PERCENTILES} if ordered else {},
        max_ms=ordered[-1] if ordered else None,
        histogram=histogram(ordered),
        slowest=_slowest(connection, ours),
        workers=_workers(connection, ours),
        best_score=connection.execute(best).scalar_one(),
        wall_seconds=_wall_seconds(connection, ours, batch_id),
    )


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return a percentile of sorted times: the nearest-rank method, without interpolation.

    >>> [percentile([1.0, 2.0, 3.0, 4.0], p) for p in (50, 75, 99)]
    [2.0, 3.0, 4.0]
    """
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]


def histogram(ordered: Sequence[float]) -> list[Bucket]:
    """Count sorted times in buckets whose bounds double, from the fastest to the slowest.

    >>> [tuple(bucket) for bucket in histogram([0.25, 0.3, 1.0, 1.9])]
    [(0.25, 2), (0.5, 0), (1.0, 2)]
    """
    buckets: list[Bucket] = []
    least = 2.0**-10  # about 1 us, the resolution of the times
    for ms in ordered:
        while ms >= 2 * least:
            if buckets:
                buckets.append(Bucket(2 * least, 0))
            least *= 2
        if not buckets:
            buckets.append(Bucket(least, 0))
        buckets[-1] = Bucket(least, buckets[-1].puzzles + 1)
    return buckets


_timed = answer.c.ms.is_not(None)


def of_batch(connection: Connection, batch_id: int | None) -> list[ColumnElement[bool]]:
    """Return the conditions that select a batch's answers, or none for all; raise NoSuchBatch."""
    if batch_id is None:
        return []
    whole = batches.find(connection, batch_id)
    return [answer.c.id.between(whole.first_id, whole.last_id)]


def sorted_times(connection: Connection, batch_id: int | None = None) -> "array[float]":
    """Return all solving times in ms, ascending; an array, since there may be millions."""
    ours = of_batch(connection, batch_id)
    wanted = select(answer.c.ms).where(*ours, _timed).order_by(answer.c.ms)
    streamed = {"stream_results": True, "yield_per": 10_000}
    return array("d", connection.execute(wanted, execution_options=streamed).scalars())


def _slowest(connection: Connection, ours: list[ColumnElement[bool]]) -> list[SlowPuzzle]:
    wanted = select(answer.c.id, answer.c.ms).where(*ours, _timed)
    found = connection.execute(
        wanted.order_by(answer.c.ms.desc(), answer.c.id).limit(SLOWEST_PUZZLES)
    )
    return [SlowPuzzle(*line) for line in found]


def _workers(connection: Connection, ours: list[ColumnElement[bool]]) -> list[WorkerTime]:
    found = connection.execute(
        select(answer.c.worker, func.count(), func.sum(answer.c.ms))
        .where(*ours, _timed, answer.c.worker.is_not(None))
        .group_by(answer.c.worker)
        .order_by(answer.c.worker)
    )
    return [WorkerTime(*line) for line in found]


def _wall_seconds(
    connection: Connection, ours: list[ColumnElement[bool]], batch_id: int | None
) -> float | None:
    if batch_id is None:
        return None
    first = connection.execute(
        select(func.min(chunk.c.sent_at)).where(chunk.c.batch_id == batch_id)
    ).scalar_one()
    last = connection.execute(select(func.max(answer.c.solved_at)).where(*ours)).scalar_one()
    return seconds_between(first, last) if first and last else None
