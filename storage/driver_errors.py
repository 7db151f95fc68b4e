"""Translates the drivers' errors, by their codes, into ours: what failed and what to do about it.

SQLite has a result code (https://sqlite.org/rescode.html), PostgreSQL an SQLSTATE
(https://www.postgresql.org/docs/current/errcodes-appendix.html).  An OperationalError of psycopg
without SQLSTATE comes from the client: it could not connect, or lost the connection.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import URL

from storage.errors import DatabaseBusy, DatabaseMissing, DatabaseUnreachable, StorageError
from storage.location import without_secrets

Message = tuple[str, str]  #: problem and remedy

NO_TABLES = ("{name} has no Bullseye tables yet", "solve or submit something first")
BUSY = ("{name} is locked by another program", "try again later")
NO_SPACE = ("no disk space left for {name}", "free some")
READ_ONLY = ("cannot write to {name}: it or its folder is read-only", "")
STANDBY = ("cannot write to {name}: it is read-only", "use the primary server of a standby")
CANNOT_OPEN = ("cannot open {name}", "check that its folder exists and is writable")
NO_DATABASE = ("{name} is not an SQLite database, or is damaged", "choose another file")
UNREACHABLE = (
    "cannot reach the database at {name} ({reason})",
    "check that it runs and that its URL is right",
)
#: free bytes of a disk below which SQLite reports only that it cannot open a file
MIN_FREE_BYTES = 1 << 16

#: primary result code -> error and message
_SQLITE: dict[int, tuple[type[StorageError], Message]] = {
    sqlite3.SQLITE_BUSY: (DatabaseBusy, BUSY),
    sqlite3.SQLITE_LOCKED: (DatabaseBusy, BUSY),
    sqlite3.SQLITE_NOTADB: (DatabaseUnreachable, NO_DATABASE),
    sqlite3.SQLITE_CORRUPT: (DatabaseUnreachable, NO_DATABASE),
    sqlite3.SQLITE_FULL: (DatabaseUnreachable, NO_SPACE),
    sqlite3.SQLITE_CANTOPEN: (DatabaseUnreachable, CANNOT_OPEN),
    sqlite3.SQLITE_IOERR: (DatabaseUnreachable, CANNOT_OPEN),
    sqlite3.SQLITE_READONLY: (DatabaseUnreachable, READ_ONLY),
}
#: SQLSTATE, or its class (the first two characters) -> error and message
_POSTGRESQL: dict[str, tuple[type[StorageError], Message]] = {
    "55P03": (DatabaseBusy, BUSY),  # lock_not_available: `lock_timeout` ran out
    "40P01": (DatabaseBusy, BUSY),  # deadlock_detected
    "53100": (DatabaseUnreachable, NO_SPACE),  # disk_full
    "25006": (DatabaseUnreachable, STANDBY),  # read_only_sql_transaction: temporary tables
    "42P01": (DatabaseMissing, NO_TABLES),  # undefined_table
    "08": (DatabaseUnreachable, UNREACHABLE),  # connection exception
    "25P03": (DatabaseUnreachable, UNREACHABLE),  # idle_in_transaction_session_timeout
    "28": (DatabaseUnreachable, UNREACHABLE),  # invalid authorization
    "3D": (DatabaseUnreachable, UNREACHABLE),  # invalid catalog name: no such database
    "53300": (DatabaseUnreachable, UNREACHABLE),  # too_many_connections
    "57P": (DatabaseUnreachable, UNREACHABLE),  # the server is shutting down or starting up
}
#: for any other code
_OTHER: tuple[type[StorageError], Message] = (StorageError, ("{name}: {text}", ""))


def translate(error: BaseException, engine: Engine) -> StorageError:
    """Return our error for an error of the engine's driver."""
    # For a host with several addresses psycopg appends a paragraph on all attempts.
    text = " ".join(str(error).partition("\nMultiple ")[0].split()).rstrip(".")
    if isinstance(error, sqlite3.Error):
        kind, message = _sqlite(error, engine.url)
    else:
        operational = isinstance(error, engine.dialect.loaded_dbapi.OperationalError)
        kind, message = _postgresql(getattr(error, "sqlstate", None), operational=operational)
    name = display_name(engine.url)
    problem, remedy = message
    return kind(problem.format(name=name, reason=_reason(text), text=text), remedy)


def unreachable(url: URL, reason: object) -> DatabaseUnreachable:
    """Return the error for a server that does not accept connections."""
    problem, remedy = UNREACHABLE
    return DatabaseUnreachable(problem.format(name=display_name(url), reason=reason), remedy)


def read_only(url: URL) -> DatabaseUnreachable:
    """Return the error for a server that is a standby."""
    problem, remedy = STANDBY
    return DatabaseUnreachable(problem.format(name=display_name(url)), remedy)


def display_name(url: URL) -> str:
    """Return a database's name for messages: SQLite's path, or the URL without its passwords."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return without_secrets(url.render_as_string(hide_password=True))


def _sqlite(error: sqlite3.Error, url: URL) -> tuple[type[StorageError], Message]:
    # Errors of Python's sqlite3 module have no code.  The lowest byte is the primary result code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    file = Path(url.database or "")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR) and _is_full(file):
        return DatabaseUnreachable, NO_SPACE
    if code == sqlite3.SQLITE_ERROR and not _has_tables(file):
        return DatabaseMissing, NO_TABLES
    return _SQLITE.get(code, _OTHER)


def _postgresql(sqlstate: str | None, *, operational: bool) -> tuple[type[StorageError], Message]:
    if sqlstate is None:
        return (DatabaseUnreachable, UNREACHABLE) if operational else _OTHER
    codes = (sqlstate, sqlstate[:3], sqlstate[:2])
    return next((_POSTGRESQL[code] for code in codes if code in _POSTGRESQL), _OTHER)


def _is_full(file: Path) -> bool:
    try:
        return shutil.disk_usage(file.absolute().parent).free < MIN_FREE_BYTES
    except OSError:  # there is no such folder
        return False


def _has_tables(file: Path) -> bool:
    """Return whether an SQLite file has a table `batch`; True also if it cannot be read."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'batch'")
            return found.fetchone() is not None
    except sqlite3.Error:
        return True


def _reason(text: str) -> str:
    """Shorten libpq's report of a failed connection to its last clause, for display."""
    reason = text.rsplit("failed: ", maxsplit=1)[-1].removeprefix("FATAL: ")
    return reason.partition(" Is the server running")[0].strip()
