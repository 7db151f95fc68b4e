"""All checks: of the installation, the database, Redis, and the workers that use it."""

import platform
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from redis import RedisError
from sqlalchemy import Engine

from cli.doctor import database_checks
from cli.doctor.database_checks import MAX_SKEW_SECONDS, check_clock
from cli.doctor.finding import Finding
from cli.errors import Exit
from cli.formatting import count
from storage.database import open_database, read
from storage.errors import ActionableError, StorageError
from storage.location import without_secrets
from storage.outbox import leases
from storage.queries import health
from worker.app import VISIBILITY_SECONDS
from worker.queue.carrier import Carrier, presence
from worker.queue.dispatch import queue_of
from worker.queue.message import WorkerInfo, release
from worker.settings import Settings

#: packages whose versions are listed
PACKAGES = ("bullseye", "celery", "kombu", "redis", "sqlalchemy", "alembic", "numba", "numpy")


def run_checks(settings: Settings, *, deep: bool = False) -> Iterator[Finding]:
    """Yield the findings; a check whose service is missing ends with one that fails.

    If `deep`, all answers are read.
    """
    yield from _installation()
    engine = None
    try:
        engine = open_database(settings.database_url, busy_seconds=1.0)
        yield from database_checks.check_database(settings, engine)
        if deep:
            yield from database_checks.check_all_answers(engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    try:
        yield from check_redis(settings, engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    except ActionableError as error:
        yield Finding.of_error("redis", error, Exit.UNREACHABLE)
    except RedisError as error:
        fix = "check --redis or BULLSEYE_REDIS_URL"
        yield Finding.fail("redis", str(error), fix, Exit.UNREACHABLE)
    finally:
        if engine is not None:
            engine.dispose()


def _installation() -> Iterator[Finding]:
    yield Finding.ok("python", f"{platform.python_version()} at {sys.executable}")
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed)")
    yield Finding.ok("packages", ", ".join(found))


# --- Redis and its workers ---


def check_redis(settings: Settings, engine: Engine | None) -> Iterator[Finding]:
    """Yield the findings about Redis; raise RedisUnreachable if it does not answer.

    Without a database (`engine` None) its queue is unknown, so queue and workers are left out.
    """
    queue = queue_of(settings, engine) if engine else ""
    with closing(Carrier.connect(settings.redis_url, queue)) as carrier:
        carrier.ping()
        info: dict[str, Any] = carrier.client.info()
        yield Finding.ok("redis", f"{redis_version(info)} at {without_secrets(settings.redis_url)}")
        yield check_policy(str(info.get("maxmemory_policy", "unknown")))
        yield check_memory(int(info.get("maxmemory", 0)), settings.room)
        yield check_persistence(info)
        if engine is not None:
            yield _check_redelivery(queue, engine)
            yield _check_foreign_messages(carrier)
            yield from _check_workers(carrier)


def redis_version(info: dict[str, Any]) -> str:
    """Return the version of a Redis or Valkey server.

    >>> redis_version({"redis_version": "7.2.4", "valkey_version": "8.1.0"})
    'Valkey 8.1.0'
    """
    valkey = info.get("valkey_version")  # its `redis_version` is the one it is compatible with
    return f"Valkey {valkey}" if valkey else str(info.get("redis_version"))


def check_policy(policy: str) -> Finding:
    """Return the finding about Redis's eviction policy."""
    if policy == "noeviction":
        return Finding.ok("policy", "noeviction")
    return Finding.fail(
        "policy",
        f"maxmemory-policy is {policy}: a full Redis would evict chunks",
        "redis-cli config set maxmemory-policy noeviction",
    )


def check_memory(maxmemory: int, room: int) -> Finding:
    """Return the finding about whether `maxmemory` suffices for `room` bytes of chunks.

    Twice as much is needed: messages, connections and copies while saving need memory as well.
    """
    if maxmemory == 0:
        return Finding.ok("memory", "no maxmemory limit")
    found = f"maxmemory is {maxmemory >> 20} MB, chunks take up to {room >> 20} MB"
    if maxmemory >= 2 * room:
        return Finding.ok("memory", found)
    return Finding.warn("memory", found, f"set BULLSEYE_ROOM={maxmemory // 2} for all programs")


def check_persistence(info: dict[str, Any]) -> Finding:
    """Return the finding about saving to disk; after a failed save Redis rejects every write."""
    if info.get("rdb_last_bgsave_status", "ok") != "ok":
        return Finding.fail(
            "saving",
            "Redis cannot save to its disk and rejects messages",
            "free some space there, or: redis-cli config set save ''",
        )
    append_only = "on" if int(info.get("aof_enabled", 0)) else "off"
    return Finding.ok(
        "saving", f"append-only file {append_only}; the database has a copy of every chunk"
    )


def _check_redelivery(queue: str, engine: Engine) -> Finding:
    """Return the finding about leases and time limits longer than the visibility timeout."""
    redelivered = f"unacknowledged messages are redelivered after {VISIBILITY_SECONDS} s"
    with read(engine) as connection:
        lease = leases.seconds(connection, queue)
        longest = health.longest_timeout(connection)
    if lease >= VISIBILITY_SECONDS:
        return Finding.fail(
            "messages",
            f"leases last {lease:g} s, but {redelivered}",
            f"set BULLSEYE_LEASE below {VISIBILITY_SECONDS} and restart the workers",
        )
    if longest >= VISIBILITY_SECONDS:
        return Finding.warn(
            "messages",
            f"a puzzle may take {longest:g} s, but {redelivered}",
            f"keep --timeout below {VISIBILITY_SECONDS}; no answer is lost or stored twice",
        )
    return Finding.ok("messages", f"{redelivered}; keep time limits below that")


def _check_foreign_messages(carrier: Carrier) -> Finding:
    rejected = carrier.rejected()
    if not rejected:
        return Finding.ok("foreign", "foreign messages: none")
    return Finding.warn(
        "foreign",
        f"foreign messages: workers rejected {count(rejected)} in this queue; see their logs",
        "give Bullseye a Redis of its own, with a password; "
        f"then redis-cli del {carrier.queue}:refused",
    )


def _check_workers(carrier: Carrier) -> Iterator[Finding]:
    known = presence(carrier)
    found = sorted(known.workers.items())
    if known.fault:
        yield Finding.of_error("redis", known.fault, Exit.UNREACHABLE)
    elif not found:
        yield Finding.warn("workers", "none is running", "bullseye worker")
    if not found:
        return
    states = [f"{name} ({_state(info)})" for name, info in found]
    yield Finding.ok("workers", f"{len(found)} running: {', '.join(states)}")
    for name, info in found:
        if info.stalled:
            yield Finding.warn(
                "workers",
                f"{name} has consumed nothing for {info.consumed:.0f} s although chunks wait",
                "see its log; if it does not recover or end by itself, restart it",
            )
        if info.release != release():
            yield Finding.warn(
                "version",
                f"{name} runs Bullseye {info.release}, this is {release()}",
                "install the same version everywhere, then restart the worker",
            )
        if abs(info.ahead) >= MAX_SKEW_SECONDS:
            yield check_clock(f"the clock of {name}", "that of Redis", info.ahead)


def _state(info: WorkerInfo) -> str:
    if info.stalled:
        return "stalled"
    return "busy" if info.busy else "idle"
