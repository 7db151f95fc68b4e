"""One queue in Redis, apart from Celery's own access: payloads, queue length, worker presence.

    <queue>                    list    Celery's messages, one per chunk: only the chunk's id
    <queue>\\x06\\x169          list    those that are delivered when the first list is empty
    <queue>:unacked            hash    messages that were delivered and not yet acknowledged
    <queue>:unacked_index      zset    message -> time of its delivery
    <queue>:unacked_mutex      string  the lock of the process that restores old messages
    <queue>:chunk:<id>         string  the chunk's puzzles, as in its row
    <queue>:workers            zset    worker name -> Redis time of its last heartbeat
    <queue>:worker:<name>      string  `WorkerInfo`: its release, and whether it consumes; expires
    <queue>:refused            string  the number of rejected foreign messages
    <queue>:best:<id>          string  the best score of a search; expires

The first five are read by Celery and kombu; the names of the unacknowledged messages are set by
`worker.app`.  A plain key beside a small message costs a tenth of the same text inside the message,
in JSON and base64.
"""

import re
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Self, cast

import redis
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.retry import Retry

from storage.location import without_secrets
from storage.outbox.removal import has_died, own_name
from worker.errors import RedisRefused, RedisUnreachable, SettingsError
from worker.queue.faults import fault_of
from worker.queue.message import WorkerInfo, release, request, requested_chunk

#: what kombu appends to the name of a queue for messages of the lowest priority
BEHIND = "\x06\x169"
#: seconds after its last heartbeat at which a worker is no longer listed
HEARTBEAT_EXPIRY_SECONDS = 20.0
#: seconds after its last heartbeat at which all data about a worker is deleted
PRESENCE_EXPIRY_SECONDS = 200
#: seconds after which an announced score is deleted; each turn reads the database anyway
NEWS_EXPIRY_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Carrier:
    """A connection to one queue.  Every method raises RedisUnreachable if Redis fails."""

    client: redis.Redis
    queue: str

    @classmethod
    def connect(cls, url: str, queue: str, *, timeout: float = 1.0) -> Self:
        """Prepare a connection; connecting and each reply may take `timeout` seconds.

        Raises SettingsError if `url` is not the URL of a Redis server.
        """
        try:
            client = redis.Redis.from_url(
                url,
                socket_connect_timeout=timeout,
                socket_timeout=timeout,
                retry=Retry(NoBackoff(), 0),
                decode_responses=True,
                encoding_errors="replace",
            )
        except ValueError:  # its text may contain a part of the password
            raise SettingsError(
                f"{without_secrets(url)} is not a Redis URL",
                "write redis://:PASSWORD@HOST:6379/0, with the password percent-encoded",
            ) from None
        return cls(client, queue)

    def close(self) -> None:
        """Close the connection."""
        self.client.close()

    def ping(self) -> None:
        """Raise RedisUnreachable unless Redis answers."""
        with self._errors():
            self.client.ping()

    def send(self, puzzles: Mapping[int, str], behind: Collection[int] = ()) -> None:
        """Store the puzzles of chunks, by chunk, and a message for each: all of them or nothing.

        Those of the chunks `behind` are delivered after all others.
        """
        with self._errors(), self.client.pipeline() as both:
            both.mset({self._key("chunk", id_): text for id_, text in puzzles.items()})
            for id_ in puzzles:
                both.lpush(self.lists[id_ in behind], request(id_, self.queue))
            both.execute()

    def put(self, chunk_id: int, puzzles: str) -> None:
        """Store the puzzles of a chunk whose message is in the queue already."""
        with self._errors():
            self.client.set(self._key("chunk", chunk_id), puzzles)

    def fetch(self, chunk_id: int) -> str | None:
        """Remove a chunk's puzzles from Redis and return them; None if there are none.

        Another program may have stored something else, so the caller must compare the digest.
        """
        key = self._key("chunk", chunk_id)
        with self._errors():
            both = self.client.pipeline(transaction=False)
            both.type(key)
            both.getdel(key)
            type_, found = both.execute(raise_on_error=False)
            if type_ in {"string", "none"} and isinstance(found, str | None):
                return found
            self.client.delete(key)  # which raises if Redis fails
            return ""

    def remove(self, chunk_ids: Collection[int]) -> None:
        """Remove the puzzles of chunks, and their messages that were not delivered yet."""
        with self._errors():
            for name in self.lists:
                for line in self.client.lrange(name, 0, -1):
                    if requested_chunk(line) in chunk_ids:
                        self.client.lrem(name, 1, str(line))
            for id_ in chunk_ids:
                self.client.delete(self._key("chunk", id_))

    def depth(self) -> int:
        """Return the number of messages that wait or were delivered and not acknowledged."""
        with self._errors(), self.client.pipeline(transaction=False) as both:
            self._count_waiting(both)
            both.hlen(self._key("unacked"))
            return sum(both.execute())

    def waiting(self) -> int:
        """Return the number of messages that were not delivered yet."""
        with self._errors(), self.client.pipeline(transaction=False) as both:
            self._count_waiting(both)
            return sum(both.execute())

    def count_rejected(self) -> None:
        """Add 1 to the number of foreign messages that were rejected."""
        with self._errors():
            self.client.incr(self._key("refused"))

    def rejected(self) -> int:
        """Return the number of foreign messages that were rejected."""
        with self._errors():
            return int(self.client.get(self._key("refused")) or 0)

    def announced(self, search_id: int) -> int | None:
        """Return the score that was announced last for a search; None if there is none.

        It is a hint: another process may have overwritten a better one, or another program it.
        """
        with self._errors():
            stored = str(self.client.get(self._key("best", search_id)))
        return int(stored) if re.fullmatch(r"-?[0-9]{1,18}", stored) else None

    def announce(self, search_id: int, score: int) -> None:
        """Announce a score of a search to the processes that work on its other parts."""
        with self._errors():
            self.client.set(self._key("best", search_id), score, ex=NEWS_EXPIRY_SECONDS)

    def beat(self, worker: str, info: WorkerInfo) -> None:
        """Store a heartbeat of `worker`, which is a process of this release on this machine.

        Deletes workers whose last one is older than the expiry.
        """
        with self._errors(), self.client.pipeline() as all_three:
            now = _seconds(self.client.time())
            ahead = round(time.time() - now, 1)
            info = info._replace(release=release(), ahead=ahead, process=own_name())
            all_three.set(self._key("worker", worker), info.encode(), ex=PRESENCE_EXPIRY_SECONDS)
            key = self._key("workers")
            all_three.zadd(key, {worker: now})
            all_three.zremrangebyscore(key, "-inf", now - PRESENCE_EXPIRY_SECONDS)
            all_three.execute()

    def leave(self, worker: str) -> None:
        """Delete all data about `worker`, which is ending."""
        with self._errors():
            self.client.zrem(self._key("workers"), worker)
            self.client.delete(self._key("worker", worker))

    def workers(self) -> dict[str, WorkerInfo]:
        """Return the workers whose last heartbeat is recent, by name, with what each has stored.

        Those of this machine that have died are left out.
        """
        with self._errors():
            with self.client.pipeline(transaction=False) as both:
                both.time()
                both.zrange(self._key("workers"), 0, -1, withscores=True)
                now, beats = both.execute()
            since = _seconds(now) - HEARTBEAT_EXPIRY_SECONDS
            names = [name for name, beat in beats if beat >= since]
            keys = [self._key("worker", name) for name in names]
            stored = cast(list[str | None], self.client.mget(keys)) if keys else []
        known = zip(names, map(WorkerInfo.decode, stored), strict=True)
        return {name: info for name, info in known if not has_died(info.process)}

    def require_writes(self) -> None:
        """Raise RedisUnreachable if Redis rejects writes, as a full one does; writes nothing."""
        with self._errors():
            self.client.setrange(self._key("workers", "none"), 0, "")

    def processes(self) -> int:
        """Return the number of processes of the workers whose last heartbeat is recent, at least 1.

        That is also the number while the first worker starts.
        """
        return max(1, sum(info.processes for info in self.workers().values()))

    @property
    def lists(self) -> tuple[str, str]:
        """The lists of messages, in the order in which they are delivered."""
        return self.queue, f"{self.queue}{BEHIND}"

    def _count_waiting(self, pipeline: Pipeline) -> None:
        for name in self.lists:
            pipeline.llen(name)

    def _key(self, *names: object) -> str:
        return ":".join(map(str, (self.queue, *names)))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise errors of redis-py as RedisUnreachable."""
        try:
            yield
        except redis.RedisError as error:
            raise fault_of(self.client, error) from error


class Presence(NamedTuple):
    """Which workers Redis has heard of, and what keeps it from hearing of others."""

    workers: Mapping[str, WorkerInfo]
    fault: RedisUnreachable | None  #: why Redis does not answer, or takes no heartbeats

    @property
    def stalled(self) -> list[str]:
        """Those of the workers that do not consume although messages wait."""
        return [name for name, info in self.workers.items() if info.stalled]

    @property
    def absence(self) -> str | None:
        """What to say if no worker is known; None if one is."""
        if self.workers:
            return None
        if self.fault:
            return f"no worker is known: {self.fault}"
        return "no worker is running; start one with: bullseye worker"

    @property
    def redis(self) -> str:
        """The state of Redis, in a few words."""
        if isinstance(self.fault, RedisRefused):
            return self.fault.problem
        return "not reachable" if self.fault else "reachable"


def presence(carrier: Carrier) -> Presence:
    """Return which workers are known, or why none may be; never raises RedisUnreachable."""
    workers: Mapping[str, WorkerInfo] = {}
    try:
        workers = carrier.workers()
        carrier.require_writes()
    except RedisUnreachable as error:
        return Presence(workers, error)
    return Presence(workers, None)


def require_redis(url: str) -> None:
    """Raise RedisUnreachable, within about a second, unless Redis answers."""
    with closing(Carrier.connect(url, "")) as carrier:
        carrier.ping()


def _seconds(redis_time: tuple[int, int]) -> float:
    """Return the time of Redis, the only clock that all workers share, in seconds."""
    seconds, microseconds = redis_time
    return seconds + microseconds / 1e6
