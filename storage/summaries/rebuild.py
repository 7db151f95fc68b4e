"""Makes the summaries of answers that are already stored."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from storage.summaries import fingerprints, scan, table
from storage.tables import answer

#: puzzles that are summarised together, as in a chunk of the easiest ones
BLOCK_PUZZLES = 8192

_a = answer.c


def add(connection: Connection, batch_id: int, first_id: int, last_id: int) -> None:
    """Add summaries of all answers of a batch, which has none yet."""
    for first, last in blocks(first_id, last_id):
        for found in scan.final(connection, first, last):
            table.add(connection, batch_id, found.columns, found.worker)
        solved = select(_a.id, _a.puzzle).where(
            _a.id.between(first, last), _a.status.in_(fingerprints.FINAL), _a.attempts > 0
        )
        rows = connection.execute(solved.order_by(_a.id)).all()
        if rows:
            fingerprints.add(connection, batch_id, *zip(*rows, strict=True))


def blocks(first_id: int, last_id: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last id of each block of a range of ids."""
    for first in range(first_id, last_id + 1, BLOCK_PUZZLES):
        yield first, min(first + BLOCK_PUZZLES - 1, last_id)
