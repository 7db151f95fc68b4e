"""Reads answers as columns for summaries, from their table."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Float, cast, select

from storage.summaries.outcomes import at, places_of
from storage.summaries.summary import Columns
from storage.tables import answer, summary
from storage.values import NS_PER_MS

_a, _s = answer.c, summary.c
#: the columns of answers from which summaries are made, as of `Columns`
MEASURED = (
    *(_a.id, _s.kind, _s.size, _a.clues, _s.status, _s.complete, _s.solutions),
    *(_a.score, _a.nodes, cast(_a.ns, Float) / NS_PER_MS, _s.last_at),
)


class Stored(NamedTuple):
    """Answers of one worker process."""

    worker: str | None
    columns: Columns


def read(connection: Connection, first_id: int, last_id: int) -> Iterator[Stored]:
    """Yield the answers in a range of ids."""
    wanted = select(_s.worker, *MEASURED).join(summary, _s.id == _a.summary_id)
    rows = connection.execute(wanted.where(_a.id.between(first_id, last_id))).all()
    if rows:
        workers, *measured = zip(*rows, strict=True)
        found = Columns(*measured)
        for (worker,), places in places_of((workers,)).items():
            yield Stored(worker, at(found, places))
