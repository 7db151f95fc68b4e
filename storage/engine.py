"""Makes SQLAlchemy engines for SQLite and PostgreSQL, with the settings each connection needs."""

import socket
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, Engine, event
from sqlalchemy import create_engine as sqlalchemy_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool, QueuePool

from storage.driver_errors import unreachable
from storage.errors import DatabaseMissing, DatabaseUnreachable, InvalidDatabaseUrl

#: seconds in which a PostgreSQL server must accept a TCP connection; libpq's shortest limit is 2
PROBE_SECONDS = 1.0
#: settings of each connection to SQLite
PRAGMAS = (
    # Of new files; with SQLite's 4 KB, an answer takes 1 % more space.
    "page_size = 8192",
    "synchronous = NORMAL",
    "foreign_keys = ON",
    # Checkpoints every 32 MB of log, not of 8: one chunk's answers can take 2 MB.
    "wal_autocheckpoint = 4000",
    # Debian's SQLite overwrites deleted content with zeros, which costs time at each chunk.
    "secure_delete = OFF",
)
#: seconds to retry while other processes switch the same new file to WAL mode
WAL_SECONDS = 10.0
URL_REMEDY = "use a path, sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME"
#: SQLite's result codes for a lock held by another connection
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def parse(url: str) -> URL:
    """Parse a database URL; raise InvalidDatabaseUrl if it is not of SQLite or PostgreSQL."""
    try:
        parsed = make_url(url)
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise InvalidDatabaseUrl(
            f"{url.partition('://')[0]}://... is not a valid database URL",
            URL_REMEDY,
        ) from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise InvalidDatabaseUrl(
            f"Bullseye stores answers in SQLite or PostgreSQL, not in {parsed.get_backend_name()}",
            URL_REMEDY,
        )
    return parsed


def create_engine(url: URL, *, create: bool, pool: bool, busy_seconds: float) -> Engine:
    """Make an engine, after checking that the SQLite file exists or the server accepts connections.

    With `create`, the file need not exist, and its folder is created.  Statements wait for locks
    for `busy_seconds`.  Raises DatabaseMissing, DatabaseUnreachable and InvalidDatabaseUrl.
    """
    poolclass = QueuePool if pool else NullPool
    if url.get_backend_name() == "sqlite":
        _check_file(url, create=create)
        engine = sqlalchemy_engine(url, poolclass=poolclass, connect_args={"timeout": busy_seconds})
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
        return engine
    try:
        from storage import postgresql  # noqa: PLC0415 # psycopg is optional

        engine = sqlalchemy_engine(url, poolclass=poolclass, connect_args=postgresql.CONNECT)
    except ImportError as error:
        raise InvalidDatabaseUrl(
            f"{url.drivername} needs a driver", "pip install 'bullseye[postgres]'"
        ) from error
    event.listen(engine, "connect", partial(postgresql.set_session, busy_seconds))
    _probe(url)
    return engine


# --- SQLite ---


def _check_file(url: URL, *, create: bool) -> None:
    if not url.database or url.database == ":memory:":
        raise InvalidDatabaseUrl("an SQLite database must be a file", "give its path")
    file = Path(url.database)
    try:
        if create:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif not file.exists():
            raise DatabaseMissing(f"no database at {file} yet", "solve or submit something first")
        if file.is_dir():
            raise DatabaseUnreachable(f"{file} is a folder", "name a file in it")
    except OSError as error:
        where = file.parent if create else file
        raise DatabaseUnreachable(f"cannot open {where}: {error.strerror}") from error


def _set_pragmas(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A deferred transaction that reads, and then writes after another connection has written, fails
    # at once, despite the busy timeout.  An immediate one waits for the lock.
    options = connection.get_execution_options()
    if options.get("upgrade"):  # a table to which others refer may be replaced
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    mode = "IMMEDIATE" if options.get("write") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {mode}")


def enable_wal(engine: Engine) -> None:
    """Switch an SQLite file to write-ahead logging, so that readers and the writer never wait.

    The mode is stored in the file.  Errors are the driver's.
    """
    deadline = time.monotonic() + WAL_SECONDS
    with closing(engine.raw_connection()) as connection:
        driver = cast(sqlite3.Connection, connection.driver_connection)
        while True:
            try:
                driver.execute("PRAGMA journal_mode = WAL").close()
            except sqlite3.OperationalError as error:
                # The busy timeout does not apply: of two simultaneous switches one fails.
                if time.monotonic() > deadline or error.sqlite_errorcode not in _LOCKED:
                    raise
                time.sleep(0.01)
            else:
                return


# --- PostgreSQL ---


def _probe(url: URL) -> None:
    """Raise DatabaseUnreachable if nothing listens on the server's port.

    libpq would wait at least two seconds for each address of the host.
    """
    if not url.host or url.host.startswith("/"):
        return
    try:
        socket.create_connection((url.host, url.port or 5432), timeout=PROBE_SECONDS).close()
    except OSError as error:
        raise unreachable(url, error.strerror or error) from error
