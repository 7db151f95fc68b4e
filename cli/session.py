"""The settings and the database that a command works with."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from storage.database import database_url, open_database, shown
from worker.settings import Settings


@contextmanager
def opened(
    database: str | None, redis: str | None = None, *, migrate: bool = False
) -> Iterator[tuple[Settings, Engine]]:
    """Settings of these options and the environment, and the open database."""
    settings = _at_home(Settings.from_env(database=database, redis=redis))
    engine = open_database(database_url(settings.database_url), migrate=migrate)
    try:
        yield settings, engine
    finally:
        engine.dispose()


def _at_home(settings: Settings) -> Settings:
    """The same with the database's full path: workers that we start live in other folders."""
    text = database_url(settings.database_url)
    if not text.startswith("sqlite:///"):
        return settings
    url = make_url(text)
    url = url.set(database=str(Path(url.database or "").absolute()))
    return replace(settings, database_url=url.render_as_string(hide_password=False))


def place(settings: Settings) -> str:
    """Where the database is, for messages."""
    return shown(database_url(settings.database_url))
