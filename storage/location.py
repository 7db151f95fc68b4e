"""Turns the path or URL that a user gives into a database URL.  Imports no database library."""

from pathlib import Path
from urllib.parse import quote, unquote

#: characters that a URL's path may contain unquoted
_UNQUOTED = "/ +"


def database_url(location: str) -> str:
    """Return the SQLAlchemy URL of a database, given by a URL or by the path of an SQLite file.

    Paths become absolute, and the scheme `postgres://` becomes `postgresql://`.

    >>> database_url("/data/100%.db")
    'sqlite:////data/100%25.db'
    """
    if location.startswith("sqlite:///"):
        location = unquote(location.removeprefix("sqlite:///"))
    if "://" in location:
        return location.replace("postgres://", "postgresql://", 1)  # as hosting services write it
    file = Path(location).expanduser().absolute()
    return f"sqlite:///{quote(str(file), safe=_UNQUOTED)}"
