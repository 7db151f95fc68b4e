"""The Celery app: its settings, each with its reason, and the way to its queue.

`celery -A worker.app worker` finds `app` here; it is made when asked for, from `BULLSEYE_*`.
"""

import functools
import logging
import os
from typing import Any, cast

from celery import Celery, signals
from celery.apps.worker import Worker
from kombu.exceptions import OperationalError
from sqlalchemy import Engine

from storage.database import database_id, open_database, read
from worker.errors import RedisUnreachable
from worker.queue import garbage, inbox, shutdown
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox
from worker.queue.sweeper import Sweeper
from worker.settings import Settings

TASK = "bullseye.solve_chunk"
#: seconds after which a message that nobody acknowledged comes back
VISIBILITY = 900
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
#: what Celery says of each message as well, when `attempt` has one line for it
CHATTY = ("celery.app.trace", "celery.worker.strategy")

logger = logging.getLogger(__name__)


class GentleWorker(Worker):  # type: ignore[misc] # celery ships no types
    """A worker whose soft shutdown lasts no longer than its chunks take to be given back."""

    def wait_for_soft_shutdown(self) -> None:
        """Instead of sleeping for the whole time: tell the pool, and wait for it."""
        shutdown.begin()
        shutdown.await_idle(self.app.conf.worker_soft_shutdown_timeout)


class Bullseye(Celery):  # type: ignore[misc] # celery ships no types
    """A Celery app that knows its database and its queue."""

    def __init__(self, settings: Settings, queue: str) -> None:
        super().__init__("bullseye", broker=kombu_url(settings.redis_url), include=["worker.tasks"])
        self.settings = settings
        self.queue = queue
        self.conf.update(_conf(queue))
        self.steps["worker"].add(Sweeper)

    @functools.cached_property
    def Worker(self) -> type[GentleWorker]:  # noqa: N802 # Celery's name
        """The class of worker that this app starts."""
        return cast(type[GentleWorker], self.subclass_with_self(GentleWorker))

    @property
    def engine(self) -> Engine:
        """This process's own connections: a pool must not cross a fork."""
        return _engine(self.settings.database_url, os.getpid())

    @property
    def carrier(self) -> Carrier:
        """This process's own connection to Redis."""
        return _carrier(self.settings.redis_url, self.queue, os.getpid())

    def outbox(self, engine: Engine | None = None) -> Outbox:
        """What publishing and sweeping need; with an engine of the caller's, if given."""
        return Outbox(engine or self.engine, self.carrier, self.send_chunk, self.settings)

    def connection_for_read(self, url: str | None = None, **options: Any) -> Any:
        """Where messages come from: only those that are ours."""
        connection = super().connection_for_read(url, **options)
        connection.transport_cls = inbox.guarded(TASK, self.refuse)
        return connection

    def refuse(self, why: str, what: object) -> None:
        """Tell of something in Redis that is not ours, and count it."""
        logger.warning("refused what was in the queue: %s: %.200r", why, what)
        try:
            self.carrier.count_refused()
        except RedisUnreachable as error:
            logger.warning("not counted: %s", error)

    def send_chunk(self, chunk_id: int) -> None:
        """Put one chunk's message into the queue, or raise RedisUnreachable at once."""
        try:
            self.send_task(TASK, (chunk_id,), queue=self.queue, retry=False, argsrepr="")
        except OperationalError as error:
            raise RedisUnreachable(f"Redis does not take messages: {error}") from error


def _conf(queue: str) -> dict[str, Any]:
    """Celery's settings."""
    return {
        "task_default_queue": queue,
        # A message is acknowledged after its answers are committed, not before.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        # Answers go to the database; nothing is to be read from Redis.
        "task_ignore_result": True,
        "accept_content": ["json"],
        "task_serializer": "json",
        # Answers are stored exactly once, so work that lost its connection may end in peace.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_soft_shutdown_timeout": 10.0,
        "worker_enable_soft_shutdown_on_idle": False,
        "broker_connection_retry_on_startup": True,
        # A Redis that refuses, being full, is as good as gone for a while: no reason to end.
        "broker_channel_error_retry": True,
        "worker_hijack_root_logger": False,
        "worker_log_format": LOG_FORMAT,
        "broker_transport_options": {
            # Far above a chunk's longest turn; a lost chunk is found by its lease, not by this.
            "visibility_timeout": VISIBILITY,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "unacked_key": f"{queue}:unacked",
            "unacked_index_key": f"{queue}:unacked_index",
            "unacked_mutex_key": f"{queue}:unacked_mutex",
            "socket_timeout": 15,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 10,
        },
    }


def worker_app(settings: Settings) -> Bullseye:
    """The app of a worker: brings the database's tables up to date, and serves its queue."""
    engine = open_database(settings.database_url, migrate=True, pool=False)
    with read(engine) as connection:
        name = settings.queue or queue_name(database_id(connection))
    engine.dispose()
    return Bullseye(settings, name)


def queue_name(database: str) -> str:
    """One queue a database, so that workers never take another database's chunks."""
    return f"bullseye-{database}"


def kombu_url(redis_url: str) -> str:
    """The same address as kombu spells it: it calls a Unix socket `redis+socket`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    return "redis+socket://" + redis_url.removeprefix("unix://").replace("?db=", "?virtual_host=")


@functools.lru_cache(maxsize=1)
def _engine(url: str, _process: int) -> Engine:
    return open_database(url)


@functools.lru_cache(maxsize=1)
def _carrier(url: str, queue: str, _process: int) -> Carrier:
    return Carrier.connect(url, queue, timeout=5.0)


@signals.worker_init.connect  # type: ignore[untyped-decorator] # celery ships no types
def _warm_up(**_: object) -> None:
    """Load the kernel once, before the pool forks."""
    from worker import solve as search  # noqa: PLC0415 # numba takes 0.3 s that a submit need not pay

    search.warm_up()
    garbage.set_aside()


@signals.worker_process_init.connect  # type: ignore[untyped-decorator] # celery ships no types
def _settle(**_: object) -> None:
    garbage.search_seldom()


@signals.after_setup_logger.connect  # type: ignore[untyped-decorator] # celery ships no types
def _one_line_a_chunk(**_: object) -> None:
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


@signals.worker_shutting_down.connect  # type: ignore[untyped-decorator] # celery ships no types
def _go_down(**_: object) -> None:
    shutdown.begin()


def __getattr__(name: str) -> Bullseye:
    """`app`, for `celery -A worker.app`: made at the first look."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    app = worker_app(Settings.from_env())
    globals()["app"] = app
    return app
