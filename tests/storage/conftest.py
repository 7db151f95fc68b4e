"""The same tests on an SQLite file and on a PostgreSQL server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url

from storage.database import open_database
from storage.location import database_url
from tests.storage.shop import Shop

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A place for a database that is not there yet, or is empty."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        yield database_url(str(folder / "bullseye.db"))
    else:
        with new_database(request.getfixturevalue("postgresql_url")) as url:
            yield url


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """An empty database of the PostgreSQL server, for a while."""
    place, name = make_url(server), f"bullseye{next(_numbers)}"
    plain = place.set(drivername="postgresql").render_as_string(hide_password=False)
    with closing(psycopg.connect(plain, autocommit=True)) as owner:
        owner.execute(f"CREATE DATABASE {name}".encode())
        yield place.set(database=name).render_as_string(hide_password=False)
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def on_postgresql(postgresql_url: str) -> Iterator[Shop]:
    """For what only PostgreSQL does."""
    with new_database(postgresql_url) as url:
        shop = Shop.at(url)
        yield shop
        shop.engine.dispose()


@pytest.fixture
def on_sqlite(file: str) -> Iterator[Shop]:
    """For what only SQLite does."""
    shop = Shop.at(file)
    yield shop
    shop.engine.dispose()


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
    """The URL of an SQLite file that is not there yet."""
    return database_url(str(tmp_path / "bullseye.db"))
