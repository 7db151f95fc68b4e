"""Statistics of answers: solving times, search nodes, hardest puzzles, and time by worker."""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from storage import batches
from storage.archive.catalogue import attach
from storage.batches import Batch
from storage.clock import seconds_between
from storage.database import stream
from storage.errors import ArchiveUnreadable
from storage.queries import zones
from storage.queries.answers import count_answers, has_values, select_answers
from storage.queries.progress import OutcomeCount, count_outcomes
from storage.queries.selection import Selection
from storage.summaries import histogram, table
from storage.summaries.histogram import Percent, nearest_ranks
from storage.summaries.summary import HARDEST_PUZZLES, Summary, Times, merge, merge_times
from storage.summaries.table import Record
from storage.tables import chunk, fact
from storage.values import Status

#: number of answers up to which percentiles are always exact: reading these takes milliseconds
EXACT_ANSWERS = 10_000
#: least time of the histogram: about 1 us, the resolution of the times
LEAST_MS = 2.0**-10
#: the percentiles in `Stats`, and those in `Distributions.curve`
PERCENTILES = (50, 90, 99)
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
    label: str | None  #: also None if it is in a file that cannot be read


class Solved(NamedTuple):
    """Solved puzzles by what is known of their number of solutions; each counts once."""

    unique: int = 0  #: exactly one
    multiple: int = 0  #: several, all of which were counted
    capped: int = 0  #: the search ended at its limit of solutions, so there may be more


class WorkerTime(NamedTuple):
    """The puzzles that one worker process solved, and their total solving time."""

    worker: str
    puzzles: int
    ms: float


class Stats(NamedTuple):
    """Solving times, in milliseconds, and search nodes of one batch or of all."""

    batch: Batch | None  #: None stands for all
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
    hardest: list[HardPuzzle]  #: most nodes first, then most ms
    workers: list[WorkerTime]  #: by name
    best_score: int | None
    #: from the first chunk sent to the last answer; None for all batches
    wall_seconds: float | None
    solved: Solved  #: without puzzles of which only the best solutions were sought
    classes: int | None  #: of puzzles up to symmetry; None without, or if percentiles are not exact
    facts: dict[str, dict[int, int]]  #: by name and value: puzzles; empty as `classes`

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


def stats(
    connection: Connection,
    batch_id: int | None = None,
    *,
    exact: bool = False,
    hardest: int = HARDEST_PUZZLES,
) -> Stats:
    """Return the statistics of a batch, or of all answers without `batch_id`; raise NoSuchBatch.

    They come from the summaries of the answers.  If there are more than EXACT_ANSWERS, percentiles
    are approximate unless `exact`, which reads all answers.  More than HARDEST_PUZZLES of the
    `hardest` are found among the answers.
    """
    return _stats(_read(connection, batch_id, exact=exact), hardest)


def _stats(some: "_Answers", hardest: int) -> Stats:
    connection, whole = some.connection, some.whole
    batch_id = some.batch.id if some.batch else None
    return Stats(
        batch=some.batch,
        by_status=table.by_status(connection, batch_id),
        timed=whole.timed,
        total_ms=whole.total_ms,
        percentiles=some.percentiles("ms", PERCENTILES),
        max_ms=whole.max_ms,
        nodes=some.percentiles("nodes", PERCENTILES),
        max_nodes=whole.max_nodes,
        exact=some.exact,
        grids=whole.grids,
        unguessed=whole.unguessed,
        histogram=[Bucket(*one) for one in histogram.doublings(whole.ms, LEAST_MS)],
        hardest=some.hardest(hardest),
        workers=[WorkerTime(name, *times[:2]) for name, times in sorted(some.by_worker().items())],
        best_score=whole.max_score,
        wall_seconds=_wall_seconds(connection, batch_id, whole.last_at),
        solved=_solved(count_outcomes(connection, batch_id)),
        classes=some.classes(),
        facts=some.facts(),
    )


def _solved(outcomes: Sequence[OutcomeCount]) -> Solved:
    found = Counter[str]()
    for one in outcomes:
        if one.status == Status.SOLVED and one.solutions is not None:
            known = "unique" if one.solutions == 1 else "multiple"
            found[known if one.complete else "capped"] += one.puzzles
    return Solved(**found)


def stats_and_distributions(
    connection: Connection, batch_id: int, *, exact: bool = False
) -> tuple[Stats, Distributions]:
    """Return both of a batch from one reading of its summaries; raise NoSuchBatch.

    The distributions are exact where the statistics are.
    """
    some = _read(connection, batch_id, exact=exact)
    return _stats(some, HARDEST_PUZZLES), Distributions(
        curve=list(some.percentiles("ms", CURVE_PERCENTILES).items()),
        scores=sorted(some.whole.scores.items()),
        sizes=_groups(some.whole.sizes),
        clues=_groups(some.whole.clues),
        workers=_groups(some.by_worker()),
    )


def _groups(found: Mapping[Any, Times]) -> list[MeanTime]:
    return [
        MeanTime(value, one.puzzles, one.total_ms / one.puzzles, one.max_ms)
        for value, one in sorted(found.items())
    ]


class _Answers(NamedTuple):
    """The answers of a batch, or of all, and their summaries."""

    connection: Connection
    batch: Batch | None
    records: list[Record]
    whole: Summary
    exact: bool  #: whether percentiles are

    def percentiles(self, column: str, percents: Sequence[Percent]) -> dict[Percent, Any]:
        """Return percentiles of `ms` or `nodes`, by percent; empty without values."""
        counts: histogram.Histogram = getattr(self.whole, column)
        if not counts:
            return {}
        if self.exact:
            return nearest_ranks(*self._counted(column), percents)
        greatest = getattr(self.whole, f"max_{column}")
        found = histogram.percentiles(counts, percents)
        return {p: min(type(greatest)(value), greatest) for p, value in found.items()}

    def _counted(self, column: str) -> "tuple[array[Any], array[int]]":
        """Return each value, ascending, and how often it occurs; there may be millions."""
        conditions = " AND ".join([*zones.of_batch(self.batch), f"{column} IS NOT NULL"])
        query = f"SELECT {column}, count(*) FROM answers WHERE {conditions}"  # noqa: S608 # our own names
        values, numbers = array("d" if column == "ms" else "q"), array("q")
        for value, number in stream(self.connection, f"{query} GROUP BY 1 ORDER BY 1"):
            values.append(value)
            numbers.append(number)
        return values, numbers

    def classes(self) -> int | None:
        """Return the number of classes of puzzles, if the answers were read and have any."""
        if not self.exact or not has_values(self.connection, fact.c["class"], self.batch):
            return None
        batch_id = self.batch.id if self.batch else None
        return count_answers(self.connection, batch=batch_id, distinct=True) or None

    def facts(self) -> dict[str, dict[int, int]]:
        """Return how many puzzles have each value of facts, if the answers were read."""
        names = "minimal", "depth", "backdoor"
        if not self.exact or not has_values(self.connection, fact.c.minimal, self.batch):
            return {}
        found = {name: dict(zip(*self._counted(name), strict=True)) for name in names}
        return found if any(found.values()) else {}

    def hardest(self, number: int) -> list[HardPuzzle]:
        """Return the puzzles with the largest searches, the largest first."""
        if number > HARDEST_PUZZLES:
            batch_id = self.batch.id if self.batch else None
            order: Selection = {"batch": batch_id, "sort": ["-nodes", "-ms"], "first": number}
            rows = select_answers(self.connection, **order)
            return [
                HardPuzzle(one.id, one.nodes, one.ms, one.label)
                for one in rows
                if one.nodes is not None and one.ms is not None
            ]
        first = self.whole.hardest[:number]
        labels = self._labels([-one.negative_id for one in first])
        return [
            HardPuzzle(-one.negative_id, one.nodes, one.ms, labels.get(-one.negative_id))
            for one in first
        ]

    def _labels(self, ids: Sequence[int]) -> dict[int, str | None]:
        """Return the labels of a few puzzles, without those that cannot be read."""
        if not ids:
            return {}
        condition = f"id IN ({', '.join(map(str, ids))})"
        with suppress(ArchiveUnreadable):
            attach(self.connection, self.batch.ids if self.batch else None, conditions=[condition])
        query = f"SELECT id, label FROM answers WHERE {condition}"  # noqa: S608 # our own numbers
        return dict(map(tuple, self.connection.exec_driver_sql(query)))

    def by_worker(self) -> dict[str, Times]:
        """Return the solving times of each worker process, by its name."""
        return merge_times(
            {worker: Times(one.timed, one.total_ms, one.max_ms)}
            for worker, _, one in self.records
            if worker is not None and one.timed and one.max_ms is not None
        )


def _read(connection: Connection, batch_id: int | None, *, exact: bool) -> _Answers:
    """Read summaries, and attach archived answers if percentiles are exact.

    They are if that is wanted, or there are few answers.  If archived ones cannot be read,
    ArchiveUnreadable is raised where exact percentiles are wanted; else they are approximate.
    """
    batch = None if batch_id is None else batches.find(connection, batch_id)
    records = list(table.read(connection, batch_id))
    whole = merge(one.summary for one in records)
    is_exact = exact or whole.answers <= EXACT_ANSWERS
    if is_exact:
        try:
            attach(connection, batch.ids if batch else None)
        except ArchiveUnreadable:
            if exact:
                raise
            is_exact = False
    return _Answers(connection, batch, records, whole, is_exact)


def _wall_seconds(connection: Connection, batch: int | None, last_at: str | None) -> float | None:
    if batch is None:
        return None
    sent = select(func.min(chunk.c.sent_at)).where(chunk.c.batch_id == batch)
    first = connection.execute(sent).scalar_one()
    return seconds_between(first, last_at) if first and last_at else None
