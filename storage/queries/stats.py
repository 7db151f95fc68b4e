"""Statistics of answers: solving times, search nodes, hardest puzzles, and time by worker."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select

from storage import batches
from storage.clock import seconds_between
from storage.tables import answer, chunk
from storage.values import Kind, Status

#: number of puzzles in `Stats.hardest`
HARDEST_PUZZLES = 5
#: the percentiles in `Stats.percentiles` and `Stats.nodes`
PERCENTILES = (50, 90, 99)


class Bucket(NamedTuple):
    """A bar of the histogram: puzzles that took from `least_ms` to less than twice that."""

    least_ms: float
    puzzles: int


class HardPuzzle(NamedTuple):
    """A puzzle with one of the largest searches."""

    id: int
    nodes: int
    ms: float


class WorkerTime(NamedTuple):
    """The puzzles that one worker process solved, and their total solving time."""

    worker: str
    puzzles: int
    ms: float


class Stats(NamedTuple):
    """Solving times, in milliseconds, and search nodes of one batch or of all."""

    by_status: dict[str, int]
    timed: int  #: number of puzzles with a time; invalid ones have none
    total_ms: float
    percentiles: dict[int, float]  #: by percent; empty without times
    max_ms: float | None
    nodes: dict[int, int]  #: percentiles of the search nodes, by percent
    max_nodes: int | None
    grids: int  #: number of grids that have a solution
    unguessed: int  #: number of these that needed no search node, and so no guess
    histogram: list[Bucket]
    hardest: list[HardPuzzle]  #: at most HARDEST_PUZZLES: most nodes first, then most ms
    workers: list[WorkerTime]  #: by name
    best_score: int | None
    #: from the first chunk sent to the last answer; None for all batches
    wall_seconds: float | None

    @property
    def puzzles_per_second(self) -> float | None:
        """The rate of a batch from its first chunk to its last answer; None for all batches."""
        return sum(self.by_status.values()) / self.wall_seconds if self.wall_seconds else None


def stats(connection: Connection, batch_id: int | None = None) -> Stats:
    """Return the statistics of a batch, or of all answers without `batch_id`; raise NoSuchBatch."""
    ours = of_batch(connection, batch_id)
    ordered, nodes = sorted_times(connection, batch_id), _node_counts(connection, ours)
    grids, unguessed = _unguessed(connection, ours)
    statuses = select(answer.c.status, func.count()).where(*ours).group_by(answer.c.status)
    best = select(func.max(answer.c.score)).where(*ours)
    return Stats(
        by_status=dict(map(tuple, connection.execute(statuses))),
        timed=len(ordered),
        total_ms=sum(ordered),
        percentiles={p: percentile(ordered, p) for p in PERCENTILES} if ordered else {},
        max_ms=ordered[-1] if ordered else None,
        nodes={p: counted_percentile(nodes, p) for p in PERCENTILES} if nodes else {},
        max_nodes=nodes[-1][0] if nodes else None,
        grids=grids,
        unguessed=unguessed,
        histogram=histogram(ordered),
        hardest=_hardest(connection, ours),
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


def counted_percentile(counts: Sequence[tuple[int, int]], percent: float) -> int:
    """Return a percentile of values given as ascending pairs of a value and its number.

    >>> [counted_percentile([(0, 97), (5, 2), (7, 1)], p) for p in (50, 98, 100)]
    [0, 5, 7]
    """
    ends = list(accumulate(number for _, number in counts))
    return counts[bisect_left(ends, ends[-1] * percent / 100)][0]


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


def _node_counts(connection: Connection, ours: list[ColumnElement[bool]]) -> list[tuple[int, int]]:
    """Return each number of search nodes, ascending, and how many puzzles have it."""
    nodes = answer.c.nodes
    wanted = select(nodes, func.count()).where(*ours, nodes.is_not(None))
    return [tuple(row) for row in connection.execute(wanted.group_by(nodes).order_by(nodes))]


def _unguessed(connection: Connection, ours: list[ColumnElement[bool]]) -> tuple[int, int]:
    """Count the grids with a solution, and those of them without a search node.

    Exact covers are left out: in their search, options without an alternative are nodes, too.
    """
    a = answer.c
    solved = [a.status == Status.SOLVED, a.kind != Kind.COVER, a.nodes.is_not(None)]
    wanted = select(func.count(), func.count(case((a.nodes == 0, 1)))).where(*ours, *solved)
    grids, unguessed = connection.execute(wanted).one()
    return grids, unguessed


def _hardest(connection: Connection, ours: list[ColumnElement[bool]]) -> list[HardPuzzle]:
    a = answer.c
    wanted = (
        select(a.id, a.nodes, a.ms)
        .where(*ours, _timed, a.nodes.is_not(None))
        .order_by(a.nodes.desc(), a.ms.desc(), a.id)
        .limit(HARDEST_PUZZLES)
    )
    return [HardPuzzle(*row) for row in connection.execute(wanted)]


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
