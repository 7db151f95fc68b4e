"""Runs all checks: Python, packages, database, Redis, workers."""

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from redis import RedisError

from cli.doctor import database_checks, deep_checks, redis_checks
from cli.doctor.finding import Finding
from cli.errors import Exit
from cli.options import Flag
from storage.database import open_database
from storage.errors import StorageError
from worker.errors import ActionableError
from worker.settings import Settings

#: packages whose versions are listed
PACKAGES = ("bullseye", "celery", "kombu", "redis", "sqlalchemy", "alembic", "numba", "numpy")


def run_checks(settings: Settings, *, deep: bool = False) -> Iterator[Finding]:
    """Yield the findings; a check whose service is missing ends with one that fails.

    If `deep`, all answers are read.
    """
    yield Finding.ok("python", f"{platform.python_version()} at {sys.executable}")
    yield _packages()
    engine = None
    try:
        engine = open_database(settings.database_url, busy_seconds=1.0)
        yield from database_checks.check_database(settings, engine)
        if deep:
            yield from deep_checks.check_answers(engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    try:
        yield from redis_checks.check_redis(settings, engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    except ActionableError as error:
        yield Finding.of_error("redis", error, Exit.UNREACHABLE)
    except RedisError as error:
        fix = f"check {Flag.REDIS} or BULLSEYE_REDIS_URL"
        yield Finding.fail("redis", str(error), fix, Exit.UNREACHABLE)
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
    return Finding.ok("packages", ", ".join(found))
