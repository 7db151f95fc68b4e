"""Databases of earlier releases, from the SQLite dumps `tests/data/schemas/<revision>.sql`."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, text

import storage

FOLDER = Path(__file__).parent / "data" / "schemas"
REVISIONS = sorted(file.stem for file in FOLDER.glob("*.sql"))
MIGRATIONS = Path(storage.__file__).parent / "migrations"

#: opens the database, and prints what an upgrade has read
_UPGRADE = """
import sys
from storage.database import open_database
open_database(sys.argv[1], migrate=True, progress=lambda *read: print(*read, flush=True)).dispose()
"""

#: an INSERT into one of our tables
_CONTENT = re.compile(r'^INSERT INTO "(?!alembic_version|sqlite_)\w+" .*;$', re.MULTILINE)
#: a blob as SQLite writes it
_BLOB = re.compile(r"\bX'([0-9A-F]*)'")


def load(file: Path, revision: str) -> None:
    """Create an SQLite file with the schema and content of a revision."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((FOLDER / f"{revision}.sql").read_text())


def load_postgresql(engine: Engine, revision: str) -> None:
    """Create the schema and content of a revision in an empty PostgreSQL database."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        connection.exec_driver_sql("DELETE FROM meta")
        for statement in _CONTENT.findall((FOLDER / f"{revision}.sql").read_text()):
            literal = _BLOB.sub(r"'\\x\1'", statement)
            connection.exec_driver_sql(literal.replace("%", "%%"))


def create(url: str, revision: str) -> None:
    """Create a database with the schema and content of a revision at a URL."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        load(Path(engine.url.database or ""), revision)
    else:
        load_postgresql(engine, revision)
    engine.dispose()


def upgrading(url: str) -> subprocess.Popen[str]:
    """Start a process that upgrades a database, and prints a line for each block of puzzles."""
    command = [sys.executable, "-c", _UPGRADE, url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=MIGRATIONS.parents[1])


def fill(connection: Connection, answers: int) -> None:
    """Add a batch with so many answers, copies of those of batch 1, to a database of schema 0001.

    Their puzzles differ, since each ends with its position.
    """
    first_id = connection.execute(text("SELECT max(first_id + puzzles) FROM batch")).scalar_one()
    values = {"answers": answers, "first_id": first_id, "last_id": first_id + answers - 1}
    for statement in _FILL.split(";"):
        connection.execute(text(statement), values)


_FILL = """
INSERT INTO batch (id, name, source, kind, options, puzzles, first_id, queue, ready, created_at)
SELECT 7, 'large', source, kind, options, :answers, :first_id, queue, 1, created_at
FROM batch WHERE id = 1;
INSERT INTO answer
SELECT :first_id + n, 7, n + 1, label, kind, size, clues, puzzle || '-' || n, status, solutions,
       complete, solution, score, bound, nodes, ms, worker, attempts, solved_at, detail
FROM (WITH RECURSIVE numbers (n) AS
          (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :answers)
      SELECT n FROM numbers) AS each JOIN answer ON id = 1 + n % 20;
UPDATE meta SET value = :last_id WHERE key = 'puzzles'
"""
