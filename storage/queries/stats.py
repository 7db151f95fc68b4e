"""Statistics of answers: solving times, search nodes, hardest puzzles, and time by worker."""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import ceil
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, func, select

from storage import batches
from storage.archive.catalogue import attach
from storage.batches import Batch
from storage.clock import seconds_between
from storage.errors import ArchiveUnreadable
from storage.summaries import histogram, table
from storage.summaries.summary import Summary, Times, merge
from storage.summaries.table import Record
from storage.tables import answers, chunk

Percent = TypeVar("Percent", int, float)

_a = answers.c

#: number of answers up to which percentiles are always exact: reading these takes milliseconds
EXACT_ANSWERS = 10_000
#: least time of the histogram: about 1 us, the resolution of the times
LEAST_MS = 2.0**-10
#: the percentiles in `Stats.percentiles` and `Stats.nodes`
PERCENTILES = (50, 90, 99)
#: the percentiles in `Distributions.curve`
CURVE_PERCENTILES = (*range(100), 99.5, 99.9, 100)


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
    exact: bool  #: percentiles are exact, else within histogram.MAX_ERROR_PERCENT
    grids: int  #: number of grids that have a solution
    unguessed: int  #: number of these that needed no search node, and so no guess
    histogram: list[Bucket]
    hardest: list[HardPuzzle]  #: at most five: most nodes first, then most ms
    workers: list[WorkerTime]  #: by name
    best_score: int | None
    #: from the first chunk sent to the last answer; None for all batches
    wall_seconds: float | None

    @property
    def puzzles_per_second(self) -> float | None:
        """The rate of a batch from its first chunk to its last answer; None for all batches."""
        return sum(self.by_status.values()) / self.wall_seconds if self.wall_seconds else None


class MeanTime(NamedTuple):
    """Puzzles that share a value, such as a number of clues, and their solving times."""

    value: int | str
    puzzles: int
    mean_ms: float
    max_ms: float


class Distributions(NamedTuple):
    """Distributions of solving times and scores over a batch.  The lists are empty without data."""

    curve: list[tuple[float, float]]  #: percentiles of the solving times: percent, ms
    scores: list[tuple[int, int]]  #: score, number of puzzles; ascending
    sizes: list[MeanTime]  #: by side of the grid, or number of items
    clues: list[MeanTime]  #: by number of clues
    workers: list[MeanTime]  #: by name of the worker process


def stats(connection: Connection, batch_id: int | None = None, *, exact: bool = False) -> Stats:
    """Return the statistics of a batch, or of all answers without `batch_id`; raise NoSuchBatch.

    They come from the summaries of the answers.  If there are more than EXACT_ANSWERS, percentiles
    are approximate unless `exact`, which reads all answers.
    """
    batch = None if batch_id is None else batches.find(connection, batch_id)
    each = list(table.read(connection, batch_id))
    whole = merge(one.summary for one in each)
    exact = _reads_all(connection, batch, whole, exact=exact)
    return Stats(
        by_status=table.by_status(each),
        timed=whole.timed,
        total_ms=whole.total_ms,
        percentiles=_percentiles_of_ms(connection, batch, whole, PERCENTILES, exact=exact),
        max_ms=whole.max_ms,
        nodes=_percentiles_of_nodes(connection, batch, whole, exact=exact),
        max_nodes=whole.max_nodes,
        exact=exact,
        grids=whole.grids,
        unguessed=whole.unguessed,
        histogram=[Bucket(*one) for one in histogram.doublings(whole.ms, LEAST_MS)],
        hardest=[HardPuzzle(-one.negative_id, one.nodes, one.ms) for one in whole.hardest],
        workers=_workers(each),
        best_score=whole.max_score,
        wall_seconds=_wall_seconds(connection, batch_id, whole.last_at),
    )


def distributions(connection: Connection, batch_id: int, *, exact: bool = False) -> Distributions:
    """Return the distributions over a batch's answers, or raise NoSuchBatch.

    The curve is exact where the percentiles of `stats` are.
    """
    batch = batches.find(connection, batch_id)
    each = list(table.read(connection, batch_id))
    whole = merge(one.summary for one in each)
    exact = _reads_all(connection, batch, whole, exact=exact)
    curve = _percentiles_of_ms(connection, batch, whole, CURVE_PERCENTILES, exact=exact)
    return Distributions(
        curve=list(curve.items()),
        scores=sorted(whole.scores.items()),
        sizes=_groups(whole.sizes),
        clues=_groups(whole.clues),
        workers=_groups(_by_worker(each)),
    )


def _groups(found: Mapping[Any, Times]) -> list[MeanTime]:
    return [
        MeanTime(value, one.puzzles, one.total_ms / one.puzzles, one.max_ms)
        for value, one in sorted(found.items())
    ]


def _reads_all(connection: Connection, batch: Batch | None, whole: Summary, *, exact: bool) -> bool:
    """Return whether percentiles are exact: if that is wanted, or there are few answers.

    Archived answers are attached.  If they cannot be read, ArchiveUnreadable is raised where exact
    percentiles are wanted; else they are approximate.
    """
    if not exact and whole.answers > EXACT_ANSWERS:
        return False
    try:
        attach(connection, *((batch.first_id, batch.last_id) if batch else ()))
    except ArchiveUnreadable:
        if exact:
            raise
        return False
    return True


def _percentiles_of_ms(
    connection: Connection,
    batch: Batch | None,
    whole: Summary,
    percents: Sequence[Percent],
    *,
    exact: bool,
) -> dict[Percent, float]:
    """Return percentiles of the solving times in ms, by percent; empty without times."""
    if not whole.ms:
        return {}
    if exact:
        ordered = _sorted_times(connection, batch)
        return {p: percentile(ordered, p) for p in percents}
    longest = whole.max_ms or 0.0
    found = histogram.percentiles(whole.ms, percents)
    return {p: min(ms, longest) for p, ms in found.items()}


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


def _of_batch(batch: Batch | None) -> list[ColumnElement[bool]]:
    """Return the conditions that select a batch's answers, or none for all."""
    return [_a.id.between(batch.first_id, batch.last_id)] if batch else []


def _sorted_times(connection: Connection, batch: Batch | None) -> "array[float]":
    """Return all solving times in ms, ascending; an array, since there may be millions."""
    ms = _a.ms
    wanted = select(ms).where(*_of_batch(batch), ms.is_not(None)).order_by(ms)
    streamed = {"stream_results": True, "yield_per": 10_000}
    return array("d", connection.execute(wanted, execution_options=streamed).scalars())


def _percentiles_of_nodes(
    connection: Connection, batch: Batch | None, whole: Summary, *, exact: bool
) -> dict[int, int]:
    """Return percentiles of the numbers of search nodes, by percent; empty without numbers."""
    if not whole.nodes:
        return {}
    if exact:
        counts = _node_counts(connection, batch)
        return {p: counted_percentile(counts, p) for p in PERCENTILES}
    most = whole.max_nodes or 0
    found = histogram.percentiles(whole.nodes, PERCENTILES)
    return {p: min(int(nodes), most) for p, nodes in found.items()}


def _node_counts(connection: Connection, batch: Batch | None) -> list[tuple[int, int]]:
    """Return each number of search nodes, ascending, and how many puzzles have it."""
    nodes = _a.nodes
    wanted = select(nodes, func.count()).where(*_of_batch(batch), nodes.is_not(None))
    return [tuple(row) for row in connection.execute(wanted.group_by(nodes).order_by(nodes))]


def _by_worker(each: Sequence[Record]) -> dict[str, Times]:
    """Return the solving times of each worker process, by its name."""
    found = dict[str, Times]()
    for worker, _, one in each:
        if worker is not None and one.timed and one.max_ms is not None:
            before = found.get(worker, Times(0, 0.0, 0.0))
            found[worker] = before.with_further(Times(one.timed, one.total_ms, one.max_ms))
    return dict(sorted(found.items()))


def _workers(each: Sequence[Record]) -> list[WorkerTime]:
    return [WorkerTime(name, one.puzzles, one.total_ms) for name, one in _by_worker(each).items()]


def _wall_seconds(
    connection: Connection, batch_id: int | None, last_at: str | None
) -> float | None:
    if batch_id is None:
        return None
    first = connection.execute(
        select(func.min(chunk.c.sent_at)).where(chunk.c.batch_id == batch_id)
    ).scalar_one()
    return seconds_between(first, last_at) if first and last_at else None
