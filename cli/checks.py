"""What `bullseye doctor` looks at, from the inside to the outside."""

import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from redis import RedisError
from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from cli.errors import Exit
from cli.queue import queue_of
from cli.session import place
from storage.database import open_database, write
from storage.errors import (
    DatabaseMissing,
    DatabaseOutdated,
    DatabaseUnreachable,
    StorageError,
)
from worker.carrier import Carrier, shown
from worker.errors import WorkerError
from worker.settings import Settings

State = Literal["ok", "warn", "fail"]

#: packages whose versions explain most riddles
PACKAGES = ("bullseye", "celery", "kombu", "redis", "sqlalchemy", "alembic", "numba", "numpy")


@dataclass(frozen=True, slots=True)
class Check:
    """What was found in one place."""

    name: str
    state: State
    found: str
    cure: str = ""
    exit: Exit = Exit.DONE

    def line(self) -> str:
        """For people."""
        cure = f" -> {self.cure}" if self.cure else ""
        return f"{self.state:4}  {self.name:9} {self.found}{cure}"

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "check": self.name,
            "state": self.state,
            "found": self.found,
            "cure": self.cure or None,
        }


def examine(settings: Settings) -> Iterator[Check]:
    """All checks."""
    yield Check("python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield _packages()
    engine = None
    try:
        engine = open_database(settings.database_url, busy_seconds=1.0)
        yield from _database(settings, engine)
    except StorageError as error:
        yield _no_database(settings, error)
    try:
        yield from _redis(settings, engine)
    except (WorkerError, StorageError, RedisError) as error:
        yield _failed("redis", error, Exit.UNREACHABLE)
    finally:
        if engine is not None:
            engine.dispose()


def _packages() -> Check:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed)")
    return Check("packages", "ok", ", ".join(found))


def _database(settings: Settings, engine: Engine) -> Iterator[Check]:
    try:
        with write(engine):
            yield Check("database", "ok", f"{place(settings)}, writable")
    except StorageError as error:
        yield _failed("database", error, Exit.SOME_FAILED)


def _failed(name: str, error: Exception, code: Exit) -> Check:
    """Our errors say what is wrong, and after the colon what cures it."""
    found, _, cure = str(error).partition(": ")
    return Check(name, "fail", found, cure, code)


def _no_database(settings: Settings, error: StorageError) -> Check:
    if isinstance(error, DatabaseMissing):
        return _not_there_yet(settings)
    if isinstance(error, DatabaseOutdated):
        newer = "newer" in str(error)
        found = _failed("database", error, Exit.UNREACHABLE)
        return found if newer else replace(found, state="warn", exit=Exit.DONE)
    unreachable = isinstance(error, DatabaseUnreachable)
    return _failed("database", error, Exit.UNREACHABLE if unreachable else Exit.SOME_FAILED)


def _not_there_yet(settings: Settings) -> Check:
    """The first solve or submit makes it, if it may."""
    path = make_url(settings.database_url).database
    folder = next((p for p in Path(path or ".").absolute().parents if p.exists()), Path("/"))
    where = place(settings)
    if os.access(folder, os.W_OK):
        return Check("database", "warn", f"{where} is not there yet", "the first solve makes it")
    return Check(
        "database",
        "fail",
        f"{where} cannot be made: {folder} is not writable",
        "give another place with --db or BULLSEYE_DATABASE_URL",
        Exit.SOME_FAILED,
    )


def _redis(settings: Settings, engine: Engine | None) -> Iterator[Check]:
    queue = queue_of(settings, engine) if engine else ""
    carrier = Carrier.connect(settings.redis_url, queue)
    try:
        carrier.ping()
        info = carrier.client.info()
        yield Check("redis", "ok", f"{info.get('redis_version')} at {shown(settings.redis_url)}")
        yield _policy(str(info.get("maxmemory_policy", "unknown")))
        if engine is not None:
            yield _workers(carrier)
    finally:
        carrier.close()


def _policy(policy: str) -> Check:
    if policy == "noeviction":
        return Check("policy", "ok", "noeviction")
    return Check(
        "policy",
        "fail",
        f"maxmemory-policy is {policy}, so a full Redis would drop puzzles",
        "redis-cli config set maxmemory-policy noeviction",
        Exit.SOME_FAILED,
    )


def _workers(carrier: Carrier) -> Check:
    names = carrier.workers()
    if not names:
        return Check("workers", "warn", "none is listening", "bullseye worker")
    return Check("workers", "ok", f"{len(names)} listening: {', '.join(sorted(names))}")
