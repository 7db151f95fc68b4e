"""The Parquet files of a batch: written from the database, and compared with it.

They are in a folder of their own, such as `batch-7`: `answers-1.parquet` and so on with the columns
of the view `answers`, and `solutions-1.parquet` and so on with those of the table `solution`, if
more than one solution of a puzzle is kept.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count, islice
from os.path import samestat
from pathlib import Path

import pyarrow as pa
from pyarrow.parquet import ParquetFile
from sqlalchemy import Connection, Engine

from storage.archive import arrow
from storage.archive.catalogue import ArchivedFile
from storage.batches import Batch
from storage.database import database_id, read, stream
from storage.errors import ExportDiffers, ExportFailed
from storage.queries.answers import select_lines
from storage.queries.lines import Form, joined, line
from storage.values import ANSWERS, CONTENTS, SOLUTIONS

#: the key of the header in the metadata of a file
KEY = "bullseye"
_UNREADABLE = (OSError, pa.ArrowException)
SCHEMAS = {ANSWERS: arrow.ANSWERS, SOLUTIONS: arrow.SOLUTIONS}


#: row groups in a file, which has about a million answers
GROUPS_PER_FILE = 64


class _Different(Exception):
    """A file does not contain what the database has."""


def folder_of(batch: Batch, parent: Path) -> Path:
    """Return the folder of a batch's files; raise ExportFailed if it has no name in UTF-8."""
    if str(parent) != str(parent).encode(errors="replace").decode():
        raise ExportFailed(f"{str(parent)!r} is not valid UTF-8", "choose another folder")
    parent = parent.resolve() if ".." in parent.parts else parent.absolute()
    return parent / f"batch-{batch.id}"


@contextmanager
def drafted(folder: Path) -> Iterator[Path]:
    """Make another folder for files, which `publish` moves to its place.

    After the block nothing remains of it unless that was called.  Raises ExportFailed for errors of
    the system in the block, and if another process is writing the same files.
    """
    try:
        with _made(folder.parent), _locked(folder.with_name(f".{folder.name}.partial")) as draft:
            if folder.exists():
                raise ExportFailed(f"{folder} was written meanwhile", "repeat the command")
            yield draft
    except OSError as error:
        raise ExportFailed(f"cannot write {folder}: {error.strerror or error}") from error


def write(engine: Engine, batch: Batch, folder: Path) -> None:
    """Write the files of a batch to an empty folder."""
    for content in CONTENTS:
        with read(engine) as connection:
            _write_content(connection, batch, content, folder)


def publish(draft: Path, folder: Path) -> None:
    """Make a folder of files visible, and sure to survive a crash of the machine."""
    sync(draft)
    draft.rename(folder)
    sync(folder.parent)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder; after an exception remove it, and those above it, if they were made here."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):  # it is in use meanwhile
                one.rmdir()
        raise


@contextmanager
def _locked(folder: Path) -> Iterator[Path]:
    """Make an empty folder that only this process uses; remove it afterwards, unless it was moved.

    An export that was killed has left such a folder, but no lock.
    """
    folder.mkdir(exist_ok=True)
    with _opened(folder) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ExportFailed(f"another process is writing {folder}", "wait for it") from error
        except OSError:  # a file system without locks, such as some of networks
            pass
        try:
            for file in folder.iterdir():
                file.unlink()
            yield folder
        finally:
            with suppress(OSError):
                if samestat(os.fstat(descriptor), folder.stat()):
                    shutil.rmtree(folder)


def compare(engine: Engine, batch: Batch, folder: Path) -> list[ArchivedFile]:
    """Return the files of a batch if they have what the database has of it; raise ExportDiffers."""
    found: list[ArchivedFile] = []
    try:
        for content in CONTENTS:
            with read(engine) as connection:
                found += _compare_content(connection, batch, content, folder)
    except (_Different, *_UNREADABLE) as error:
        raise ExportDiffers(
            f"the files in {folder} are not those of this batch",
            "move them, or give another folder",
        ) from error
    return found


def is_unchanged(file: ArchivedFile) -> bool:
    """Return whether a file contains what was recorded of it; reads all of it."""
    made = arrow.Checksum()
    try:
        for group in row_groups(file.path):
            made.add(group)
    except _UNREADABLE:
        return False
    return made.hexdigest() == file.checksum


def row_groups(path: str) -> Iterator[pa.Table]:
    """Yield the row groups of a file."""
    with ParquetFile(path) as file:
        for number in range(file.num_row_groups):
            yield file.read_row_group(number)


def _write_content(connection: Connection, batch: Batch, content: str, folder: Path) -> None:
    id_ = database_id(connection)
    with closing(_groups(connection, batch, content)) as tables:
        for number in count(1):
            first = list(islice(tables, 1))
            if not first and (number > 1 or content == SOLUTIONS):
                return
            made = arrow.Checksum()
            path = folder / f"{content}-{number}.parquet"
            with arrow.writer(path, SCHEMAS[content]) as writer:
                for one in chain(first, islice(tables, GROUPS_PER_FILE - 1)):
                    writer.write_table(one)
                    made.add(one)
                writer.add_key_value_metadata({KEY: _header(id_, batch, content, made)})
            sync(path)


def _header(database: str, batch: Batch, content: str, made: arrow.Checksum) -> str:
    """Return what a file says of itself in its metadata, as JSON."""
    values = {"database": database, "batch": batch.id, "content": content}
    return json.dumps({**values, "rows": made.rows, "checksum": made.hexdigest()})


def _groups(connection: Connection, batch: Batch, content: str) -> Generator[pa.Table]:
    """Yield what the database has of a batch."""
    with closing(_lines(connection, batch, content)) as lines:
        yield from arrow.row_groups(lines, Form.ARROW.value, SCHEMAS[content])


def _lines(connection: Connection, batch: Batch, content: str) -> Generator[bytes]:
    if content == ANSWERS:
        return select_lines(connection, Form.ARROW, batch=batch.id)
    row = line(connection.dialect.name, Form.ARROW, arrow.SOLUTIONS.names)
    query = (
        f"SELECT {row} FROM solution"  # noqa: S608 # our own names
        f" WHERE answer_id BETWEEN {batch.first_id} AND {batch.last_id} ORDER BY answer_id, rank"
    )
    return joined(stream(connection, query))


def _compare_content(
    connection: Connection, batch: Batch, content: str, folder: Path
) -> Iterator[ArchivedFile]:
    """Yield the files with a content; raise _Different if the database has other rows."""
    id_ = database_id(connection)
    paths = folder.glob(f"{content}-*.parquet")
    with closing(_groups(connection, batch, content)) as groups:
        rows = arrow.RowReader(groups, SCHEMAS[content])
        for path in sorted(paths, key=lambda path: (len(path.name), path.name)):
            made = arrow.Checksum()
            for group in row_groups(str(path)):
                _require(group.equals(rows.take(group.num_rows)))
                made.add(group)
            with ParquetFile(path) as file:
                metadata = file.metadata.metadata or {}
            _require(metadata.get(KEY.encode()) == _header(id_, batch, content, made).encode())
            size = path.stat().st_size
            yield ArchivedFile(str(path), content, made.rows, size, made.hexdigest())
        _require(rows.take(1).num_rows == 0)


def _require(equal: bool) -> None:
    if not equal:
        raise _Different


def sync(path: Path) -> None:
    """Make sure that a file or the entries of a folder are on the disk."""
    with _opened(path) as descriptor:
        os.fsync(descriptor)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
