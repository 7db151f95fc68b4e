"""Which files have the answers of archived batches, and how queries come to read them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from storage.clock import utc
from storage.errors import ArchiveUnreadable, BatchArchived
from storage.tables import archive, batch
from storage.values import ANSWERS, SOLUTIONS

#: how to install what reads archived answers
REMEDY = "pip install 'bullseye[archive]'"

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


def of_puzzles(connection: Connection, ids: tuple[int, int] | None = None) -> list[ArchivedFile]:
    """Return the files of archived batches with a puzzle in this range; without one, all files."""
    wanted = select(*_columns).order_by(_a.id)
    if ids:
        last_of_batch = batch.c.first_id + batch.c.puzzles - 1
        wanted = wanted.join(batch).where(batch.c.first_id <= ids[1], last_of_batch >= ids[0])
    return [ArchivedFile(*row) for row in connection.execute(wanted)]


def check_not_archived(connection: Connection, batch_id: int) -> None:
    """Raise BatchArchived if the answers of a batch are in files, which never change."""
    if of_batch(connection, batch_id):
        raise BatchArchived(f"batch {batch_id} is archived: its answers do not change any more")


def attach(
    connection: Connection,
    ids: tuple[int, int] | None = None,
    *,
    conditions: Sequence[str] = (),
    order: str = "",
    solutions: bool = False,
) -> None:
    """Let the view `answers` have the archived answers of a range of ids, or of all batches.

    Only those are loaded that match all conditions, which must be valid in SQLite, PostgreSQL and
    DuckDB, and of these only the first if an `order` has a limit.  With `solutions`, the table
    `solution` has their further solutions.  This lasts until the connection is closed.  On
    PostgreSQL the transaction must not be read-only.  Raises ArchiveUnreadable.
    """
    files = of_puzzles(connection, ids)
    if not files:
        return
    for path in missing(files):
        problem = f"{path} has archived answers, but is missing or has changed"
        raise ArchiveUnreadable(problem, "restore it from a copy")
    try:
        from storage.archive.loading import load  # noqa: PLC0415 # DuckDB and pyarrow are optional
    except ImportError as error:
        folders = ", ".join(sorted({str(Path(one.path).parent) for one in files}))
        raise ArchiveUnreadable(
            f"answers that are archived in {folders} need {error.name}", REMEDY
        ) from error
    paths = [one.path for one in files if one.content == ANSWERS]
    load(connection, ANSWERS, paths, " AND ".join(conditions) or "TRUE", order)
    if solutions and (paths := [one.path for one in files if one.content == SOLUTIONS]):
        theirs = f"answer_id BETWEEN {ids[0]} AND {ids[1]}" if ids else "TRUE"
        load(connection, SOLUTIONS, paths, theirs)


def missing(files: Sequence[ArchivedFile]) -> Iterator[str]:
    """Yield the paths at which there is no file, or one of another size."""
    for one in files:
        try:
            size = Path(one.path).stat().st_size
        except OSError:
            size = -1
        if size != one.bytes:
            yield one.path
