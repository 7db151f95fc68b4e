"""Exports finished batches to Parquet files, and archives them: the files take the place of rows.

A batch is archived in three steps: the files are written, read back and compared with the database,
and then one transaction deletes the rows, records the files and gives them their place.  Before its
commit the database is the same as before, and after it the files are complete and on the disk.  If
the process is killed, archiving the batch again completes it.  If it fails, no files remain.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, Row, delete, func, select

from storage import batches
from storage.archive import catalogue
from storage.archive.catalogue import ArchivedFile
from storage.batches import Batch
from storage.database import read, write
from storage.errors import BatchIncomplete, ExportDiffers
from storage.export import files
from storage.queries import health
from storage.queries.progress import is_finished, read_progress
from storage.tables import answer, chunk, extra, fact, fingerprint, origin, solution
from storage.values import ANSWERS, BatchKey

#: what changes whenever an answer of a batch is stored
Version = Row[tuple[int, int, int]]


class Exported(NamedTuple):
    """The files of a batch."""

    batch: Batch
    folder: Path
    files: Sequence[ArchivedFile]
    is_new: bool  #: False if this was done before


def export(engine: Engine, key: BatchKey, parent: Path) -> Exported:
    """Write the answers of a finished batch to a folder of Parquet files, `batch-N` in `parent`.

    If the folder exists, its files are compared with the database instead.  Raises NoSuchBatch,
    AmbiguousName, BatchIncomplete, BatchArchived, ExportFailed and ExportDiffers.
    """
    with read(engine) as connection:
        found = batches.find(connection, key)
        catalogue.check_not_archived(connection, found.id)
        version = _finished_version(connection, found)
    with _compared(engine, found, version, parent) as (exported, publish):
        publish()
    return exported


def archive(engine: Engine, key: BatchKey, parent: Path) -> Exported:
    """Export a finished batch, compare the files with the database, and delete its rows there.

    What has been archived before is only compared with what the database knows of its files.
    Raises as `export` does, apart from BatchArchived.
    """
    with read(engine) as connection:
        found = batches.find(connection, key)
        if before := catalogue.of_batch(connection, found.id):
            return Exported(found, Path(before[0].path).parent, before, is_new=False)
        version = _finished_version(connection, found)
    with _compared(engine, found, version, parent) as (exported, publish):
        with read(engine) as connection:
            _check_database(connection, found)
        with write(engine) as connection:
            batches.lock(connection, found.id)
            _check_unchanged(connection, found, version)
            _finished_version(connection, found)
            _replace_rows(connection, found, exported.files)
            publish()  # before the commit, after which the files must be there
    return exported._replace(is_new=True)


def faults(connection: Connection, found: Batch) -> Iterator[str]:
    """Yield what is wrong with an archived batch; reads its files."""
    some = catalogue.of_batch(connection, found.id)
    stored = select(answer.c.id).where(answer.c.id.between(*found.ids)).limit(1)
    if connection.execute(stored).first():
        yield "it is archived, but has answers in the database, too"
    if sum(one.rows for one in some if one.content == ANSWERS) != found.puzzles:
        yield "its files do not have an answer for each puzzle"
    for one in some:
        if not files.is_unchanged(one):
            yield f"{one.path} is not the file that was archived"


@contextmanager
def _compared(
    engine: Engine, found: Batch, version: Version, parent: Path
) -> Iterator[tuple[Exported, Callable[[], None]]]:
    """Yield the files of a batch that still has this version, and what makes them visible.

    They are written unless they exist, and compared.  Raises BatchIncomplete if the batch has
    changed meanwhile.
    """
    folder = files.folder_of(found, parent)
    is_new = not folder.exists()
    with files.drafted(folder) if is_new else nullcontext(folder) as draft:
        if is_new:
            files.write(engine, found, draft)
        try:
            some = files.compare(engine, found, draft)
        finally:  # a change is the reason of a difference
            with read(engine) as connection:
                _check_unchanged(connection, found, version)
        named = [one._replace(path=str(folder / Path(one.path).name)) for one in some]
        publish = partial(files.publish, draft, folder) if is_new else lambda: None
        yield Exported(found, folder, named, is_new), publish


def _finished_version(connection: Connection, found: Batch) -> Version:
    """Return the version of a batch whose puzzles and chunks are done; raise BatchIncomplete."""
    answered = read_progress(connection, found.id).answered
    if not found.ready or answered < found.puzzles or not is_finished(connection, found.id):
        raise BatchIncomplete(
            f"batch {found.id} is not finished ({answered:,} of {found.puzzles:,} answers)",
            "wait for it, or re-run the rest with bullseye retry",
        )
    return _version(connection, found)


def _check_database(connection: Connection, found: Batch) -> None:
    """Raise ExportDiffers if summaries, which remain, do not agree with the answers."""
    for fault in health.faults(connection, found):
        raise ExportDiffers(f"batch {found.id} is not archived: {fault}", "bullseye doctor")


def _check_unchanged(connection: Connection, found: Batch, version: Version) -> None:
    """Raise BatchIncomplete if answers were stored or archived since the batch had a version."""
    if catalogue.of_batch(connection, found.id) or _version(connection, found) != version:
        raise BatchIncomplete(f"batch {found.id} has changed meanwhile", "repeat the command")


def _version(connection: Connection, found: Batch) -> Version:
    """Return what changes whenever an answer is stored: it needs a new chunk or another attempt."""
    c = chunk.c
    wanted = select(func.count(), func.max(c.id), func.sum(c.attempts))
    return connection.execute(wanted.where(c.batch_id == found.id)).one()


def _replace_rows(connection: Connection, found: Batch, some: Sequence[ArchivedFile]) -> None:
    connection.execute(delete(fingerprint).where(fingerprint.c.batch_id == found.id))
    kept = (solution.c.answer_id, extra.c.answer_id, fact.c.answer_id)
    for column in (*kept, origin.c.first_id, answer.c.id):
        connection.execute(delete(column.table).where(column.between(*found.ids)))
    catalogue.add(connection, found.id, some)
