"""Opening a database that works, and the properties of its transactions."""

import os
import time
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.pool import NullPool

from storage.database import database_id, open_database, read, together, write
from storage.errors import StorageError
from storage.location import database_url
from tests.storage.harness import Harness


def test_a_new_database_is_created_with_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "bullseye.db"
    open_database(database_url(str(file)), migrate=True).dispose()
    assert file.is_file()


def id_of(url: str) -> str:
    engine = open_database(url, migrate=True)
    with read(engine) as connection:
        found = database_id(connection)
    engine.dispose()
    return found


def test_a_database_keeps_its_random_id(url: str) -> None:
    first = id_of(url)
    assert len(first) >= 16
    assert id_of(url) == first


def test_two_databases_have_different_ids(tmp_path: Path) -> None:
    one, other = (database_url(str(tmp_path / name)) for name in ("a.db", "b.db"))
    assert id_of(one) != id_of(other)


@pytest.mark.parametrize("pool", [True, False])
def test_an_engine_has_a_pool_only_if_asked_for(file: str, *, pool: bool) -> None:
    open_database(file, migrate=True).dispose()
    engine = open_database(file, pool=pool)
    assert isinstance(engine.pool, NullPool) is not pool
    engine.dispose()


def test_a_query_on_postgresql_is_not_compiled(on_postgresql: Harness) -> None:
    with read(on_postgresql.engine) as connection:
        connection.exec_driver_sql("SET LOCAL jit_above_cost = 0")
        plan = connection.exec_driver_sql("EXPLAIN ANALYZE SELECT * FROM answers").scalars().all()
    assert not any("JIT" in line for line in plan)


def test_every_sqlite_connection_has_our_pragmas(file: str) -> None:
    open_database(file, migrate=True).dispose()
    engine = open_database(file, busy_seconds=7.0)
    wanted = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 7000}
    wanted |= {"wal_autocheckpoint": 4000, "secure_delete": 0, "page_size": 8192}
    with read(engine) as connection:
        for pragma, value in wanted.items():
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    engine.dispose()


def test_sqlite_readers_do_not_wait_for_the_writer(on_sqlite: Harness) -> None:
    harness = Harness(open_database(on_sqlite.engine.url.render_as_string(), busy_seconds=0.0))
    with write(on_sqlite.engine):
        assert harness.answered() == []
    harness.engine.dispose()


def test_a_failed_transaction_is_rolled_back(harness: Harness) -> None:
    with pytest.raises(StorageError), write(harness.engine) as connection:
        connection.execute(text("UPDATE meta SET value = 'x'"))
        connection.execute(text("SELECT no_such_thing"))
    assert harness.submit(1).first_id == 1


@pytest.mark.parametrize("seconds", [0.0, 0.1])  # the error arrives at the end, or before it
def test_the_first_error_of_a_pipelined_transaction_is_raised_and_undoes_it(
    harness: Harness, seconds: float
) -> None:
    with (
        pytest.raises(StorageError, match=r"(?i)not.null"),
        write(harness.engine, pipelined=True) as connection,
    ):
        connection.execute(text("UPDATE meta SET value = 'x'"))
        connection.execute(text("INSERT INTO meta (key) VALUES ('y')"))
        time.sleep(seconds)
        connection.execute(text("UPDATE meta SET value = 'z'"))
    assert harness.submit(1).first_id == 1


def test_a_pipelined_transaction_sees_what_it_has_written(harness: Harness) -> None:
    with write(harness.engine, pipelined=True) as connection:
        connection.execute(text("UPDATE meta SET value = 'x' WHERE key = 'id'"))
        (rows,) = together(connection, (text("SELECT value FROM meta WHERE key = 'id'"), {}))
    assert [*map(tuple, rows)] == [("x",)]
    with read(harness.engine) as connection:
        assert database_id(connection) == "x"


def test_an_exception_undoes_a_pipelined_transaction(harness: Harness) -> None:
    with pytest.raises(KeyError), write(harness.engine, pipelined=True) as connection:
        connection.execute(text("UPDATE meta SET value = 'x'"))
        raise KeyError
    assert harness.submit(1).first_id == 1


@pytest.mark.parametrize(("umask", "mode"), [(0o002, 0o664), (0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_and_its_log_have_the_rights_of_the_umask(
    tmp_path: Path, umask: int, mode: int
) -> None:
    before = os.umask(umask)
    try:
        engine = open_database(database_url(str(tmp_path / "bullseye.db")), migrate=True)
        with read(engine):
            modes = {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        engine.dispose()
    finally:
        os.umask(before)
    assert modes == {mode}
