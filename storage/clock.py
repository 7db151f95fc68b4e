"""The database's clock, which all machines share.

Times are stored as UTC text in ISO 8601, with milliseconds: `2026-11-20T19:30:00.123Z`.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, String, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class utc(FunctionElement[str]):  # noqa: N801 # named like the SQL function it stands for
    """An SQL expression for the current time, or for a time some seconds ago."""

    type = String()
    inherit_cache = True

    def __init__(self, seconds_ago: float | ColumnElement[float] = 0.0) -> None:
        is_expression = isinstance(seconds_ago, ColumnElement)
        super().__init__(-seconds_ago if is_expression else literal(-seconds_ago))


@compiles(utc, "sqlite")
def _sqlite(element: utc, compiler: SQLCompiler, **kw: Any) -> str:
    seconds = compiler.process(element.clauses, **kw)
    return f"strftime('%Y-%m-%dT%H:%M:%fZ', 'now', {seconds} || ' seconds')"


@compiles(utc, "postgresql")
def _postgresql(element: utc, compiler: SQLCompiler, **kw: Any) -> str:
    seconds = compiler.process(element.clauses, **kw)
    shifted = f"(clock_timestamp() AT TIME ZONE 'UTC') + {seconds} * interval '1 second'"
    return f'to_char({shifted}, \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')'


_now = select(utc())


def now(connection: Connection) -> str:
    """Return the database's current time as it is stored."""
    return str(connection.execute(_now).scalar_one())


def since_epoch(connection: Connection) -> float:
    """Return the database's current time in seconds since 1970, like `time.time`."""
    return datetime.fromisoformat(now(connection)).timestamp()


def earlier(time: str, seconds: float) -> str:
    """Return the stored time that lies `seconds` before another.

    >>> earlier("2026-11-20T00:00:30.250Z", 60)
    '2026-11-19T23:59:30.250Z'
    """
    moved = datetime.fromisoformat(time) - timedelta(seconds=seconds)
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_between(first: str, last: str) -> float:
    """Return the seconds from one stored time to a later one."""
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
