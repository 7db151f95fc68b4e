"""The read-only questions behind each screen."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from storage import batches, chunks
from storage.batches import Batch
from storage.clock import seconds_between
from storage.errors import NoSuchPuzzle
from storage.picking import Picked, pick
from storage.tables import COLUMNS, answer, chunk, solution
from storage.values import ChunkState, Kept

__all__ = ["COLUMNS", "Progress", "Share", "find_answer", "kept", "progress", "select_answers"]


class Share(NamedTuple):
    """What one worker did of a batch."""

    worker: str
    puzzles: int
    last_seen: str  #: when it last took, renewed or ended a chunk


class Progress(NamedTuple):
    """How far a batch is."""

    batch: Batch
    answered: int
    by_status: dict[str, int]  #: empty unless it was asked for
    chunks: dict[ChunkState, int]
    workers: list[Share]
    seconds: float | None  #: from its making to the last chunk that ended


def select_answers(
    connection: Connection,
    *,
    batch: int | None = None,
    status: Sequence[str] = (),
    min_score: int | None = None,
    where: str | None = None,
    sort: str | None = None,
    first: int | None = None,
) -> Iterator[Picked]:
    """Lines of the view `answers`, streamed; without `sort` in the order of the input.

    `status` may hold `unique` and `multiple` too; `where` is an SQL expression over the view's
    columns; `sort` a column, with `-` before it from the largest down.  BadQuery tells why one
    of them is not understood.
    """
    whole = batches.find(connection, batch) if batch is not None else None
    return pick(
        connection,
        ids=(whole.first_id, whole.last_id) if whole else None,
        status=status,
        min_score=min_score,
        where=where,
        sort=sort,
        first=first,
    )


def find_answer(connection: Connection, puzzle_id: int) -> Picked:
    """The answer to one puzzle, or NoSuchPuzzle."""
    found = list(pick(connection, ids=(puzzle_id, puzzle_id)))
    if not found:
        raise NoSuchPuzzle(
            f"puzzle {puzzle_id} has no answer (yet): bullseye results lists those that have"
        )
    return found[0]


def kept(connection: Connection, puzzle_id: int) -> list[Kept]:
    """The further solutions that were kept, by rank."""
    wanted = (
        select(solution.c.rank, solution.c.score, solution.c.text)
        .where(solution.c.answer_id == puzzle_id)
        .order_by(solution.c.rank)
    )
    return [Kept(*line) for line in connection.execute(wanted)]


def progress(connection: Connection, batch_id: int, *, tally: bool = False) -> Progress:
    """How far a batch is; `tally` counts its answers by status, which takes longer."""
    whole = batches.find(connection, batch_id)
    open_puzzles = connection.execute(
        select(func.coalesce(func.sum(chunk.c.count - chunk.c.answered), 0)).where(
            chunk.c.batch_id == batch_id
        )
    ).scalar_one()
    last = connection.execute(
        select(func.max(chunk.c.done_at)).where(chunk.c.batch_id == batch_id)
    ).scalar_one()
    return Progress(
        whole,
        whole.puzzles - int(open_puzzles) if whole.ready else 0,
        _tally(connection, whole) if tally else {},
        chunks.states(connection, batch_id),
        _shares(connection, batch_id),
        seconds_between(whole.created_at, last) if last else None,
    )


def _tally(connection: Connection, whole: Batch) -> dict[str, int]:
    counted = connection.execute(
        select(answer.c.status, func.count())
        .where(answer.c.id.between(whole.first_id, whole.last_id))
        .group_by(answer.c.status)
    )
    return dict(map(tuple, counted))


def _shares(connection: Connection, batch_id: int) -> list[Share]:
    seen = func.max(func.coalesce(chunk.c.done_at, chunk.c.taken_at))
    done = connection.execute(
        select(chunk.c.worker, func.sum(chunk.c.answered), seen)
        .where(chunk.c.batch_id == batch_id, chunk.c.worker.is_not(None))
        .group_by(chunk.c.worker)
        .order_by(chunk.c.worker)
    )
    return [Share(worker, int(puzzles), last) for worker, puzzles, last in done]
