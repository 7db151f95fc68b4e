"""Turns the path or URL that a user gives into a database URL, and URLs into text for people.

Imports no database library.
"""

import re
from pathlib import Path
from urllib.parse import quote, unquote

#: characters that a URL's path may contain unquoted
_UNQUOTED = "/ +"
#: parameters of a URL's query that are shown; any other may be a password, or name a file with one
_SHOWN = frozenset({"application_name", "db", "dbname", "host", "hostaddr", "port", "sslmode"})
_HIDDEN = "***"


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


def without_secrets(url: str) -> str:
    """Return a URL, which need not be valid, with `***` in place of whatever may be a password.

    >>> without_secrets("postgresql://ada:secret@host/x?host=/tmp&sslpassword=secret")
    'postgresql://ada:***@host/x?host=/tmp&sslpassword=***'
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return _HIDDEN if {"@", "="} & set(url) else url
    address, mark, query = rest.partition("?")
    if "@" in query:  # which of these characters belong to a password cannot be told
        return f"{scheme}://{_HIDDEN}"
    user, at, place = address.rpartition("@")  # the last: a password may contain a raw / or @
    name, colon, _ = user.partition(":")
    if at and (colon or not scheme.startswith("postgres")):
        # Redis takes a name without a password, as it is written by mistake, for that of a user.
        user = f"{name}:{_HIDDEN}" if colon else _HIDDEN
    return f"{scheme}://{user}{at}{place}{mark}" + "&".join(map(_shown, query.split("&")))


def without_urls_secrets(text: str) -> str:
    """Return a text, such as a traceback, with `without_secrets` of each URL in it."""
    url = r"\b[a-zA-Z][\w+.-]{0,40}://[^\s'\"]+"
    return re.sub(url, lambda found: without_secrets(found[0]), text)


def _shown(parameter: str) -> str:
    """Return a parameter of a query, or only its name."""
    name, sign, _ = parameter.partition("=")
    return parameter if unquote(name) in _SHOWN else f"{name}{sign}{_HIDDEN}" * bool(name)
