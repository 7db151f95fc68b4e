"""The settings and the database that a command works with."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from storage.database import display_name, open_database
from worker.settings import Settings


@contextmanager
def opened(
    database: str | None, redis: str | None = None, *, migrate: bool = False
) -> Iterator[tuple[Settings, Engine]]:
    """Settings of these options and the environment, and the open database."""
    settings = Settings.from_env(database=database, redis=redis)
    engine = open_database(settings.database_url, migrate=migrate)
    try:
        yield settings, engine
    finally:
        engine.dispose()


def place(settings: Settings) -> str:
    """Where the database is, for messages."""
    return display_name(settings.database_url)
