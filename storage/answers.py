"""Answers: written in bulk, each puzzle's once."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from storage.clock import utc
from storage.tables import answer, solution
from storage.values import Answer

#: ids lie close together if their range is this many times their number at most
SPREAD = 4
#: ids named in one statement
NAMED = 500
_ANSWER = ", ".join(column.name for column in answer.c)
_SOLUTION = ", ".join(column.name for column in solution.c)


def add(
    connection: Connection,
    batch_id: int,
    found: Sequence[Answer],
    worker: str | None,
    attempts: int,
) -> None:
    """Store answers that are not stored yet, with their further solutions.

    Plain tuples through the driver: three times as fast as dictionaries through the Core.
    """
    if not found:
        return
    now = connection.execute(select(utc())).scalar_one()
    _insert(
        connection,
        f"answer ({_ANSWER})",
        [_values(one, batch_id, worker, attempts, now) for one in found],
    )
    further = [(one.id, *kept_one) for one in found for kept_one in one.further]
    if further:
        _insert(
            connection,
            f"solution ({_SOLUTION})",
            [(id_, rank, score, text) for id_, rank, score, text in further],
        )


def stored(connection: Connection, ids: Sequence[int]) -> frozenset[int]:
    """Which of these puzzles have an answer."""
    if not ids:
        return frozenset()
    least, most = min(ids), max(ids)
    if most - least < SPREAD * len(ids):  # neighbours, as in most chunks: one range serves all
        near = select(answer.c.id).where(answer.c.id.between(least, most))
        return frozenset(connection.execute(near).scalars()).intersection(ids)
    found: set[int] = set()
    for start in range(0, len(ids), NAMED):
        some = select(answer.c.id).where(answer.c.id.in_(ids[start : start + NAMED]))
        found.update(connection.execute(some).scalars())
    return frozenset(found)


def _insert(connection: Connection, into: str, rows: Sequence[tuple[object, ...]]) -> None:
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    marks = ", ".join([mark] * len(rows[0]))
    statement = f"INSERT INTO {into} VALUES ({marks})"  # noqa: S608 # our own names
    connection.exec_driver_sql(statement, list(rows))


def _values(
    one: Answer, batch_id: int, worker: str | None, attempts: int, now: str
) -> tuple[object, ...]:
    return (
        one.id,
        batch_id,
        one.position,
        one.label,
        one.kind,
        one.size,
        one.clues,
        one.puzzle,
        one.status.value,
        one.solutions,
        int(one.complete),
        one.solution,
        one.score,
        one.bound,
        one.nodes,
        one.ms,
        worker,
        attempts,
        now,
        one.detail,
    )
