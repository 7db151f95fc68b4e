"""Migrations: the schema they create, and several processes that migrate at once."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, func, inspect, select

import storage
from storage import tables
from storage.database import database_id, open_database, read
from storage.migrations.upgrade import ADVISORY_LOCK
from storage.view import COLUMNS
from tests import databases
from tests.storage.harness import Harness

ROOT = Path(storage.__file__).parent.parent
PROCESSES = 4

#: imports everything, waits for a line, then opens the database and prints its id
_OPEN = """
import sys
import alembic.command
from storage.database import database_id, open_database, read
print("ready", flush=True)
sys.stdin.readline()
engine = open_database(sys.argv[1], migrate=True)
with read(engine) as connection:
    print(database_id(connection))
"""
#: opens the database and prints whether that imported alembic
_OPEN_CURRENT = """
import sys
from storage.database import open_database
open_database(sys.argv[1], migrate=True)
print("alembic" in sys.modules)
"""


def test_the_migrations_create_the_declared_tables(engine: Engine) -> None:
    with read(engine) as connection:
        differences = compare_metadata(MigrationContext.configure(connection), tables.metadata)
    assert differences == []


def test_the_migrations_create_the_declared_indexes_and_no_other_tables(engine: Engine) -> None:
    declared = {index.name for table in tables.metadata.tables.values() for index in table.indexes}
    found = inspect(engine)
    names = set(found.get_table_names()) - {"alembic_version"}
    assert names == set(tables.metadata.tables)
    assert {index["name"] for name in names for index in found.get_indexes(name)} == declared


def test_the_migrations_create_the_declared_conditions_of_partial_indexes(engine: Engine) -> None:
    found = inspect(engine)
    for table in tables.metadata.tables.values():
        made = {index["name"]: index for index in found.get_indexes(table.name)}
        for index in table.indexes:
            options = made[index.name].get("dialect_options", {})
            condition = options.get(f"{engine.dialect.name}_where")
            assert names_and_values(condition) == names_and_values(index.info.get("where"))


def names_and_values(condition: object) -> set[str]:
    """Return the columns and values in a condition, which PostgreSQL writes in words of its own."""
    text = "" if condition is None else re.sub(r"::[a-z ]+", "", str(condition))
    return set(re.findall(r"'\w+'|\b[a-z_]+\b|\d+", text))


def test_the_migrations_create_the_views_with_their_public_columns(engine: Engine) -> None:
    assert set(inspect(engine).get_view_names()) == set(tables.VIEWS)
    assert [*columns(engine, "answers")] == [*COLUMNS]
    hidden = {"id", "details", "kind", "size", "attempts"}
    own = [name for name in tables.summary.columns.keys() if name not in hidden]  # noqa: SIM118 # in the order of the table
    assert [*columns(engine, "summaries")] == ["batch", *own[1:], "batch_name"]


def columns(engine: Engine, view: str) -> dict[str, Any]:
    """Return the type of each column."""
    return {str(column["name"]): column["type"] for column in inspect(engine).get_columns(view)}


def test_only_on_postgresql_the_times_of_the_views_are_timestamps(engine: Engine) -> None:
    times = [columns(engine, "answers")["solved_at"], columns(engine, "summaries")["last_at"]]
    postgresql = engine.dialect.name == "postgresql"
    assert [getattr(time, "timezone", False) for time in times] == [postgresql, postgresql]


def test_the_programs_revision_is_the_last_migration() -> None:
    scripts = ScriptDirectory(str(ROOT / "storage" / "migrations"))
    assert scripts.get_heads() == [tables.REVISION]


def test_chunk_ids_are_never_reused(on_sqlite: Harness) -> None:
    with read(on_sqlite.engine) as connection:
        made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'chunk'")
        assert "AUTOINCREMENT" in made.scalar_one()


def test_four_processes_can_create_the_same_database_at_once(url: str) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _OPEN, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    output = [process.communicate(timeout=60) for process in processes]
    assert [error for _, error in output] == [""] * PROCESSES
    (found,) = {id_ for id_, _ in output}
    assert found == database_id_of(url)


def database_id_of(url: str) -> str:
    engine = open_database(url)
    with read(engine) as connection:
        found = database_id(connection)
    engine.dispose()
    return found + "\n"


def test_opening_a_current_database_does_not_import_alembic(url: str) -> None:
    open_database(url, migrate=True).dispose()
    command = [sys.executable, "-c", _OPEN_CURRENT, url]
    assert subprocess.check_output(command, text=True, cwd=ROOT) == "False\n"


def test_creating_a_database_takes_less_than_a_second(file: str) -> None:
    open_database(file + "x", migrate=True).dispose()  # imports alembic
    began = time.process_time()
    open_database(file, migrate=True).dispose()
    assert time.process_time() - began < 1.0  # 0.05 s on an idle machine


def test_an_empty_alembic_table_does_not_prevent_the_migration(file: str) -> None:
    engine = create_engine(file)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num TEXT)")
    engine.dispose()
    engine = open_database(file, migrate=True)
    assert set(inspect(engine).get_view_names()) == set(tables.VIEWS)
    engine.dispose()


def test_on_postgresql_a_migration_waits_for_another(postgresql_url: str) -> None:
    with databases.on_server(postgresql_url) as url:
        engine = create_engine(url)
        migration = threading.Thread(target=lambda: open_database(url, migrate=True).dispose())
        with engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(ADVISORY_LOCK)))
            migration.start()
            wait_until(lambda: waiting_for_lock(engine))
            assert not inspect(engine).has_table("batch")
        migration.join()
        assert inspect(engine).has_table("batch")
        engine.dispose()


def waiting_for_lock(engine: Engine) -> bool:
    with engine.connect() as connection:
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        return bool(connection.exec_driver_sql(waiting).scalar())


def wait_until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
