"""Finds existing answers for puzzles that are equivalent to answered ones (`--reuse --classes`).

Classes and canonical forms are compared in the database; what depends on the symmetries of puzzles
is computed by functions of the caller.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Text,
    bindparam,
    text,
    update,
)

from storage.answers import insert_columns
from storage.batches import Batch
from storage.reuse.temporary import analyze, known, temporary
from storage.signals import check
from storage.values import Facts

#: puzzles whose forms are found at a time
PUZZLES_AT_A_TIME = 10_000
#: the classes of submitted puzzles that have no answer yet
_class = temporary(
    "reuse_class",
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("class", BigInteger, nullable=False, index=True),
    Column("canonical", Text, nullable=False),
)
_LEFT = text(
    "SELECT w.position, w.text FROM reuse_wanted w WHERE w.position > :after"
    " AND w.position NOT IN (SELECT position FROM reuse_known) ORDER BY w.position LIMIT :most"
)
#: CROSS JOIN sets the order for SQLite
_COMPARE = text(
    "INSERT INTO reuse_known SELECT w.position, a.id, a.summary_id, w.label, w.text, NULL"
    " FROM fact f CROSS JOIN reuse_class c CROSS JOIN reuse_wanted w CROSS JOIN answer a"
    " CROSS JOIN summary s WHERE f.answer_id BETWEEN :first AND :last AND c.class = f.class"
    " AND c.canonical = f.canonical AND w.position = c.position AND a.id = f.answer_id"
    " AND s.id = a.summary_id AND s.status IN ('solved', 'none') AND s.attempts > 0"
    " ON CONFLICT DO NOTHING"
)
_FOUND = text(
    "SELECT k.position, k.puzzle, a.puzzle AS other, a.solution"
    " FROM reuse_known k JOIN answer a ON a.id = k.answer_id"
    " WHERE k.puzzle IS NOT NULL AND k.solution IS NULL AND a.solution IS NOT NULL"
    " AND k.position > :after ORDER BY k.position LIMIT :most"
)


class Symmetry(NamedTuple):
    """What is known of the symmetries of puzzles."""

    #: returns the forms of puzzles of one size
    forms: Callable[[Sequence[str]], Sequence[Facts | None]]
    #: returns the solutions of puzzles, given puzzles of their classes and the solutions of these
    moved: Callable[[Sequence[str], Sequence[str], Sequence[str]], Sequence[str]]


def find(connection: Connection, some: Iterable[Batch], symmetry: Symmetry) -> int:
    """Add answers of these batches to the table of known answers; return their number."""
    _class.create(connection, checkfirst=False)
    for rows in _portions(connection, _LEFT):
        for texts in _by_size(rows):
            forms = symmetry.forms([one.text for one in texts])
            both = [(row.position, one) for row, one in zip(texts, forms, strict=True) if one]
            columns = [(position, one.class_, one.canonical) for position, one in both]
            if columns:
                insert_columns(connection, _class, list(zip(*columns, strict=True)))
    analyze(connection, "reuse_class")
    count = 0
    for batch in some:
        check()
        first, last = batch.ids
        count += connection.execute(_COMPARE, {"first": first, "last": last}).rowcount
    _move(connection, symmetry)
    return count


def _move(connection: Connection, symmetry: Symmetry) -> None:
    """Note the solution of each puzzle whose answer is that of another one."""
    noted = update(known).where(known.c.position == bindparam("at"))
    for rows in _portions(connection, _FOUND):
        for some in _by_size(rows):
            _, puzzles, others, solutions = zip(*some, strict=True)
            moved = symmetry.moved(puzzles, others, solutions)
            values = [
                {"at": row.position, "new": one} for row, one in zip(some, moved, strict=True)
            ]
            connection.execute(noted.values(solution=bindparam("new")), values)


def _portions(connection: Connection, query: Any) -> Iterator[Sequence[Any]]:
    """Yield the rows of a query by position, some at a time."""
    after = 0
    while rows := connection.execute(query, {"after": after, "most": PUZZLES_AT_A_TIME}).all():
        check()
        yield rows
        after = rows[-1].position


def _by_size(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the rows whose puzzles have the same size."""
    return (list(some) for _, some in groupby(rows, lambda row: len(row[1])))
