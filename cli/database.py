"""The settings and the database connection of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from storage.database import display_name, open_database
from worker.settings import Settings


@contextmanager
def connect(
    database: str | None, redis: str | None = None, *, migrate: bool = False
) -> Iterator[tuple[Settings, Engine]]:
    """Yield the settings, options before environment, and an engine on the database.

    `migrate` creates or upgrades the tables.  Raises SettingsError, DatabaseUnreachable,
    DatabaseMissing or DatabaseOutdated.
    """
    settings = Settings.from_env(database=database, redis=redis)
    engine = open_database(settings.database_url, migrate=migrate)
    try:
        yield settings, engine
    finally:
        engine.dispose()


def location(settings: Settings) -> str:
    """Return the path or URL of the database for messages, without a password."""
    return display_name(settings.database_url)
