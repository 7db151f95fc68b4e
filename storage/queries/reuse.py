"""Answers that are there already, for puzzles that are submitted again.

Found by one walk over the answers of batches that were solved in the same way; puzzles are the same
if their whole texts are.  Nothing is stored for it beforehand: the puzzles that are looked for go
into a temporary table, which ends with its connection.
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

#: a puzzle's place in the input, and its text
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
#: PostgreSQL joins by hashing, and its indexes take no text of more than 2.7 kB
_INDEX = "CREATE INDEX temp.reuse_by_text ON reuse_wanted (text)"
#: final: more time would change nothing.  SQLite takes a CROSS JOIN in the order of the words.
#: An answer that was reused itself has no attempts; its source is found, too.
_FIND = text(
    "INSERT INTO reuse_known SELECT w.position, a.id FROM answer a CROSS JOIN reuse_wanted w"
    " WHERE w.text = a.puzzle AND a.id BETWEEN :first AND :last AND a.attempts > 0"
    " AND a.status IN ('solved', 'none') ON CONFLICT DO NOTHING"
)


class Earlier:
    """The answers that were found; good for as long as `earlier` is open."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.count = 0  #: puzzles that have one

    def between(self, first: int, last: int, *, further: bool) -> dict[int, Answer]:
        """Those for the puzzles at these positions, with their `further` solutions if asked for.

        Their id, position and label are still those of the puzzle that was solved.
        """
        with self._connection.begin():
            found = self._answers(first, last)
            kept = self._further(first, last) if further and found else {}
        return {at: one._replace(further=tuple(kept.get(at, ()))) for at, one in found.items()}

    def _answers(self, first: int, last: int) -> dict[int, Answer]:
        a = answer.c
        named = [a.id, a.position, a.label, a.kind, a.size, a.clues, a.puzzle, a.status]
        named += [a.solutions, a.complete, a.solution, a.score, a.bound]
        lines = self._connection.execute(
            select(_known.c.position, *named)
            .join(_known, _known.c.answer_id == a.id)
            .where(_known.c.position.between(first, last))
        )
        found = {at: Answer(*columns) for at, *columns in lines}
        return {at: one._replace(detail=f"as puzzle {one.id}") for at, one in found.items()}

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


@contextmanager
def earlier(
    engine: Engine,
    wanted: Iterable[Sequence[Wanted]],
    same: Callable[[dict[str, Any]], bool],
) -> Iterator[Earlier]:
    """Final answers to these puzzles in batches whose options are the `same`, youngest first."""
    with translated_errors(engine), engine.connect() as connection:
        connection.detach()  # the tables end with it
        found = Earlier(connection)
        total = _fill(connection, wanted)
        for batch in _alike(connection, same):
            if found.count < total:
                with connection.begin():
                    ids = {"first": batch.first_id, "last": batch.last_id}
                    found.count += connection.execute(_FIND, ids).rowcount
        yield found


def _fill(connection: Connection, wanted: Iterable[Sequence[Wanted]]) -> int:
    """Write down what is looked for; say how many puzzles that are."""
    with connection.begin():
        _wanted.create(connection)
        _known.create(connection)
    total = 0
    for portion in wanted:
        if portion:
            with connection.begin():
                answers.insert_columns(connection, _wanted, list(zip(*portion, strict=True)))
        total += len(portion)
    with connection.begin():
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_INDEX if sqlite else "ANALYZE reuse_wanted")
    return total


def _alike(connection: Connection, same: Callable[[dict[str, Any]], bool]) -> list[Batch]:
    with connection.begin():
        return [batch for batch in batches.newest(connection) if same(batch.options)]
