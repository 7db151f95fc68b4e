"""Ending a search: its answer is written in the transaction that ends it.

A search that ends before all its parts have ended, because its time limit has run out or a part
has failed, keeps its parts and candidates: `reopen` continues it with all totals.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, select, update

from storage import answers
from storage.answers import IDS_PER_STATEMENT
from storage.batches import Batch
from storage.clock import now, utc
from storage.searches import candidates
from storage.searches.totals import Goal, Totals
from storage.summaries.summary import PROVISIONAL
from storage.tables import answer, chunk, part, payload, search, summary
from storage.values import NS_PER_MS, Answer, Answers, ChunkState, Kept, Status, slices

_open_parts = (part.c.search_id == bindparam("search")) & part.c.ended_at.is_(None)
_failure = select(part.c.detail).where(_open_parts, part.c.detail.is_not(None)).limit(1)
_search = search.c.id == bindparam("search")


class _End(NamedTuple):
    """How a search ends."""

    status: Status
    complete: bool = False
    detail: str | None = None
    final: bool = True  #: it cannot be continued


def end_if_due(
    connection: Connection, search_id: int, totals: Totals, goal: Goal, worker: str, attempt: int
) -> bool:
    """Write the answer of a locked search if it has ended, and return whether it has.

    It ends when all parts have ended or failed, when it has found as many solutions as were asked
    for, or when its time limit has run out.
    """
    end = _end(connection, search_id, totals, goal)
    if end is None:
        return False
    row = connection.execute(select(search).where(_search), {"search": search_id}).one()
    found = Answers.of([_answer(connection, row, totals, goal, end)])
    answers.add(connection, row.batch_id, found, worker, attempt, now(connection))
    ended: dict[str, Any] = {"ended_at": utc()}
    if end.complete:
        ended["share"] = 1.0
    if end.final:  # the answer has the puzzle and the solutions
        ended |= {"puzzle": "", "setup": "", "open": 0}
        candidates.remove(connection, search_id)
    connection.execute(update(search).where(_search).values(ended), {"search": search_id})
    _end_parts(connection, search_id, final=end.final)
    return True


def failure(connection: Connection, search_id: int) -> str | None:
    """Return why a part of a search failed; None if none did."""
    detail: str | None = connection.execute(_failure, {"search": search_id}).scalar()
    return detail


def reopen(connection: Connection, batch: Batch, *, stopped: bool) -> int:
    """Continue the searches of a batch that ended before all their parts did: these become new.

    So do the parts of searches without an answer if the batch was `stopped`.  The answers are
    deleted, and the time limits begin anew.  Returns the number of searches; those whose parts have
    all ended meanwhile are left out.
    """
    wanted: ColumnElement[bool] = summary.c.status.in_(PROVISIONAL)
    if stopped:
        wanted |= search.c.ended_at.is_(None)
    found = select(search.c.id).outerjoin(answer, answer.c.id == search.c.id)
    found = found.outerjoin(summary, summary.c.id == answer.c.summary_id).where(wanted)
    found = found.where(search.c.id.between(*batch.ids)).order_by(search.c.id)
    ids = connection.execute(found).scalars().all()
    return sum(_reopen(connection, some) for some in slices(ids, IDS_PER_STATEMENT))


def _reopen(connection: Connection, search_ids: Sequence[int]) -> int:
    locked = select(search.c.id).where(search.c.id.in_(search_ids)).order_by(search.c.id)
    connection.execute(locked.with_for_update(key_share=True)).all()
    unfinished = part.c.search_id.in_(search_ids) & part.c.ended_at.is_(None)
    ids = connection.execute(select(part.c.search_id).where(unfinished).distinct()).scalars().all()
    answers.withdraw(connection, ids)
    connection.execute(
        update(chunk)
        .where(chunk.c.id.in_(select(part.c.chunk_id).where(unfinished)))
        .values(state=ChunkState.NEW, sent_at=None, done_at=None)
    )
    failed = update(part).where(unfinished, part.c.detail.is_not(None))
    connection.execute(failed.values(detail=None))
    ours = (part.c.search_id == search.c.id) & part.c.ended_at.is_(None)
    count = select(func.count()).select_from(part).where(ours).scalar_subquery()
    reopened = update(search).where(search.c.id.in_(ids))
    connection.execute(reopened.values(ended_at=None, elapsed=0.0, open=count))
    return len(ids)


def _end(connection: Connection, search_id: int, totals: Totals, goal: Goal) -> _End | None:
    """Return how a search ends, or None if it goes on."""
    if goal.limit is not None and totals.solutions >= goal.limit:
        return _End(Status.SOLVED)
    if totals.open == 0:
        if detail := failure(connection, search_id):
            return _End(Status.FAILED, detail=detail, final=False)
        return _End(Status.SOLVED if totals.solutions else Status.NONE, complete=True)
    if totals.elapsed >= goal.timeout:
        return _End(Status.TIMEOUT, final=False)
    return None


def _answer(connection: Connection, row: Row[Any], totals: Totals, goal: Goal, end: _End) -> Answer:
    kept = candidates.best(connection, row.id, goal.keep)
    further = (Kept(rank, *one) for rank, one in enumerate(kept[1:], start=2))
    score, text = kept[0] if kept else (None, None)
    return Answer(
        *(row.id, row.position, row.label, row.kind, row.size, row.clues, row.puzzle),
        status=end.status,
        solutions=_solutions(totals, goal, len(kept)),
        complete=end.complete,
        solution=text,
        score=score,
        bound=_bound(row, score, end) if goal.scored else None,
        nodes=totals.nodes,
        ms=totals.ns / NS_PER_MS,
        detail=end.detail,
        further=tuple(further),
    )


def _solutions(totals: Totals, goal: Goal, kept: int) -> int | None:
    """Return the number of solutions; None if pruning may have left out some."""
    if goal.pruned:
        return kept if kept < goal.keep else None
    return totals.solutions if goal.limit is None else min(totals.solutions, goal.limit)


def _bound(row: Row[Any], best: int | None, end: _End) -> int | None:
    """Return the score that provably no solution exceeds; None if there is no solution."""
    if end.complete:
        return best
    return max((bound for bound in (row.bound, best) if bound is not None), default=None)


def _end_parts(connection: Connection, search_id: int, *, final: bool) -> None:
    """Let no part be sent any more; their texts are deleted if the end is `final`."""
    left = select(part.c.chunk_id).where(_open_parts)
    values = {"state": ChunkState.DONE, "done_at": func.coalesce(chunk.c.done_at, utc())}
    ids = {"search": search_id}
    connection.execute(update(chunk).where(chunk.c.id.in_(left)).values(values), ids)
    if final:
        connection.execute(delete(payload).where(payload.c.chunk_id.in_(left)), ids)
        connection.execute(update(part).where(_open_parts).values(ended_at=utc()), ids)
