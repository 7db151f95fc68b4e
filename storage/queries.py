"""The read-only questions behind each screen."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Integer, case, func, literal_column, select

from storage import batches
from storage.batches import Batch
from storage.clock import seconds_between
from storage.errors import NoSuchPuzzle
from storage.picking import Picked, pick
from storage.tables import COLUMNS, answer, chunk, solution
from storage.values import ChunkState, Kept

__all__ = [
    "COLUMNS",
    "Alike",
    "Progress",
    "Share",
    "alike",
    "find_answer",
    "kept",
    "progress",
    "select_answers",
]


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
) -> Generator[Picked]:
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
    groups = _groups(connection, batch_id)
    to_do = sum(group.to_do for group in groups)
    last = max((group.done_at for group in groups if group.done_at), default=None)
    return Progress(
        whole,
        whole.puzzles - to_do if whole.ready else 0,
        _tally(connection, whole) if tally else {},
        {state: sum(g.chunks for g in groups if g.state == state) for state in ChunkState},
        _shares(groups),
        seconds_between(whole.created_at, last) if last else None,
    )


class Alike(NamedTuple):
    """Answers of a batch that a summary tells together."""

    status: str
    complete: int
    solutions: int | None  #: 2 stands for more than one
    best: int | None  #: the highest score; None where they have none
    puzzles: int


def alike(connection: Connection, batch_id: int) -> list[Alike]:
    """All answers of a batch, counted by what a summary tells of them."""
    whole = batches.find(connection, batch_id)
    a = answer.c
    # Not as parameters: to PostgreSQL two of them are never the same expression.
    one, more = literal_column("1", Integer), literal_column("2", Integer)
    solutions = case((a.solutions > one, more), else_=a.solutions)
    wanted = (
        select(a.status, a.complete, solutions, func.max(a.score), func.count())
        .where(a.id.between(whole.first_id, whole.last_id))
        .group_by(a.status, a.complete, solutions, a.score.is_not(None))
    )
    return [Alike(*line) for line in connection.execute(wanted)]


class _Group(NamedTuple):
    """The chunks of a batch that are in one state, and with one worker."""

    state: str
    worker: str | None
    chunks: int
    answered: int
    to_do: int
    done_at: str | None
    seen: str | None


def _groups(connection: Connection, batch_id: int) -> list[_Group]:
    """Everything that the chunks tell, in one walk over them: there may be thousands."""
    c = chunk.c
    found = connection.execute(
        select(
            c.state,
            c.worker,
            func.count(),
            func.sum(c.answered),
            func.sum(c.count - c.answered),
            func.max(c.done_at),
            func.max(func.coalesce(c.done_at, c.taken_at)),
        )
        .where(c.batch_id == batch_id)
        .group_by(c.state, c.worker)
    )
    return [_Group(*line) for line in found]


def _shares(groups: Sequence[_Group]) -> list[Share]:
    workers = sorted({group.worker for group in groups if group.worker})
    return [_share(name, [g for g in groups if g.worker == name]) for name in workers]


def _share(worker: str, groups: Sequence[_Group]) -> Share:
    last_seen = max(group.seen for group in groups if group.seen)
    return Share(worker, sum(group.answered for group in groups), last_seen)


def _tally(connection: Connection, whole: Batch) -> dict[str, int]:
    counted = connection.execute(
        select(answer.c.status, func.count())
        .where(answer.c.id.between(whole.first_id, whole.last_id))
        .group_by(answer.c.status)
    )
    return dict(map(tuple, counted))
