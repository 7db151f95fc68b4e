"""Makes the answers of archived batches readable on a connection, where a query needs them."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from storage.archive.catalogue import ANSWERS, SOLUTIONS, ArchivedFile, of_puzzles
from storage.errors import ArchiveUnreadable

#: how to install what reads archived answers
REMEDY = "pip install 'bullseye[archive]'"


def attach(
    connection: Connection,
    first_id: int | None = None,
    last_id: int | None = None,
    *,
    conditions: Sequence[str] = (),
    order: str = "",
    solutions: bool = False,
) -> bool:
    """Let the view `answers` have the archived answers of a range of ids, or of all batches.

    Returns whether there are any.
    Only those are loaded that match all conditions, which must be valid in SQLite, PostgreSQL and
    DuckDB, and of these only the first if an `order` has a limit.  With `solutions`, the table
    `solution` has their further solutions.  This lasts until the connection is closed.  On
    PostgreSQL the transaction must not be read-only.  Raises ArchiveUnreadable.
    """
    files = of_puzzles(connection, first_id, last_id)
    if not files:
        return False
    _check(files)
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
        ids = "TRUE" if first_id is None else f"answer_id BETWEEN {first_id} AND {last_id}"
        load(connection, SOLUTIONS, paths, ids)
    return True


def missing(files: Sequence[ArchivedFile]) -> list[str]:
    """Return the paths at which there is no file, or one of another size."""
    return [one.path for one in files if not _is_there(one)]


def _check(files: Sequence[ArchivedFile]) -> None:
    if paths := missing(files):
        raise ArchiveUnreadable(
            f"{paths[0]} has archived answers, but is missing or has changed",
            "restore it from a copy",
        )


def _is_there(one: ArchivedFile) -> bool:
    try:
        return Path(one.path).stat().st_size == one.bytes
    except OSError:
        return False
