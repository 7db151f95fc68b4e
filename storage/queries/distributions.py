"""Distributions of solving times and scores over a batch, for the report of `stats --html`."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Column, Connection, func, select

from storage.queries.stats import of_batch, percentile, sorted_times
from storage.tables import answer

#: the percentiles in `Distributions.curve`
CURVE_PERCENTILES = (*range(100), 99.5, 99.9, 100)


class Group(NamedTuple):
    """Puzzles that share a value, such as a number of clues, and their solving times."""

    value: int | str
    puzzles: int
    mean_ms: float
    max_ms: float


class Distributions(NamedTuple):
    """Distributions of solving times and scores over a batch.  The lists are empty without data."""

    curve: list[tuple[float, float]]  #: percentiles of the solving times: percent, ms
    scores: list[tuple[int, int]]  #: score, number of puzzles; ascending
    sizes: list[Group]  #: by side of the grid, or number of items
    clues: list[Group]  #: by number of clues
    workers: list[Group]  #: by name of the worker process


def distributions(connection: Connection, batch_id: int) -> Distributions:
    """Return the distributions over a batch's answers, or raise NoSuchBatch."""
    ordered = sorted_times(connection, batch_id)
    return Distributions(
        curve=_curve(ordered),
        scores=_scores(connection, batch_id),
        sizes=_groups(connection, batch_id, answer.c.size),
        clues=_groups(connection, batch_id, answer.c.clues),
        workers=_groups(connection, batch_id, answer.c.worker),
    )


def _curve(ordered: Sequence[float]) -> list[tuple[float, float]]:
    return [(share, percentile(ordered, share)) for share in CURVE_PERCENTILES] if ordered else []


def _scores(connection: Connection, batch_id: int) -> list[tuple[int, int]]:
    wanted = (
        select(answer.c.score, func.count())
        .where(*of_batch(connection, batch_id), answer.c.score.is_not(None))
        .group_by(answer.c.score)
        .order_by(answer.c.score)
    )
    return [(score, puzzles) for score, puzzles in connection.execute(wanted)]


def _groups(connection: Connection, batch_id: int, column: "Column[int | str]") -> list[Group]:
    ms = answer.c.ms
    wanted = (
        select(column, func.count(), func.avg(ms), func.max(ms))
        .where(*of_batch(connection, batch_id), ms.is_not(None), column.is_not(None))
        .group_by(column)
        .order_by(column)
    )
    return [Group(*line) for line in connection.execute(wanted)]
