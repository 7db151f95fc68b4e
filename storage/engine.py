"""Makes SQLAlchemy engines for SQLite and PostgreSQL, with the settings each connection needs."""

import logging
import os
import socket
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Connection, Engine, event
from sqlalchemy import create_engine as sqlalchemy_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool, QueuePool

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
logger = logging.getLogger(__name__)
#: keys of the info of a connection to PostgreSQL, see `postgresql.set_session`
STANDBY, OF_TRANSACTION = "standby", "of_transaction"
#: SQLite's result codes for a lock held by another connection
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def parse(url: str) -> URL:
    """Parse a database URL; raise InvalidDatabaseUrl if it is not of SQLite or PostgreSQL."""
    try:
        parsed = make_url(url)
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise InvalidDatabaseUrl(
            f"{url.partition('://')[0]}://... is not a valid database URL", URL_REMEDY
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
        file = _OpenFile(Path(str(url.database)))
        event.listen(engine, "do_connect", file.before_connect)
        event.listen(engine, "connect", file.after_connect)
        event.listen(engine, "checkout", file.before_use)
        event.listen(engine, "checkin", file.after_use)
        return engine
    try:
        from storage import postgresql  # noqa: PLC0415 # psycopg is optional

        engine = sqlalchemy_engine(url, poolclass=poolclass, connect_args=postgresql.CONNECT)
    except ImportError as error:
        raise InvalidDatabaseUrl(
            f"{url.drivername} needs a driver", "pip install 'bullseye[postgres]'"
        ) from error

    def connected(connection: Any, record: ConnectionPoolEntry) -> None:
        session = postgresql.set_session(busy_seconds, connection)
        record.info[STANDBY], record.info[OF_TRANSACTION] = session

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", _begin_unless_automatic)
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
            if not file.exists():
                file.touch()  # as the umask says; SQLite lets only the owner write
        elif not file.exists():
            raise DatabaseMissing(f"no database at {file} yet", "solve or submit something first")
        if file.is_dir():
            raise DatabaseUnreachable(f"{file} is a folder", "name a file in it")
    except OSError as error:
        where = file.parent if create else file
        raise DatabaseUnreachable(f"cannot open {where}: {error.strerror}") from error


#: the device and the inode of a file
Identity = tuple[int, int]


class _OpenFile:
    """Keeps the connections of an engine on the file that its path names at the moment.

    A connection goes on with a file that was deleted or replaced, and its answers would be lost.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._log = path, Path(f"{path}-wal")
        self._opened: Identity | None = None
        #: a descriptor of the log, kept open so that no other file gets its inode
        self._held: int | None = None

    def __del__(self) -> None:
        self._release_log()

    def before_connect(self, *_: object) -> None:
        """Raise DatabaseUnreachable if the file was deleted: SQLite would make an empty one."""
        if self._opened:
            self._find()

    def after_connect(self, _: object, record: ConnectionPoolEntry) -> None:
        """Note which file a new connection has opened."""
        record.info["file"] = self._opened = self._find()

    def before_use(self, _: object, record: ConnectionPoolEntry, __: object) -> None:
        """Let the pool open the new file, and drop the connection, if it was replaced."""
        if record.info["file"] != self._find():
            logger.warning("%s was replaced; opening the new file", self._path)
            raise DisconnectionError

    def after_use(self, *_: object) -> None:
        """Note which log belongs to the file, unless that was replaced meanwhile."""
        found = _identity(self._log)
        if found and found != self._held_log() and _identity(self._path) == self._opened:
            self._release_log()
            with suppress(OSError):  # it was deleted since
                self._held = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)

    def _find(self) -> Identity:
        """Return which file the path names; raise DatabaseUnreachable if it cannot be used."""
        found = _identity(self._path)
        if found is None:
            raise DatabaseUnreachable(f"{self._path} is no longer there", "put it back")
        held = self._held_log()
        if self._opened not in (None, found) and held and _identity(self._log) == held:
            # SQLite would write its pages into the new file.
            raise DatabaseUnreachable(
                f"{self._path} was replaced, and {self._log} belongs to the file before it",
                f"delete {self._log} and {self._path}-shm",
            )
        return found

    def _held_log(self) -> Identity | None:
        return None if self._held is None else _identity(self._held)

    def _release_log(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None


def _identity(file: Path | int) -> Identity | None:
    try:
        found = os.stat(file)  # noqa: PTH116 # or a descriptor
    except OSError:
        return None
    return found.st_dev, found.st_ino


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


def set_transaction(connection: Connection) -> None:
    """Make the settings of a transaction that has begun, where its session does not keep them."""
    driver: Any = connection.connection.dbapi_connection
    for settings in connection.info[OF_TRANSACTION]:
        driver.execute(settings)


def _begin_unless_automatic(connection: Connection) -> None:
    driver: Any = connection.connection.dbapi_connection
    if not driver.autocommit:
        set_transaction(connection)


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
