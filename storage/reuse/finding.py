"""Finds existing answers for puzzles that are submitted again (`--reuse`).

The hashes of the puzzles are compared with those of batches that were solved with the same options,
which are stored with the answers.  Where they agree, the texts are compared as well.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, delete, text

from storage import answers, batches
from storage.batches import Batch
from storage.database import translated_errors
from storage.reuse import classes
from storage.reuse.classes import Symmetry
from storage.reuse.temporary import analyze, candidate, known, replaced, wanted
from storage.signals import check, deferred
from storage.summaries import fingerprints
from storage.summaries.fingerprints import Hashed
from storage.values import Puzzles

#: candidates whose texts are compared at a time, at most
COMPARED_CANDIDATES = 20_000
#: Only final answers, which more time would not change.  CROSS JOIN sets the order for SQLite.
_COMPARE = text(
    "INSERT INTO reuse_known SELECT w.position, a.id, a.summary_id, w.label, NULL, NULL"
    " FROM reuse_candidate c CROSS JOIN reuse_wanted w CROSS JOIN answer a CROSS JOIN summary s"
    " WHERE w.position = c.position AND a.id = c.id AND w.text = a.puzzle AND s.id = a.summary_id"
    " AND s.status IN ('solved', 'none') AND s.attempts > 0"
    " ON CONFLICT DO NOTHING"
)
#: puzzles whose candidates have other texts
_UNANSWERED = text(
    "SELECT c.position FROM reuse_candidate c"
    " WHERE c.position NOT IN (SELECT position FROM reuse_known)"
)


@dataclass(frozen=True)
class KnownAnswers:
    """The answers that `known_answers` found; they can be copied until its context ends."""

    connection: Connection  #: has the temporary tables, and is in no transaction
    count: int  #: number of submitted puzzles that have an answer


@contextmanager
def known_answers(
    engine: Engine,
    submitted: Iterable[Puzzles],
    same: Callable[[dict[str, Any]], bool],
    *,
    source: str,
    symmetry: Symmetry | None = None,
) -> Iterator[KnownAnswers]:
    """Find final answers to the puzzles, in batches whose options pass `same`.

    With `symmetry`, so do those of equivalent puzzles for the puzzles that are left.

    Batches of the same `source` come first, since they probably have most of the puzzles and the
    others are then not read; otherwise the newest come first.
    """
    with translated_errors(engine), ExitStack() as stack:
        with deferred():
            connection = stack.enter_context(engine.connect())
            connection.detach()  # closed at the end, which drops the temporary tables
            left = _insert(connection, submitted)
            with connection.begin():
                alike = [batch for batch in batches.newest(connection) if same(batch.options)]
                alike.sort(key=lambda batch: batch.source != source)
                count = _find(connection, alike, left)
                if symmetry is not None:
                    count += classes.find(connection, alike, symmetry)
        yield KnownAnswers(connection, count)


#: the position of a puzzle, the id of an answer to a puzzle with the same hash, and the hash
_Match = tuple[int, int, int]


class _Left:
    """The positions of the puzzles whose answers are still to be found, by the hashes of texts."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self._further = defaultdict[int, list[int]](list)  # few hashes have several positions

    def __len__(self) -> int:
        return len(self._first)

    def add(self, hashes: Sequence[int], positions: Sequence[int]) -> None:
        """Add puzzles."""
        for hash_, position in zip(hashes, positions, strict=True):
            if self._first.setdefault(hash_, position) != position:
                self._further[hash_].append(position)

    def candidates(self, hashed: Hashed) -> Iterator[_Match]:
        """Yield the answers that have a hash of these puzzles, for each puzzle with this hash."""
        hits = self._first.keys() & hashed.hashes
        for id_, hash_ in hashed.only(hits) if hits else ():
            yield self._first[hash_], id_, hash_
            for position in self._further.get(hash_, ()):
                yield position, id_, hash_

    def remove(self, candidates: Sequence[_Match], unanswered: Set[int]) -> None:
        """Remove the hashes of candidates, apart from those that unanswered positions have."""
        kept = {hash_ for position, _, hash_ in candidates if position in unanswered}
        for _, _, hash_ in candidates:
            if hash_ not in kept:
                self._first.pop(hash_, None)


def _insert(connection: Connection, submitted: Iterable[Puzzles]) -> _Left:
    """Fill the temporary table with all puzzles; return their hashes."""
    left = _Left()
    with connection.begin():
        for table in (wanted, candidate, known, replaced):
            table.create(connection, checkfirst=False)
    for some in submitted:
        check()
        left.add(fingerprints.hashes(some.texts), some.positions)
        columns = [some.positions, some.labels or [None] * len(some), some.texts]
        with connection.begin():
            answers.insert_columns(connection, wanted, columns)
    return left


def _find(connection: Connection, searched: Iterable[Batch], left: _Left) -> int:
    """Fill the table of known answers; return their number."""
    analyze(connection, "reuse_wanted")
    count = 0
    for found in _candidates(connection, searched, left):
        positions, ids, _ = zip(*found, strict=True)
        answers.insert_columns(connection, candidate, [positions, ids])
        analyze(connection, "reuse_candidate")
        count += connection.execute(_COMPARE).rowcount
        left.remove(found, set(connection.execute(_UNANSWERED).scalars()))
        connection.execute(delete(candidate))
    analyze(connection, "reuse_known")
    return count


def _candidates(
    connection: Connection, some: Iterable[Batch], left: _Left
) -> Iterator[list[_Match]]:
    """Yield candidates for puzzles that are `left`, which become fewer between two of them."""
    for batch in some:
        found = list[_Match]()
        for hashed in fingerprints.read_all(connection, batch.id):
            check()
            if not left:
                return
            found.extend(left.candidates(hashed))
            if len(found) >= min(COMPARED_CANDIDATES, len(left)):  # these may be all
                yield found
                found = []
        if found:
            yield found
