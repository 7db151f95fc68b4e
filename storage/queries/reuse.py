"""Finds existing answers for puzzles that are submitted again (`--reuse`).

The hashes of the puzzles are compared with those of batches that were solved with the same options,
which are stored with the answers.  Where they agree, the texts are compared as well.
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
    String,
    Table,
    Text,
    cast,
    delete,
    literal,
    null,
    select,
    text,
)

from storage import answers, batches
from storage.batches import Batch
from storage.database import translated_errors
from storage.summaries import fingerprints
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
_candidate = Table(
    "reuse_candidate",
    _own,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    prefixes=["TEMPORARY"],
)
#: candidates whose texts are compared at a time
COMPARED_CANDIDATES = 20_000
#: for SQLite only: PostgreSQL uses a hash join, and cannot index texts of more than 2.7 kB
_INDEX = "CREATE INDEX temp.reuse_by_text ON reuse_wanted (text)"
#: Only final answers, which more time would not change.  CROSS JOIN makes SQLite look up the texts.
_COMPARE = text(
    "INSERT INTO reuse_known SELECT w.position, a.id FROM reuse_candidate c CROSS JOIN answer a"
    " CROSS JOIN reuse_wanted w WHERE a.id = c.id AND w.text = a.puzzle"
    " AND a.status IN ('solved', 'none') AND a.attempts > 0 ON CONFLICT DO NOTHING"
)
_LEFT = text(
    "SELECT text FROM reuse_wanted WHERE position NOT IN (SELECT position FROM reuse_known)"
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
        return found | {at: found[at]._replace(further=tuple(some)) for at, some in kept.items()}

    def _answers(self, first: int, last: int) -> dict[int, Answer]:
        a = answer.c
        named = (
            *(a.id, a.position, a.label, a.kind, a.size, a.clues, a.puzzle, a.status),
            *(a.solutions, a.complete, a.solution, a.score, a.bound),
            *(null(), null(), literal("as puzzle ") + cast(a.id, String), a.option_counts),
        )
        lines = self._connection.execute(
            select(_known.c.position, *named, a.solutions_text)
            .join(_known, _known.c.answer_id == a.id)
            .where(_known.c.position.between(first, last))
        )
        return {at: _copy(Answer(*columns), large) for at, *columns, large in lines}

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


def _copy(one: Answer, large: str | None) -> Answer:
    """Return an answer with its number of solutions, which is `large` if it exceeds 64 bits."""
    return one if large is None else one._replace(solutions=int(large))


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
        _insert(connection, wanted)
        with connection.begin():
            left = _left(connection)
            for candidates in _candidates(connection, _batches(connection, same), left):
                answers.insert_columns(connection, _candidate, [sorted(candidates)])
                found.count += connection.execute(_COMPARE).rowcount
                connection.execute(delete(_candidate))
                left.intersection_update(_left(connection))
        yield found


def _insert(connection: Connection, wanted: Iterable[Sequence[Wanted]]) -> None:
    """Fill the temporary table."""
    with connection.begin():
        for made in (_wanted, _known, _candidate):
            made.create(connection)
    for some in wanted:
        if some:
            with connection.begin():
                answers.insert_columns(connection, _wanted, list(zip(*some, strict=True)))
    with connection.begin():
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql(_INDEX if sqlite else "ANALYZE reuse_wanted")


def _left(connection: Connection) -> set[int]:
    """Return the hashes of the puzzles for which no answer is found yet."""
    return set(fingerprints.hashes(connection.execute(_LEFT).scalars()))


def _candidates(
    connection: Connection, some: Iterable[Batch], left: set[int]
) -> Iterator[set[int]]:
    """Yield ids of puzzles whose hashes are in `left`, which shrinks between two of them."""
    for batch in some:
        found = set[int]()
        for hashed in fingerprints.read_all(connection, batch.id):
            if not left:
                return
            if hits := left.intersection(hashed.hashes):
                found.update(hashed.ids(hits))
            if len(found) >= COMPARED_CANDIDATES:
                yield found
                found = set()
        if found:
            yield found


def _batches(connection: Connection, same: Callable[[dict[str, Any]], bool]) -> list[Batch]:
    return [batch for batch in batches.newest(connection) if same(batch.options)]
