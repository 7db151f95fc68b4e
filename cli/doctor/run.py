"""What `bullseye doctor` looks at, from the inside to the outside."""

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from redis import RedisError

from cli.doctor import database_checks, redis_checks
from cli.doctor.finding import Finding
from cli.errors import Exit
from storage.database import open_database
from storage.errors import StorageError
from worker.errors import WorkerError
from worker.settings import Settings

#: packages whose versions explain most riddles
PACKAGES = ("bullseye", "celery", "kombu", "redis", "sqlalchemy", "alembic", "numba", "numpy")


def examine(settings: Settings) -> Iterator[Finding]:
    """All checks."""
    yield Finding.well("python", f"{platform.python_version()} at {sys.executable}")
    yield _packages()
    engine = None
    try:
        engine = open_database(settings.database_url, busy_seconds=1.0)
        yield from database_checks.of(settings, engine)
    except StorageError as error:
        yield database_checks.of_none(settings, error)
    try:
        yield from redis_checks.of(settings, engine)
    except (WorkerError, StorageError, RedisError) as error:
        yield Finding.of_error("redis", error, Exit.UNREACHABLE)
    finally:
        if engine is not None:
            engine.dispose()


def _packages() -> Finding:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed)")
    return Finding.well("packages", ", ".join(found))
