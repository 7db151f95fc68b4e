"""Opens the database: pragmas, transactions, migrations, and errors in our words."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Connection, Engine, create_engine, event, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool

from storage import driver_errors, tables
from storage.errors import (
    DatabaseMissing,
    DatabaseOutdated,
    DatabaseUnreachable,
    StorageError,
)

#: seconds that a PostgreSQL server may take to answer its door (libpq's own least is 2)
DOOR = 1.0
#: seconds that it may take to let us in
CONNECT_TIMEOUT = 2
#: of our sessions in PostgreSQL, in ms and s: what ends those of a machine that is gone
GONE = {
    "idle_in_transaction_session_timeout": 20_000,
    "tcp_user_timeout": 20_000,
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 2,
}
#: of our end of such a connection, in s and ms: what ends a wait for a server that is gone
KEEPALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}
#: of every connection to SQLite
PRAGMAS = (
    "synchronous = NORMAL",
    "foreign_keys = ON",
    # The log is carried over when it has 32 MB, not 4: a chunk's answers are 2 MB.
    "wal_autocheckpoint = 8000",
    # Debian's SQLite overwrites what is deleted with zeros: every chunk, as often as it moves on.
    "secure_delete = OFF",
)


def shown(url: str) -> str:
    """The place for messages: a path, or the URL without its password."""
    return driver_errors.shown(_parsed(url))


def open_database(
    url: str, *, migrate: bool = False, pool: bool = True, busy_seconds: float = 30.0
) -> Engine:
    """An engine on a database whose tables are up to date.

    With `migrate` it is created and brought up to date; without, DatabaseMissing and
    DatabaseOutdated say what is to be done.  An engine must not cross a fork: open it after.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        _prepare_file(parsed, create=migrate)
    else:
        _knock(parsed)
    engine = _engine(parsed, pool=pool, busy_seconds=busy_seconds)
    try:
        _check_tables(engine, url, migrate=migrate)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _check_tables(engine: Engine, url: str, *, migrate: bool) -> None:
    found = _revision(engine)
    if found == tables.REVISION:
        return
    if not migrate or (found or "") > tables.REVISION:
        raise _outdated(url, found)
    from storage.migrate import upgrade  # noqa: PLC0415 # alembic takes 0.3 s to import

    upgrade(engine)


@contextmanager
def write(engine: Engine) -> Iterator[Connection]:
    """One write transaction; on SQLite it has the lock from its beginning."""
    with errors(engine), engine.connect() as connection:
        connection.execution_options(write=True)
        try:
            with connection.begin():
                yield connection
        except DBAPIError:
            # SQLite's connection to a file that was read-only stays so when the file is not.
            connection.invalidate()
            raise


@contextmanager
def read(engine: Engine) -> Iterator[Connection]:
    """One read transaction: a consistent view, whatever is written meanwhile."""
    with errors(engine), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with connection.begin():
            if engine.dialect.name == "postgresql":
                # Whoever reads answers page by page may take all day: he holds no lock.
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield connection


def database_id(connection: Connection) -> str:
    """The random name that this database got when it was made."""
    wanted = select(tables.meta.c.value).where(tables.meta.c.key == "id")
    return str(connection.execute(wanted).scalar_one())


@contextmanager
def errors(engine: Engine) -> Iterator[None]:
    """Foreign errors stop here."""
    try:
        yield
    except DBAPIError as error:
        raise driver_errors.translated(error.orig or error, engine.url) from error
    except engine.dialect.loaded_dbapi.Error as error:  # from where we use the driver itself
        raise driver_errors.translated(error, engine.url) from error
    except SQLAlchemyError as error:
        raise StorageError(f"{shown(str(engine.url))}: {error}") from error


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise DatabaseUnreachable(
            f"{url.partition('://')[0]}://... is no database that Bullseye knows: write a path, "
            "sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME"
        ) from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseUnreachable(
            f"answers are kept in SQLite or PostgreSQL, not in {parsed.get_backend_name()}"
        )
    return parsed


def _prepare_file(url: URL, *, create: bool) -> None:
    if not url.database or url.database == ":memory:":
        raise DatabaseUnreachable("an SQLite database needs a file: write a path")
    file = Path(url.database)
    try:
        if create:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif not file.exists():
            raise DatabaseMissing(f"no database at {file} yet: solve or submit something first")
        if file.is_dir():
            raise DatabaseUnreachable(f"{file} is a folder: name a file in it")
    except OSError as error:
        where = file.parent if create else file
        raise DatabaseUnreachable(f"cannot open {where}: {error.strerror}") from error


def _knock(url: URL) -> None:
    """Is anybody there?  libpq would wait two seconds for each address of a dead host."""
    if not url.host or url.host.startswith("/"):
        return
    try:
        socket.create_connection((url.host, url.port or 5432), timeout=DOOR).close()
    except OSError as error:
        place, why = shown(url.render_as_string(hide_password=True)), error.strerror or error
        raise DatabaseUnreachable(f"cannot reach the database at {place} ({why})") from error


def _engine(url: URL, *, pool: bool, busy_seconds: float) -> Engine:
    sqlite = url.get_backend_name() == "sqlite"
    waits: dict[str, float] = {"connect_timeout": CONNECT_TIMEOUT, **KEEPALIVE}
    if sqlite:
        waits = {"timeout": busy_seconds}
    try:
        engine = create_engine(url, poolclass=QueuePool if pool else NullPool, connect_args=waits)
    except ImportError as error:
        raise DatabaseUnreachable(
            f"{url.drivername} needs a driver: pip install 'bullseye[postgres]'"
        ) from error
    if sqlite:
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
    else:
        event.listen(engine, "connect", partial(_set_limits, busy_seconds))
    return engine


def _set_pragmas(connection: sqlite3.Connection, _: object) -> None:
    # The driver must not begin transactions by itself: `_begin` does.
    connection.isolation_level = None
    # WAL is not set here but by the first migration: it is a property of the file.
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _set_limits(busy_seconds: float, connection: Any, _: object) -> None:
    """PostgreSQL's own: so that a machine that is gone does not hold its locks for hours."""
    limits = {"lock_timeout": int(busy_seconds * 1000), **GONE}
    connection.execute("; ".join(f"SET {name} = {value}" for name, value in limits.items()))
    connection.commit()


def _begin(connection: Connection) -> None:
    # A deferred transaction that reads first and writes then fails at once when another wrote
    # in between, despite the busy timeout; one that is immediate from its beginning waits.
    mode = "IMMEDIATE" if connection.get_execution_options().get("write") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {mode}")


def _revision(engine: Engine) -> str | None:
    """The version of the tables that are there; None where there are none."""
    with errors(engine), engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return cast(str | None, found)


def _outdated(url: str, found: str | None) -> StorageError:
    place = shown(url)
    if found is None:
        return DatabaseMissing(driver_errors.NO_TABLES.format(place=place))
    if found > tables.REVISION:
        return DatabaseOutdated(
            f"{place} was written by a newer Bullseye (schema {found}, this one knows "
            f"{tables.REVISION}): upgrade Bullseye"
        )
    return DatabaseOutdated(
        f"{place} is of an older Bullseye (schema {found}): the next solve, submit or worker "
        "brings it up to date"
    )
