"""Fixtures that run each test on an SQLite file and on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage.database import open_database
from storage.location import database_url
from tests import databases
from tests.storage.harness import Harness
from tests.storage.searching.harness import SearchHarness


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that does not exist yet, or is empty."""
    if request.param == "sqlite":
        yield request.getfixturevalue("file")
    else:
        with databases.on_server(request.getfixturevalue("postgresql_url")) as url:
            yield url


@pytest.fixture(scope="session")
def migrated_databases(postgresql_url: str) -> Iterator[Iterator[str]]:
    """The URLs of databases with empty tables, for one test after another."""
    with closing(databases.migrated(postgresql_url)) as urls:
        yield urls


@pytest.fixture
def on_postgresql(migrated_databases: Iterator[str]) -> Iterator[Harness]:
    """A database with empty tables on PostgreSQL, for tests of its own behaviour."""
    yield from _opened(next(migrated_databases))


@pytest.fixture
def on_sqlite(tmp_path: Path, file: str) -> Iterator[Harness]:
    """A new database in an SQLite file, for tests of its own behaviour."""
    databases.create_file(tmp_path / "bullseye.db")
    yield from _opened(file)


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def shared_harness(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SearchHarness]:
    """One database for all simulations of a file; each has its own batch and completes it."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = database_url(str(tmp_path_factory.mktemp("shared") / "bullseye.db"))
        else:
            server = request.getfixturevalue("postgresql_url")
            url = stack.enter_context(databases.on_server(server))
        harness = SearchHarness.at(url)
        yield harness
        harness.engine.dispose()


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
