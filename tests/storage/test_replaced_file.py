"""An SQLite file that is deleted or replaced while a process has it open."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage.database import database_id, open_database, read, write
from storage.errors import DatabaseUnreachable
from storage.location import database_url
from tests import databases


def made(path: Path) -> tuple[Engine, str]:
    """Return an engine on a new file, with a connection in its pool, and the id of the database."""
    databases.create_file(path)
    engine = open_database(database_url(str(path)))
    with write(engine) as connection:
        connection.exec_driver_sql("INSERT INTO meta VALUES ('mark', 'old')")
        return engine, database_id(connection)


def replace(path: Path, *, with_log: bool) -> str:
    """Rename another database over a file; return its id."""
    other = path.with_name("backup.db")
    databases.create_file(other)
    if not with_log:
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    other.replace(path)
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as found:
        return str(found.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()[0])


@pytest.mark.attack
def test_a_file_that_was_replaced_is_opened_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine, before = made(tmp_path / "a.db")
    after = replace(tmp_path / "a.db", with_log=False)
    with write(engine) as connection:
        assert database_id(connection) == after != before
        connection.exec_driver_sql("INSERT INTO meta VALUES ('mark', 'new')")
    with read(engine) as connection:
        assert database_id(connection) == after
    assert caplog.messages == [f"{tmp_path}/a.db was replaced; opening the new file"]
    engine.dispose()


@pytest.mark.attack
def test_a_file_that_was_replaced_is_not_read_with_the_log_of_the_one_before(
    tmp_path: Path,
) -> None:
    engine, _ = made(tmp_path / "a.db")
    with read(engine):
        pass
    after = replace(tmp_path / "a.db", with_log=True)
    for _ in range(2):
        with pytest.raises(DatabaseUnreachable, match=r"a.db-wal belongs to .*: delete"):
            write(engine).__enter__()
    for end in ("-wal", "-shm"):
        (tmp_path / f"a.db{end}").unlink()
    with write(engine) as connection:
        assert database_id(connection) == after
    engine.dispose()


@pytest.mark.attack
@pytest.mark.parametrize("dispose", [True, False])
def test_a_file_that_was_deleted_is_waited_for_and_not_made_again(
    tmp_path: Path, dispose: bool
) -> None:
    engine, before = made(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as copy:
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "a.db").rename(tmp_path / "away.db")
    if dispose:
        engine.dispose()
    for _ in range(2):
        with pytest.raises(DatabaseUnreachable, match="is no longer there: put it back"):
            write(engine).__enter__()
    assert not (tmp_path / "a.db").exists()
    (tmp_path / "away.db").rename(tmp_path / "a.db")
    with read(engine) as connection:
        assert database_id(connection) == before
    engine.dispose()
