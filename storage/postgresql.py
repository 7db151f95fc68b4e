"""The settings of connections to PostgreSQL, which return times as text in ISO 8601."""

import re
from typing import Any

from psycopg import Connection
from psycopg.abc import Buffer
from psycopg.adapt import Loader

#: settings of each session: it shows times in UTC, and the server ends it if its client is gone
#: (in ms and s)
SESSION_SETTINGS = {
    "timezone": "UTC",
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


#: arguments of each connection: libpq's seconds for the login, and settings of the client's socket
#: in s and ms, which stop waiting if the server is gone
CONNECT: dict[str, Any] = {
    "connect_timeout": 2,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}


def set_session(busy_seconds: float, connection: Connection[Any], _: object) -> None:
    """Make the settings of a new connection, whose statements wait for locks for `busy_seconds`."""
    connection.adapters.register_loader("timestamptz", IsoTimestampLoader)
    settings = {"lock_timeout": int(busy_seconds * 1000), **SESSION_SETTINGS}
    each = (f"set_config('{name}', '{value}', false)" for name, value in settings.items())
    connection.autocommit = True  # saves two round trips
    connection.execute(f"SELECT {', '.join(each)}")
    connection.autocommit = False
