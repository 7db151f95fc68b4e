"""Fixtures that run each test on an SQLite file and on a PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, make_url

from storage.database import open_database
from storage.location import database_url
from tests import databases
from tests.storage.harness import Harness


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that does not exist yet, or is empty."""
    if request.param == "sqlite":
        yield request.getfixturevalue("file")
    else:
        with databases.on_server(request.getfixturevalue("postgresql_url")) as url:
            yield url


@pytest.fixture(scope="session")
def postgresql_template(postgresql_url: str) -> Iterator[str]:
    """The name of a database with empty tables, of which others are copies."""
    with databases.on_server(postgresql_url) as url:
        open_database(url, migrate=True).dispose()
        yield str(make_url(url).database)


@pytest.fixture
def on_postgresql(postgresql_url: str, postgresql_template: str) -> Iterator[Harness]:
    """A new database on PostgreSQL, for tests of its own behaviour."""
    with databases.on_server(postgresql_url, postgresql_template) as url:
        yield from _opened(url)


@pytest.fixture
def on_sqlite(tmp_path: Path, file: str) -> Iterator[Harness]:
    """A new database in an SQLite file, for tests of its own behaviour."""
    databases.create_file(tmp_path / "bullseye.db")
    yield from _opened(file)


def _opened(url: str) -> Iterator[Harness]:
    harness = Harness(open_database(url))
    yield harness
    harness.engine.dispose()


@pytest.fixture(params=["on_sqlite", "on_postgresql"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """A new database with empty tables."""
    found: Harness = request.getfixturevalue(request.param)
    return found.engine


@pytest.fixture
def harness(engine: Engine) -> Harness:
    """The operations of submitters and workers on a new database."""
    return Harness(engine)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The URL of an SQLite file that does not exist yet."""
    return database_url(str(tmp_path / "bullseye.db"))
