"""Brings a database's tables up to date, under a lock."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import cast

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from storage.database import errors, write
from storage.driver_errors import translated

#: names the lock of PostgreSQL that migrations take in turn
LOCK = 0x62756C6C
#: seconds in which others who open the same new file are done with it
TURNS = 10.0


def upgrade(engine: Engine) -> None:
    """Run what is missing; several programs may try at once."""
    if engine.dialect.name == "sqlite":
        _write_ahead(engine)
    with write(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _write_ahead(engine: Engine) -> None:
    """Readers and the writer of this file do not wait for each other, from now on."""
    deadline = time.monotonic() + TURNS
    with errors(engine), closing(engine.raw_connection()) as connection:
        driver = cast(sqlite3.Connection, connection.driver_connection)
        while True:
            try:
                driver.execute("PRAGMA journal_mode = WAL").close()
            except sqlite3.OperationalError as error:
                # Two that set it at once are refused without waiting: it cannot be queued for.
                if time.monotonic() > deadline or "locked" not in str(error):
                    raise translated(error, engine.url) from error
                time.sleep(0.01)
            else:
                return
