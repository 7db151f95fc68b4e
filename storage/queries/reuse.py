"""Finds existing answers for puzzles that are submitted again (`--reuse`).

The hashes of the puzzles are compared with those of batches that were solved with the same options,
which are stored with the answers.  Where they agree, the texts are compared as well.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

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
from storage.tables import answers as stored_answers
from storage.tables import solution
from storage.values import Answers, Kept

#: a submitted puzzle: its position in the input, from 1, and its text
Wanted = tuple[int, str]

_own = MetaData()
_wanted = Table(
    "reuse_wanted",
    _own,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("hash", BigInteger, nullable=False),
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
    Column("hash", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
)
#: candidates whose texts are compared at a time
COMPARED_CANDIDATES = 20_000
#: made after the table is filled, which takes less time
_INDEX = "CREATE INDEX reuse_by_hash ON reuse_wanted (hash)"
#: Only final answers, which more time would not change.  CROSS JOIN sets the order for SQLite.
_COMPARE = text(
    "INSERT INTO reuse_known SELECT w.position, a.id FROM reuse_candidate c"
    " CROSS JOIN reuse_wanted w CROSS JOIN answer a CROSS JOIN summary s"
    " WHERE w.hash = c.hash AND a.id = c.id AND w.text = a.puzzle AND s.id = a.summary_id"
    " AND s.status IN ('solved', 'none') AND s.attempts > 0"
    " ON CONFLICT DO NOTHING"
)
#: hashes of candidates that some puzzle still needs, since its text is another
_STILL_LEFT = text(
    "SELECT DISTINCT w.hash FROM reuse_candidate c CROSS JOIN reuse_wanted w"
    " WHERE w.hash = c.hash AND w.position NOT IN (SELECT position FROM reuse_known)"
)


class KnownAnswers:
    """The answers that `known_answers` found; readable until its context ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.count = 0  #: number of submitted puzzles that have an answer

    def between(self, first: int, last: int, *, further: bool) -> Answers:
        """Return the answers for a range of positions; `further` adds kept solutions.

        Positions are those of the puzzles that are submitted, ids those of the puzzles that were
        solved; labels are left out.
        """
        with self._connection.begin():
            found = self._answers(first, last)
            kept = self._further(first, last) if further else {}
        return found._replace(further=[tuple(kept.get(at, ())) for at in found.position])

    def _answers(self, first: int, last: int) -> Answers:
        a = stored_answers.c
        rows = self._connection.execute(
            select(
                *(a.id, _known.c.position, null(), a.kind, a.size, a.clues, a.puzzle, a.status),
                *(a.solutions, a.complete, a.solution, a.score, a.bound, null(), null()),
                *(literal("as puzzle ") + cast(a.id, String), a.option_counts, a.solutions_text),
            )
            .join(_known, _known.c.answer_id == a.id)
            .where(_known.c.position.between(first, last))
            .order_by(_known.c.position)
        ).all()
        if not rows:
            return Answers.of([])
        *columns, large = zip(*rows, strict=True)
        found = Answers._make((*columns, ((),) * len(rows)))
        return found._replace(solutions=list(map(_whole, found.solutions, large)))

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


def _whole(solutions: int | None, large: str | None) -> int | None:
    """Return a number of solutions, which is `large` if it exceeds 64 bits."""
    return solutions if large is None else int(large)


@contextmanager
def known_answers(
    engine: Engine,
    wanted: Iterable[Sequence[Wanted]],
    same: Callable[[dict[str, Any]], bool],
    *,
    source: str,
) -> Iterator[KnownAnswers]:
    """Find final answers to the puzzles, in batches whose options pass `same`.

    Batches of the same `source` come first, since they probably have most of the puzzles and the
    others are then not read; otherwise the newest come first.
    """
    with translated_errors(engine), engine.connect() as connection:
        connection.detach()  # closed at the end, which drops the temporary tables
        found = KnownAnswers(connection)
        left = _insert(connection, wanted)
        with connection.begin():
            searched = _batches(connection, same, source)
            for candidates in _candidates(connection, searched, left):
                answers.insert_columns(connection, _candidate, candidates)
                found.count += connection.execute(_COMPARE).rowcount
                left.difference_update(candidates.hashes)
                left.update(connection.execute(_STILL_LEFT).scalars())
                connection.execute(delete(_candidate))
        yield found


class _Candidates(NamedTuple):
    """Ids of puzzles, and their hashes, which are those of puzzles that are submitted."""

    ids: list[int]
    hashes: list[int]


def _insert(connection: Connection, wanted: Iterable[Sequence[Wanted]]) -> set[int]:
    """Fill the temporary table; return the hashes of all puzzles."""
    left = set[int]()
    with connection.begin():
        for made in (_wanted, _known, _candidate):
            made.create(connection)
    for some in wanted:
        if some:
            places, texts = zip(*some, strict=True)
            hashes = fingerprints.hashes(texts)
            left.update(hashes)
            with connection.begin():
                answers.insert_columns(connection, _wanted, [places, hashes, texts])
    with connection.begin():
        connection.exec_driver_sql(_INDEX)
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("ANALYZE reuse_wanted")
    return left


def _candidates(
    connection: Connection, some: Iterable[Batch], left: set[int]
) -> Iterator[_Candidates]:
    """Yield puzzles whose hashes are in `left`, which shrinks between two of them."""
    for batch in some:
        found = _Candidates([], [])
        for hashed in fingerprints.read_all(connection, batch.id):
            if not left:
                return
            if hits := left.intersection(hashed.hashes):
                found.ids.extend(hashed.ids(hits))
                found.hashes.extend(filter(hits.__contains__, hashed.hashes))
            if len(found.ids) >= COMPARED_CANDIDATES:
                yield found
                found = _Candidates([], [])
        if found.ids:
            yield found


def _batches(
    connection: Connection, same: Callable[[dict[str, Any]], bool], source: str
) -> list[Batch]:
    alike = [batch for batch in batches.newest(connection) if same(batch.options)]
    return sorted(alike, key=lambda batch: batch.source != source)
