"""What only PostgreSQL needs: settings of connections, times as text, and columns as arrays."""

import re
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any

import sqlalchemy
from psycopg import Connection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from sqlalchemy import Table

#: settings of each session: it shows times in UTC, and the server ends it if its client is gone
#: (in ms and s)
SESSION_SETTINGS = {
    "timezone": "UTC",
    # Compiling the expressions of the views takes 0.1 s a query, and saves nothing on large tables.
    "jit": "off",
    "idle_in_transaction_session_timeout": 20_000,
    "tcp_user_timeout": 20_000,
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 2,
}
#: PostgreSQL's text of a time in a session whose time zone is UTC, without trailing zeros
_UTC = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00")


def iso(text: str) -> str:
    """Return PostgreSQL's text of a time in ISO 8601, with three digits of a second or more.

    >>> iso("2026-11-20 19:30:00.12+00"), iso("infinity")
    ('2026-11-20T19:30:00.120Z', 'infinity')
    """
    found = _UTC.fullmatch(text)
    if found is None:  # not in years 1 to 9999
        return text
    day, time, fraction = found.groups(default="")
    return f"{day}T{time}.{fraction:0<3}Z"


class IsoTimestampLoader(Loader):
    """Makes psycopg return values of type `timestamptz` as text, as they are stored in SQLite."""

    def load(self, data: Buffer) -> str:
        """Return the text of one value."""
        return iso(bytes(data).decode())


class Array(bytes):
    """The values of a column, in PostgreSQL's binary form of an array."""


class ArrayDumper(Dumper):
    """Makes psycopg send an `Array` as it is; the statement says of which type."""

    format = Format.BINARY

    def dump(self, obj: Array) -> Buffer:
        """Return the bytes of one array."""
        return obj


#: SQL type of numbers -> its OID, and an element: the bytes of the number, and the number
_NUMBERS = {
    "BIGINT": (20, Struct(">iq")),
    "INTEGER": (23, Struct(">ii")),
    "SMALLINT": (21, Struct(">ih")),
    "FLOAT": (701, Struct(">id")),
}
_TEXT_OID = 25
#: dimensions, whether there may be NULL, OID of the elements, their number, and index of the first
_HEADER = Struct(">iiIii")
_LENGTH = Struct(">i")
_NULL = _LENGTH.pack(-1)


def array(type_: str, values: Sequence[Any]) -> Array:
    """Return an array of numbers of a type, or, for every other type, of texts.

    psycopg takes ten times as long for a list.
    """
    oid, element = _NUMBERS.get(type_, (_TEXT_OID, None))
    if element is None:
        texts = [None if one is None else str(one).encode() for one in values]
        made = [_NULL if text is None else _LENGTH.pack(len(text)) + text for text in texts]
    else:
        pack, size = element.pack, element.size - _LENGTH.size
        made = [_NULL if one is None else pack(size, one) for one in values]
    return Array(_HEADER.pack(1, 1, oid, len(values), 1) + b"".join(made))


def insert(
    connection: sqlalchemy.Connection, into: Table, columns: Mapping[str, Sequence[Any]]
) -> None:
    """Insert rows, given as the values of each column.

    It is one statement, which can be sent together with others, as COPY cannot.
    """
    types = [into.c[name].type.compile(connection.dialect) for name in columns]
    each = (f"unnest(%b::{t}[])" if t in _NUMBERS else f"unnest(%b::text[])::{t}" for t in types)
    statement = f"INSERT INTO {into.name} ({', '.join(columns)}) SELECT {', '.join(each)}"
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement, list(map(array, types, columns.values())))


#: arguments of each connection: libpq's seconds for the login, and settings of the client's socket
#: in s and ms, which stop waiting if the server is gone
CONNECT: dict[str, Any] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}


def set_session(busy_seconds: float, connection: Connection[Any]) -> tuple[bool, list[str]]:
    """Make the settings of a new connection, whose statements wait for locks for `busy_seconds`.

    Return whether the server is a standby, and the statements with which a transaction begins.
    Behind a pooler such as PgBouncer, one session may serve several clients in turn.  There, each
    transaction has its own settings, and no statement is prepared.
    """
    connection.adapters.register_loader("timestamptz", IsoTimestampLoader)
    connection.adapters.register_dumper(Array, ArrayDumper)
    settings = {"lock_timeout": int(busy_seconds * 1000), **SESSION_SETTINGS}
    # A pooler tells its clients a number of its own.
    pooled = f"pg_backend_pid() <> {connection.info.backend_pid}"
    connection.autocommit = True  # saves two round trips
    ((is_pooled, is_standby, *_),) = connection.execute(
        f"SELECT {pooled}, pg_is_in_recovery(), {_configure(settings, pooled)}"
    )
    connection.autocommit = False
    if not is_pooled:
        return is_standby, []
    connection.prepare_threshold = None
    return is_standby, [f"SELECT {_configure(settings, 'true')}"]


def _configure(settings: Mapping[str, object], is_local: str) -> str:
    each = (f"set_config('{name}', '{value}', {is_local})" for name, value in settings.items())
    return ", ".join(each)
