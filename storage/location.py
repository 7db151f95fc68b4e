"""Where a database is: said in a path or a URL.  Loads no database, so that it costs nothing."""

from pathlib import Path
from urllib.parse import quote, unquote

#: what may stand in a URL's path as it is
_PLAIN = "/ +"


def database_url(place: str) -> str:
    """The SQLAlchemy URL of a URL or of the path of an SQLite file, made absolute."""
    if place.startswith("sqlite:///"):
        place = unquote(place.removeprefix("sqlite:///"))
    if "://" in place:
        return place.replace("postgres://", "postgresql://", 1)  # as hosting services write it
    file = Path(place).expanduser().absolute()
    return f"sqlite:///{quote(str(file), safe=_PLAIN)}"
