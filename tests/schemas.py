"""Databases of earlier releases, from the SQLite dumps `tests/data/schemas/<revision>.sql`."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

import storage

FOLDER = Path(__file__).parent / "data" / "schemas"
REVISIONS = sorted(file.stem for file in FOLDER.glob("*.sql"))
MIGRATIONS = Path(storage.__file__).parent / "migrations"

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
