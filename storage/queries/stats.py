"""How long solving took: percentiles, histogram, the slowest, and who did it."""

from array import array
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from storage import batches
from storage.clock import seconds_between
from storage.tables import answer, chunk

#: how many of the slowest puzzles are named
SLOWEST = 5
#: the shares of puzzles whose times are told, in percent
PERCENTILES = (50, 90, 99)


class Bucket(NamedTuple):
    """Puzzles that took at least `least_ms` and less than twice that."""

    least_ms: float
    puzzles: int


class Slow(NamedTuple):
    """One of the slowest puzzles."""

    id: int
    ms: float


class Work(NamedTuple):
    """What one worker did."""

    worker: str
    puzzles: int
    ms: float


class Stats(NamedTuple):
    """What is known of the solver's times; times in milliseconds."""

    by_status: dict[str, int]
    timed: int  #: puzzles that have a time
    total_ms: float
    percentiles: dict[int, float]  #: percent -> ms
    max_ms: float | None
    histogram: list[Bucket]
    slowest: list[Slow]
    workers: list[Work]
    best_score: int | None
    wall_seconds: float | None  #: of a batch: from the first chunk sent to the last answer


def stats(connection: Connection, batch_id: int | None = None) -> Stats:
    """Over one batch, or over everything."""
    ours = of_batch(connection, batch_id)
    ordered = times(connection, batch_id)
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
        wall_seconds=_wall(connection, ours, batch_id),
    )


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The least time within which `percent` of the puzzles ended (nearest rank).

    >>> [percentile([1.0, 2.0, 3.0, 4.0], p) for p in (50, 75, 99)]
    [2.0, 3.0, 4.0]
    """
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]


def histogram(ordered: Sequence[float]) -> list[Bucket]:
    """Doubling buckets from the fastest to the slowest.

    >>> [tuple(bucket) for bucket in histogram([0.25, 0.3, 1.0, 1.9])]
    [(0.25, 2), (0.5, 0), (1.0, 2)]
    """
    buckets: list[Bucket] = []
    least = 2.0**-10  # about a microsecond, the resolution of the times
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
    """What holds for the answers of one batch, or of all; NoSuchBatch if there is none."""
    if batch_id is None:
        return []
    whole = batches.find(connection, batch_id)
    return [answer.c.id.between(whole.first_id, whole.last_id)]


def times(connection: Connection, batch_id: int | None = None) -> "array[float]":
    """All times, the least first: eight bytes each, sorted by the database."""
    ours = of_batch(connection, batch_id)
    wanted = select(answer.c.ms).where(*ours, _timed).order_by(answer.c.ms)
    in_portions = {"stream_results": True, "yield_per": 10_000}
    return array("d", connection.execute(wanted, execution_options=in_portions).scalars())


def _slowest(connection: Connection, ours: list[ColumnElement[bool]]) -> list[Slow]:
    wanted = select(answer.c.id, answer.c.ms).where(*ours, _timed)
    found = connection.execute(wanted.order_by(answer.c.ms.desc(), answer.c.id).limit(SLOWEST))
    return [Slow(*line) for line in found]


def _workers(connection: Connection, ours: list[ColumnElement[bool]]) -> list[Work]:
    found = connection.execute(
        select(answer.c.worker, func.count(), func.sum(answer.c.ms))
        .where(*ours, _timed, answer.c.worker.is_not(None))
        .group_by(answer.c.worker)
        .order_by(answer.c.worker)
    )
    return [Work(*line) for line in found]


def _wall(
    connection: Connection, ours: list[ColumnElement[bool]], batch_id: int | None
) -> float | None:
    if batch_id is None:
        return None
    first = connection.execute(
        select(func.min(chunk.c.sent_at)).where(chunk.c.batch_id == batch_id)
    ).scalar_one()
    last = connection.execute(select(func.max(answer.c.solved_at)).where(*ours)).scalar_one()
    return seconds_between(first, last) if first and last else None
