"""The settings and the database connection of a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from cli.progress.upgrade import upgrade_display
from storage import batches
from storage.batches import Batch
from storage.database import display_name, opened, read
from storage.values import BatchKey
from worker.settings import Settings


@contextmanager
def connect(
    database: str | None, redis: str | None = None, *, migrate: bool = False
) -> Iterator[tuple[Settings, Engine]]:
    """Yield the settings, options before environment, and an engine on the database.

    `migrate` creates or upgrades the tables.  Raises SettingsError, InvalidDatabaseUrl,
    DatabaseUnreachable, DatabaseMissing or DatabaseOutdated.
    """
    settings = Settings.from_env(database=database, redis=redis)
    with (
        upgrade_display() as progress,
        opened(settings.database_url, migrate=migrate, progress=progress) as engine,
    ):
        yield settings, engine


def find_batch(engine: Engine, key: BatchKey) -> Batch:
    """Return the batch that a number, a name or `last` selects.

    Raises NoSuchBatch or AmbiguousName.
    """
    with read(engine) as connection:
        return batches.find(connection, key)


def location(settings: Settings) -> str:
    """Return the path or URL of the database for messages, without a password."""
    return display_name(settings.database_url)
