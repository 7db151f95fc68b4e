"""The same tests on an SQLite file and on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url

from storage.database import database_url, open_database
from tests.storage.shop import Shop

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A place for a database that is not there yet, or is empty."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        yield database_url(str(folder / "bullseye.db"))
        return
    server = make_url(request.getfixturevalue("postgresql_url"))
    name = f"bullseye{next(_numbers)}"
    plain = server.set(drivername="postgresql").render_as_string(hide_password=False)
    with closing(psycopg.connect(plain, autocommit=True)) as owner:
        owner.execute(f"CREATE DATABASE {name}".encode())
        yield server.set(database=name).render_as_string(hide_password=False)
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    """A database with tables and nothing in them."""
    engine = open_database(url, migrate=True)
    yield engine
    engine.dispose()


@pytest.fixture
def shop(engine: Engine) -> Shop:
    """Batches, chunks and workers of the database, at a word."""
    return Shop(engine)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The URL of an SQLite file, for what only SQLite does."""
    return database_url(str(tmp_path / "bullseye.db"))
