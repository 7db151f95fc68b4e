"""Distributions of solving times and scores over a batch, for the report of `stats --html`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

from storage import batches
from storage.queries.stats import by_worker, percentiles_of_ms, reads_all
from storage.summaries import summary, table
from storage.summaries.summary import merge

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


def distributions(connection: Connection, batch_id: int, *, exact: bool = False) -> Distributions:
    """Return the distributions over a batch's answers, or raise NoSuchBatch.

    The curve is exact where the percentiles of `stats` are.
    """
    batch = batches.find(connection, batch_id)
    each = list(table.read(connection, batch_id))
    whole = merge(one.summary for one in each)
    exact = reads_all(connection, batch, whole, exact=exact)
    curve = percentiles_of_ms(connection, batch, whole, CURVE_PERCENTILES, exact=exact)
    return Distributions(
        curve=list(curve.items()),
        scores=sorted(whole.scores.items()),
        sizes=_groups(whole.sizes),
        clues=_groups(whole.clues),
        workers=_groups(by_worker(each)),
    )


def _groups(found: Mapping[Any, summary.Group]) -> list[Group]:
    return [
        Group(value, one.puzzles, one.total_ms / one.puzzles, one.max_ms)
        for value, one in sorted(found.items())
    ]
