"""What lies in Redis, and who may touch it.  Redis carries; the database remembers.

    <queue>                    list    Celery's messages, one a chunk: only the chunk's id
    <queue>:unacked            hash    messages that were delivered and not yet acknowledged
    <queue>:unacked_index      zset    when each of them was delivered
    <queue>:unacked_mutex      string  held while old ones are put back
    <queue>:chunk:<id>         string  the chunk's puzzles, as in its row
    <queue>:workers            zset    worker name -> Redis time when it was last alive
    <queue>:worker:<name>      string  which Bullseye it is, and how its clock goes; fades away
    <queue>:refused            string  how often something was found that is not ours

The first four are Celery's and kombu's; `app` gives them their names.  A plain key beside
a small message costs a tenth of the same text inside the message (JSON and base64).
"""

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Self, cast
from urllib.parse import urlsplit, urlunsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from worker.errors import RedisUnreachable, SettingsError
from worker.release import release

#: seconds after its last sign of life when a worker no longer counts as listening
WORKER_LIFE = 20.0


class About(NamedTuple):
    """What a worker says of itself."""

    release: str
    ahead: float  #: seconds that its clock is ahead of Redis'


@dataclass(frozen=True, slots=True)
class Carrier:
    """One queue in Redis, seen beside Celery: payloads, depth and workers."""

    client: redis.Redis
    queue: str

    @classmethod
    def connect(cls, url: str, queue: str, *, timeout: float = 1.0) -> Self:
        """Fails fast: `timeout` seconds for the connection and for each reply."""
        try:
            client = redis.Redis.from_url(
                url,
                socket_connect_timeout=timeout,
                socket_timeout=timeout,
                retry=Retry(NoBackoff(), 0),
                decode_responses=True,
                encoding_errors="replace",
            )
        except ValueError as error:
            raise SettingsError(
                f"{shown(url)} is no Redis URL ({error}): write redis://HOST:6379/0"
            ) from None
        return cls(client, queue)

    def close(self) -> None:
        """Give the connection back."""
        self.client.close()

    def ping(self) -> None:
        """Raise RedisUnreachable unless Redis answers."""
        with self._spoken():
            self.client.ping()

    def put(self, chunk_id: int, puzzles: str) -> None:
        """Lay a chunk's puzzles beside its message."""
        with self._spoken():
            self.client.set(self._chunk(chunk_id), puzzles)

    def fetch(self, chunk_id: int) -> str | None:
        """Take a chunk's puzzles out of Redis; None where they are gone already.

        What somebody else laid there comes as some text that is not the chunk's.
        """
        key = self._chunk(chunk_id)
        with self._spoken():
            if self.client.type(key) not in {"string", "none"}:
                self.client.delete(key)
                return ""
            found = cast(str | None, self.client.getdel(key))
        return found and found.replace("\0", "\N{REPLACEMENT CHARACTER}")  # no database has a NUL

    def depth(self) -> int:
        """How many messages wait or are being worked on."""
        with self._spoken():
            waiting = self.client.llen(self.queue)
            return waiting + self.client.hlen(f"{self.queue}:unacked")

    def waiting(self) -> int:
        """How many messages nobody has received yet."""
        with self._spoken():
            return self.client.llen(self.queue)

    def count_refused(self) -> None:
        """Something was found in Redis that is not ours."""
        with self._spoken():
            self.client.incr(f"{self.queue}:refused")

    def refused(self) -> int:
        """How often that was so."""
        with self._spoken():
            return int(self.client.get(f"{self.queue}:refused") or 0)

    def beat(self, worker: str) -> None:
        """Say that `worker` is alive, and forget those who long are not."""
        with self._spoken():
            now = self._now()
            about = About(release(), round(time.time() - now, 1))
            self.client.set(self._worker(worker), json.dumps(about), ex=int(10 * WORKER_LIFE))
            key = f"{self.queue}:workers"
            self.client.zadd(key, {worker: now})
            self.client.zremrangebyscore(key, "-inf", now - 10 * WORKER_LIFE)

    def leave(self, worker: str) -> None:
        """Say that `worker` ends."""
        with self._spoken():
            self.client.zrem(f"{self.queue}:workers", worker)
            self.client.delete(self._worker(worker))

    def workers(self) -> list[str]:
        """Names of the workers that gave a sign of life lately."""
        with self._spoken():
            alive = self.client.zrangebyscore(
                f"{self.queue}:workers", self._now() - WORKER_LIFE, "+inf"
            )
            return cast(list[str], alive)

    def about(self, worker: str) -> About | None:
        """What a worker says of itself."""
        with self._spoken():
            told = self.client.get(self._worker(worker))
        return About(*json.loads(told)) if told else None

    def _worker(self, name: str) -> str:
        return f"{self.queue}:worker:{name}"

    def _chunk(self, chunk_id: int) -> str:
        return f"{self.queue}:chunk:{chunk_id}"

    def _now(self) -> float:
        """Redis' clock: the only one that all workers share."""
        seconds, microseconds = self.client.time()
        return seconds + microseconds / 1e6

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        """Foreign errors stop here."""
        try:
            yield
        except redis.RedisError as error:
            raise _unreachable(self.client, error) from error


def require(url: str) -> None:
    """Raise RedisUnreachable, within about a second, unless Redis answers."""
    with closing(Carrier.connect(url, "")) as carrier:
        carrier.ping()


def shown(url: str) -> str:
    """The URL without its password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username or ''}:***@{host}"))


def _unreachable(client: redis.Redis, error: redis.RedisError) -> RedisUnreachable:
    """Return our error, with the address of the server and what to do."""
    known = client.connection_pool.connection_kwargs
    where = known.get("path") or f"{known.get('host')}:{known.get('port')}"
    if isinstance(error, redis.AuthenticationError):
        return RedisUnreachable(
            f"Redis at {where} rejected the password",
            "give the right one in --redis or BULLSEYE_REDIS_URL",
        )
    if isinstance(error, redis.ResponseError):
        return RedisUnreachable(f"Redis at {where} rejected a command: {error}")
    # redis-py says "Error 111 connecting to HOST:PORT. Connection refused."
    reason = (str(error).partition(". ")[2] or str(error)).rstrip(".").lower()
    return RedisUnreachable(
        f"cannot reach Redis at {where} ({reason})",
        "start it, or solve without it: bullseye solve",
    )
