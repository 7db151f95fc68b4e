"""Finds existing answers for puzzles that are submitted again (`--reuse`).

The texts of the puzzles are inserted into a temporary table and joined with the answers of batches
that were solved with the same options.  No index on the texts is kept for this.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    Table,
    Text,
    select,
    text,
)

from storage import answers, batches
from storage.batches import Batch
from storage.database import translated_errors
from storage.tables import answer, solution
from storage.values import Answer, Kept

#: a submitted puzzle: its position in the input, from 1, and its text
Wanted = tuple[int, str]

_own = MetaData()
_wanted = Table(
    "reuse_wanted",
    _own,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    prefixes=["TEMPORARY"],
)
_known = Table(
    "reuse_known",
    _own,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("answer_id", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
)
#: for SQLite only: PostgreSQL uses a hash join, and cannot index texts of more than 2.7 kB
_INDEX = "CREATE INDEX temp.reuse_by_text ON reuse_wanted (text)"
#: Only final answers, which more time would not change.  CROSS JOIN makes SQLite scan the answers
#: and look up the texts.  Reused answers (0 attempts) are skipped, since their originals match too.
_FIND = text(
    "INSERT INTO reuse_known SELECT w.position, a.id FROM answer a CROSS JOIN reuse_wanted w"
    " WHERE w.text = a.puzzle AND a.id BETWEEN :first AND :last AND a.attempts > 0"
    " AND a.status IN ('solved', 'none') ON CONFLICT DO NOTHING"
)


class KnownAnswers:
    """The answers that `known_answers` found; readable until its context ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.count = 0  #: number of submitted puzzles that have an answer

    def between(self, first: int, last: int, *, further: bool) -> dict[int, Answer]:
        """Return the answers for a range of positions, by position; `further` adds kept solutions.

        An answer's id, position and label are those of the puzzle that was solved.
        """
        with self._connection.begin():
            found = self._answers(first, last)
            kept = self._further(first, last) if further and found else {}
        return {at: one._replace(further=tuple(kept.get(at, ()))) for at, one in found.items()}

    def _answers(self, first: int, last: int) -> dict[int, Answer]:
        a = answer.c
        named = [a.id, a.position, a.label, a.kind, a.size, a.clues, a.puzzle, a.status]
        named += [a.solutions, a.complete, a.solution, a.score, a.bound]
        named += [a.option_counts, a.solutions_text]
        lines = self._connection.execute(
            select(_known.c.position, *named)
            .join(_known, _known.c.answer_id == a.id)
            .where(_known.c.position.between(first, last))
        )
        return {at: _copy(Answer(*columns), counts, large) for at, *columns, counts, large in lines}

    def _further(self, first: int, last: int) -> dict[int, list[Kept]]:
        s = solution.c
        lines = self._connection.execute(
            select(_known.c.position, s.rank, s.score, s.text)
            .join(_known, _known.c.answer_id == s.answer_id)
            .where(_known.c.position.between(first, last))
            .order_by(_known.c.position, s.rank)
        )
        found: dict[int, list[Kept]] = {}
        for at, *columns in lines:
            found.setdefault(at, []).append(Kept(*columns))
        return found


def _copy(one: Answer, option_counts: str | None, large: str | None) -> Answer:
    """Return an answer for an equal puzzle; `large` is a number of solutions beyond 64 bits."""
    solutions = one.solutions if large is None else int(large)
    detail = f"as puzzle {one.id}"
    return one._replace(solutions=solutions, option_counts=option_counts, detail=detail)


@contextmanager
def known_answers(
    engine: Engine,
    wanted: Iterable[Sequence[Wanted]],
    same: Callable[[dict[str, Any]], bool],
) -> Iterator[KnownAnswers]:
    """Find final answers to the puzzles, in batches whose options pass `same`, newest first."""
    with translated_errors(engine), engine.connect() as connection:
        connection.detach()  # closed at the end, which drops the temporary tables
        found = KnownAnswers(connection)
        total = _insert(connection, wanted)
        for batch in _batches(connection, same):
            if found.count < total:
                with connection.begin():
                    ids = {"first": batch.first_id, "last": batch.last_id}
                    found.count += connection.execute(_FIND, ids).rowcount
        yield found


def _insert(connection: Connection, wanted: Iterable[Sequence[Wanted]]) -> int:
    """Fill the temporary table; return the number of puzzles."""
    with connection.begin():
        _wanted.create(connection)
        _known.create(connection)
    total = 0
    for some in wanted:
        if some:
            with connection.begin():
                answers.insert_columns(connection, _wanted, list(zip(*some, strict=True)))
        total += len(some)
    with connection.begin():
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_INDEX if sqlite else "ANALYZE reuse_wanted")
    return total


def _batches(connection: Connection, same: Callable[[dict[str, Any]], bool]) -> list[Batch]:
    with connection.begin():
        return [batch for batch in batches.newest(connection) if same(batch.options)]
