"""Reads answers as columns for summaries, from the table `answer`."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, TextClause, case, select, text

from storage.summaries.outcomes import PROVISIONAL, SEVERAL, at, places_of
from storage.summaries.summary import Columns
from storage.tables import UNSOLVED, answer

_a = answer.c
_solutions = case((_a.solutions_text.is_not(None), SEVERAL), else_=_a.solutions)
_measured = (
    *(_a.id, _a.kind, _a.size, _a.clues, _a.status, _a.complete, _solutions),
    *(_a.score, _a.nodes, _a.ms, _a.solved_at),
)


class Stored(NamedTuple):
    """Answers of one worker process in one batch."""

    batch_id: int
    worker: str | None
    columns: Columns


def final(connection: Connection, first_id: int, last_id: int) -> Iterator[Stored]:
    """Yield the answers in a range of ids that are in summaries."""
    yield from _scan(connection, _a.id.between(first_id, last_id), _a.status.not_in(PROVISIONAL))


def provisional(
    connection: Connection, first_id: int | None = None, last_id: int | None = None
) -> Iterator[Stored]:
    """Yield the answers that are in no summary; without a range, those of all batches."""
    wanted: list[ColumnElement[bool] | TextClause] = [text(UNSOLVED), _a.status.in_(PROVISIONAL)]
    if first_id is not None:
        wanted.append(_a.id.between(first_id, last_id))
    yield from _scan(connection, *wanted)


def _scan(
    connection: Connection, *conditions: ColumnElement[bool] | TextClause
) -> Iterator[Stored]:
    wanted = select(_a.batch_id, _a.worker, *_measured).where(*conditions)
    rows = connection.execute(wanted).all()
    if rows:
        batch_ids, workers, *measured = zip(*rows, strict=True)
        found = Columns(*measured)
        for (batch_id, worker), places in places_of((batch_ids, workers)).items():
            yield Stored(batch_id, worker, at(found, places))
