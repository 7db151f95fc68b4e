"""What a page about a batch shows beyond its stats: how times and scores are spread."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Column, Connection, func, select

from storage.queries.stats import of_batch, percentile, times
from storage.tables import answer

#: the shares of puzzles, in percent, at which the curve of times has its points
CURVE = (*range(100), 99.5, 99.9, 100)


class Group(NamedTuple):
    """Puzzles that have one thing in common, and the solver's times for them."""

    value: int | str
    puzzles: int
    mean_ms: float
    max_ms: float


class Distributions(NamedTuple):
    """How times and scores of a batch are spread."""

    curve: list[tuple[float, float]]  #: percent of the puzzles, and the ms within which they ended
    scores: list[tuple[int, int]]  #: each score that occurs, the least first, and its puzzles
    sizes: list[Group]
    clues: list[Group]
    workers: list[Group]


def distributions(connection: Connection, batch_id: int) -> Distributions:
    """Over the answered puzzles of one batch; NoSuchBatch if there is none."""
    ordered = times(connection, batch_id)
    return Distributions(
        curve=_curve(ordered),
        scores=_scores(connection, batch_id),
        sizes=_groups(connection, batch_id, answer.c.size),
        clues=_groups(connection, batch_id, answer.c.clues),
        workers=_groups(connection, batch_id, answer.c.worker),
    )


def _curve(ordered: Sequence[float]) -> list[tuple[float, float]]:
    return [(share, percentile(ordered, share)) for share in CURVE] if ordered else []


def _scores(connection: Connection, batch_id: int) -> list[tuple[int, int]]:
    wanted = (
        select(answer.c.score, func.count())
        .where(*of_batch(connection, batch_id), answer.c.score.is_not(None))
        .group_by(answer.c.score)
        .order_by(answer.c.score)
    )
    return [(score, puzzles) for score, puzzles in connection.execute(wanted)]


def _groups(connection: Connection, batch_id: int, column: "Column[int | str]") -> list[Group]:
    """Of puzzles that have a time and a value in `column`, by that value."""
    ms = answer.c.ms
    wanted = (
        select(column, func.count(), func.avg(ms), func.max(ms))
        .where(*of_batch(connection, batch_id), ms.is_not(None), column.is_not(None))
        .group_by(column)
        .order_by(column)
    )
    return [Group(*line) for line in connection.execute(wanted)]
