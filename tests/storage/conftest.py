"""Fixtures that run each test on an SQLite file and on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url

from storage.database import open_database
from storage.location import database_url
from tests.storage.harness import Harness

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that does not exist yet, or is empty."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        yield database_url(str(folder / "bullseye.db"))
    else:
        with new_database(request.getfixturevalue("postgresql_url")) as url:
            yield url


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """Create an empty database on a PostgreSQL server; drop it afterwards."""
    server_url, name = make_url(server), f"bullseye{next(_numbers)}"
    plain = server_url.set(drivername="postgresql").render_as_string(hide_password=False)
    with closing(psycopg.connect(plain, autocommit=True)) as owner:
        owner.execute(f"CREATE DATABASE {name}".encode())
        yield server_url.set(database=name).render_as_string(hide_password=False)
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def on_postgresql(postgresql_url: str) -> Iterator[Harness]:
    """A new database on PostgreSQL, for tests of its own behaviour."""
    with new_database(postgresql_url) as url:
        harness = Harness.at(url)
        yield harness
        harness.engine.dispose()


@pytest.fixture
def on_sqlite(file: str) -> Iterator[Harness]:
    """A new database in an SQLite file, for tests of its own behaviour."""
    harness = Harness.at(file)
    yield harness
    harness.engine.dispose()


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A new database with empty tables."""
    engine = open_database(url, migrate=True)
    yield engine
    engine.dispose()


@pytest.fixture
def harness(engine: Engine) -> Harness:
    """The operations of submitters and workers on a new database."""
    return Harness(engine)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The URL of an SQLite file that does not exist yet."""
    return database_url(str(tmp_path / "bullseye.db"))
