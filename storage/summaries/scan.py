"""Summaries made from the stored answers: to compare them, and to complete them in an upgrade."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Float, LargeBinary, cast, func, literal, select

from storage.summaries import fingerprints, table
from storage.summaries.summary import Measured, at, places_of, summarise
from storage.tables import answer, summary
from storage.values import NS_PER_MS, UpgradeProgress

_a, _s = answer.c, summary.c
#: the columns of answers from which summaries are made, as of `Measured`
MEASURED = (
    *(_a.id, _s.kind, _s.size, _a.clues, _s.status, _s.complete, _s.solutions),
    *(_a.score, _a.nodes, cast(_a.ns, Float) / NS_PER_MS, _s.last_at),
)
#: the summaries that have no distributions yet; stored ones are never empty
_INCOMPLETE = _s.details == literal(b"", LargeBinary)


def read(
    connection: Connection, first_id: int, last_id: int
) -> Iterator[tuple[str | None, Measured]]:
    """Yield each worker process, and its answers in a range of ids."""
    wanted = select(_s.worker, *MEASURED).join(summary, _s.id == _a.summary_id)
    rows = connection.execute(wanted.where(_a.id.between(first_id, last_id))).all()
    if rows:
        workers, *measured = zip(*rows, strict=True)
        found = Measured(*measured)
        for (worker,), places in places_of((workers,)).items():
            yield worker, at(found, places)


def rebuild(connection: Connection, progress: UpgradeProgress | None = None) -> None:
    """Compute the numbers of incomplete summaries from their answers, and hash their puzzles.

    It takes one step for each answer, after those that moved it to its summary; `progress` is
    called with the number of steps that are done, and that of all.
    """
    total = connection.execute(select(func.sum(_s.answers)).where(_INCOMPLETE)).scalar_one()
    done = 0
    for batch_id, first_id, last_id in _ranges(connection):
        done += _complete(connection, batch_id, first_id, last_id)
        if progress:
            progress(total + done, 2 * total)


def _ranges(connection: Connection) -> Sequence[Sequence[int]]:
    """Return batches and ranges of ids; all answers of an incomplete summary are in one range."""
    wanted = select(_s.batch_id, _s.first_id, _s.last_id).where(_INCOMPLETE)
    ranges: list[list[int]] = []
    for batch_id, first_id, last_id in connection.execute(wanted.order_by(_s.first_id)):
        if ranges and first_id <= ranges[-1][2]:
            ranges[-1][2] = max(ranges[-1][2], last_id)
        else:
            ranges.append([batch_id, first_id, last_id])
    return ranges


def _complete(connection: Connection, batch_id: int, first_id: int, last_id: int) -> int:
    """Complete the summaries of a range of ids; return the number of answers."""
    wanted = select(_s.id, _s.attempts, _a.puzzle, *MEASURED)
    wanted = wanted.join(summary, _s.id == _a.summary_id)
    rows = connection.execute(wanted.where(_a.id.between(first_id, last_id)).order_by(_a.id))
    summaries, attempts, puzzles, *measured = zip(*rows.all(), strict=True)
    found = Measured(*measured)
    for (summary_id,), places in places_of((summaries,)).items():
        table.complete(connection, summary_id, summarise(at(found, places)))
    for (attempt,), places in places_of((attempts,)).items():
        if attempt:  # copies of reused answers are not found again, since their originals are
            some = at(found, places)
            theirs = [puzzles[place] for place in places]
            fingerprints.add(connection, batch_id, some.id, theirs, some.status)
    return len(puzzles)
