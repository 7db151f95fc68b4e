"""From nothing to the tables that the program works with."""

import subprocess
import sys
import threading
import time
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, func, inspect, select

import storage
from storage import tables
from storage.database import open_database, read
from storage.migrate import ADVISORY_LOCK
from storage.tables import COLUMNS
from tests.storage.conftest import new_database
from tests.storage.shop import Shop

ROOT = Path(storage.__file__).parent.parent
AT_ONCE = 4

_OPEN = """
import sys
from storage.database import database_id, open_database, read
sys.stdin.readline()
engine = open_database(sys.argv[1], migrate=True)
with read(engine) as connection:
    print(database_id(connection))
"""
_IMPORTS = """
import sys
from storage.database import open_database
open_database(sys.argv[1], migrate=True)
print("alembic" in sys.modules)
"""


def test_the_migrations_make_the_tables_that_the_program_works_with(engine: Engine) -> None:
    with read(engine) as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []


def test_they_make_the_same_indexes_and_nothing_else(engine: Engine) -> None:
    declared = {index.name for table in tables.metadata.tables.values() for index in table.indexes}
    found = inspect(engine)
    names = set(found.get_table_names()) - {"alembic_version"}
    assert names == set(tables.metadata.tables)
    assert {index["name"] for name in names for index in found.get_indexes(name)} == declared


def test_the_view_has_the_columns_that_people_were_promised(engine: Engine) -> None:
    assert inspect(engine).get_view_names() == ["answers"]
    assert [str(column["name"]) for column in inspect(engine).get_columns("answers")] == [*COLUMNS]


def test_the_program_knows_the_last_migration() -> None:
    scripts = ScriptDirectory(str(ROOT / "storage" / "migrations"))
    assert scripts.get_heads() == [tables.REVISION]


def test_a_chunks_number_is_never_used_twice(on_sqlite: Shop) -> None:
    with read(on_sqlite.engine) as connection:
        made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'chunk'")
        assert "AUTOINCREMENT" in made.scalar_one()


def test_four_programs_may_open_a_new_database_at_once(url: str) -> None:
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", _OPEN, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(AT_ONCE)
    ]
    time.sleep(1.0)  # until they stand at the line
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    said = [program.communicate(timeout=60) for program in programs]
    assert [error for _, error in said] == [""] * AT_ONCE
    assert len({name for name, _ in said}) == 1


def test_a_database_that_is_up_to_date_needs_no_alembic(url: str) -> None:
    open_database(url, migrate=True).dispose()
    command = [sys.executable, "-c", _IMPORTS, url]
    assert subprocess.check_output(command, text=True, cwd=ROOT) == "False\n"


def test_a_fresh_database_is_there_in_a_moment(file: str) -> None:
    open_database(file + "x", migrate=True).dispose()  # alembic is loaded once
    began = time.perf_counter()
    open_database(file, migrate=True).dispose()
    assert time.perf_counter() - began < 1.0  # 0.05 s on an idle machine


def test_an_unknown_schema_is_seen_without_our_tables(file: str) -> None:
    engine = create_engine(file)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num TEXT)")
    engine.dispose()
    engine = open_database(file, migrate=True)
    assert inspect(engine).get_view_names() == ["answers"]
    engine.dispose()


def test_on_postgresql_a_migration_waits_for_another(postgresql_url: str) -> None:
    with new_database(postgresql_url) as url:
        elsewhere = create_engine(url)
        late = threading.Thread(target=lambda: open_database(url, migrate=True).dispose())
        with elsewhere.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(ADVISORY_LOCK)))
            late.start()
            late.join(1.0)
            assert not inspect(elsewhere).has_table("batch")
        late.join()
        assert inspect(elsewhere).has_table("batch")
        elsewhere.dispose()
