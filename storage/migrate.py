"""Brings a database's tables up to date, under a lock."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

from storage.database import write

#: names the lock of PostgreSQL that migrations take in turn
LOCK = 0x62756C6C


def upgrade(engine: Engine) -> None:
    """Run what is missing; several programs may try at once."""
    with write(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
