"""Times of PostgreSQL's type `timestamptz` as text in ISO 8601, as they are stored in SQLite."""

import re

from psycopg.abc import Buffer
from psycopg.adapt import Loader

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
    """Makes psycopg return values of type `timestamptz` as text."""

    def load(self, data: Buffer) -> str:
        """Return the text of one value."""
        return iso(bytes(data).decode())
