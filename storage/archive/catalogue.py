"""The table `archive`: which files have the answers of archived batches."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from storage.clock import utc
from storage.errors import BatchArchived
from storage.tables import archive, batch

#: what a file contains: rows of the view `answers`, or of the table `solution`
ANSWERS, SOLUTIONS = CONTENTS = ("answers", "solutions")

_a = archive.c
_columns = (_a.path, _a.content, _a.rows, _a.bytes, _a.checksum)


class ArchivedFile(NamedTuple):
    """A Parquet file with rows of an archived batch."""

    path: str
    content: str  #: ANSWERS or SOLUTIONS
    rows: int
    bytes: int
    checksum: str  #: of what it contains


def add(connection: Connection, batch_id: int, files: Sequence[ArchivedFile]) -> None:
    """Record that the answers of a batch are in these files."""
    rows = [{"batch_id": batch_id, **one._asdict()} for one in files]
    connection.execute(insert(archive).values(archived_at=utc()), rows)


def of_batch(connection: Connection, batch_id: int) -> list[ArchivedFile]:
    """Return the files of a batch, in the order of their rows; none if it is not archived."""
    wanted = select(*_columns).where(_a.batch_id == batch_id).order_by(_a.id)
    return [ArchivedFile(*row) for row in connection.execute(wanted)]


def of_puzzles(
    connection: Connection, first_id: int | None = None, last_id: int | None = None
) -> list[ArchivedFile]:
    """Return the files of archived batches with a puzzle in this range; without one, all files."""
    wanted = select(*_columns).order_by(_a.id)
    if first_id is not None and last_id is not None:
        last_of_batch = batch.c.first_id + batch.c.puzzles - 1
        wanted = wanted.join(batch).where(batch.c.first_id <= last_id, last_of_batch >= first_id)
    return [ArchivedFile(*row) for row in connection.execute(wanted)]


def check_not_archived(connection: Connection, batch_id: int) -> None:
    """Raise BatchArchived if the answers of a batch are in files, which never change."""
    if of_batch(connection, batch_id):
        raise BatchArchived(f"batch {batch_id} is archived: its answers do not change any more")


def remove(connection: Connection, batch_id: int) -> None:
    """Forget the files of a batch; they are not deleted."""
    connection.execute(delete(archive).where(_a.batch_id == batch_id))
