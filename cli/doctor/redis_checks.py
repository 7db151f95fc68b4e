"""Redis and who listens to it: is it there, does it keep what it gets, who works?"""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from sqlalchemy import Engine

from cli.doctor.database_checks import clock
from cli.doctor.finding import Finding
from cli.outbox import queue_of
from storage.database import read
from storage.queries import health
from worker.app import VISIBILITY_SECONDS as VISIBILITY
from worker.queue.carrier import Carrier, shown
from worker.release import release
from worker.settings import Settings


def of(settings: Settings, engine: Engine | None) -> Iterator[Finding]:
    """What is to be said of a Redis that answers; raises RedisUnreachable if it does not."""
    queue = queue_of(settings, engine) if engine else ""
    with closing(Carrier.connect(settings.redis_url, queue)) as carrier:
        carrier.ping()
        info: dict[str, Any] = carrier.client.info()
        version = info.get("redis_version")
        yield Finding.well("redis", f"{version} at {shown(settings.redis_url)}")
        yield _policy(str(info.get("maxmemory_policy", "unknown")))
        yield _memory(int(info.get("maxmemory", 0)), settings.room)
        yield _saving(info)
        if engine is not None:
            yield _messages(settings, engine)
            yield _strangers(carrier)
            yield from _workers(carrier)


def _policy(policy: str) -> Finding:
    if policy == "noeviction":
        return Finding.well("policy", "noeviction")
    return Finding.ill(
        "policy",
        f"maxmemory-policy is {policy}, so a full Redis would drop puzzles",
        "redis-cli config set maxmemory-policy noeviction",
    )


def _memory(most: int, room: int) -> Finding:
    """Chunks take `room`; messages, connections and copies while saving some more."""
    if most == 0:
        return Finding.well("memory", "as much as the machine has")
    found = f"maxmemory is {most >> 20} MB, chunks take up to {room >> 20} MB"
    if most >= 2 * room:
        return Finding.well("memory", found)
    return Finding.doubtful("memory", found, f"set BULLSEYE_ROOM={most // 2} for all programs")


def _saving(info: dict[str, Any]) -> Finding:
    """None is needed; but one that fails makes Redis refuse whatever is written."""
    if info.get("rdb_last_bgsave_status", "ok") != "ok":
        return Finding.ill(
            "saving",
            "Redis could not save to its disk, and then takes no messages",
            "make room there, or: redis-cli config set save ''",
        )
    kept = "on" if int(info.get("aof_enabled", 0)) else "off"
    return Finding.well("saving", f"append-only file {kept}; the database remembers all it needs")


def _messages(settings: Settings, engine: Engine) -> Finding:
    """A message comes back after a while; what is at work by then comes twice."""
    if settings.lease >= VISIBILITY:
        return Finding.ill(
            "messages",
            f"BULLSEYE_LEASE is {settings.lease:g} s, and messages come back after {VISIBILITY} s",
            f"set BULLSEYE_LEASE below {VISIBILITY}",
        )
    with read(engine) as connection:
        longest = health.longest_timeout(connection)
    if longest >= VISIBILITY:
        return Finding.doubtful(
            "messages",
            f"a puzzle may take {longest:g} s, and messages come back after {VISIBILITY} s",
            f"nothing is lost or doubled; a --timeout below {VISIBILITY} spares workers the look",
        )
    return Finding.well("messages", f"come back after {VISIBILITY} s; no puzzle may take as long")


def _strangers(carrier: Carrier) -> Finding:
    """What somebody else wrote into the queue."""
    count = carrier.refused()
    if not count:
        return Finding.well("strangers", "nothing was in the queue that is not Bullseye's")
    return Finding.doubtful(
        "strangers",
        f"workers refused {count} things in the queue that are not Bullseye's; their logs tell",
        "give Bullseye a Redis of its own, with a password; "
        f"then redis-cli del {carrier.queue}:refused",
    )


def _workers(carrier: Carrier) -> Iterator[Finding]:
    names = sorted(carrier.workers())
    if not names:
        yield Finding.doubtful("workers", "none is listening", "bullseye worker")
        return
    yield Finding.well("workers", f"{len(names)} listening: {', '.join(names)}")
    for name in names:
        about = carrier.about(name)
        if about is None:
            continue
        if about.release != release():
            yield Finding.doubtful(
                "version",
                f"{name} is Bullseye {about.release}, this is {release()}",
                "install the same version everywhere, then restart the worker",
            )
        if abs(about.ahead) >= 1:
            yield clock("clock", about.ahead, f"the clock of {name}", "that of Redis")
