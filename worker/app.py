"""The Celery app: its settings, its worker, and its connections to the database and to Redis.

`celery -A bullseye worker` and `celery -A worker.app worker` find the app under the name `app`; it
is made from `BULLSEYE_*` when the name is first used.
"""

import functools
import gc
import logging
import os
from importlib import import_module
from typing import Any, cast

from celery import Celery, signals
from kombu.connection import Connection
from sqlalchemy import Engine

try:
    from storage.database import display_name, open_database, write
except ModuleNotFoundError as error:  # under `celery -A` the current folder comes first
    if error.name != "storage.database":
        raise
    hiding = import_module("storage").__file__
    raise SystemExit(
        f"error: {hiding} hides the package 'storage' of Bullseye: use celery -A bullseye"
    ) from error
from storage.location import without_secrets
from storage.outbox import leases
from storage.outbox.removal import end_orphans
from worker import garbage
from worker.errors import RedisUnreachable
from worker.queue import inbox, logs, pool
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox, queue_of
from worker.queue.pool import SoftShutdownWorker
from worker.queue.sweeper import Sweeper
from worker.settings import JSON_LOG, OBEY_ALL, Settings

#: seconds after which Redis redelivers a message that was not acknowledged
VISIBILITY_SECONDS = 900
#: seconds that a soft shutdown may take
SOFT_SHUTDOWN_SECONDS = 10.0
#: seconds that `Bullseye.carrier` waits for a reply of Redis
CARRIER_TIMEOUT_SECONDS = 5.0

logger = logging.getLogger(__name__)


class Bullseye(Celery):  # type: ignore[misc] # celery ships no types
    """The Celery app of the workers of one queue."""

    def __init__(self, settings: Settings, queue: str) -> None:
        super().__init__(
            "bullseye",
            broker=kombu_url(settings.redis_url),
            include=["worker.tasks"],
            events="worker.queue.consumer:Events",
        )
        self.settings = settings
        self.queue = queue
        self.conf.update(celery_settings(queue))
        self.steps["worker"].add(Sweeper)

    @functools.cached_property
    def Worker(self) -> type[SoftShutdownWorker]:  # noqa: N802 # Celery's name
        """The class of worker that `worker_main` starts."""
        return cast(type[SoftShutdownWorker], self.subclass_with_self(SoftShutdownWorker))

    @property
    def engine(self) -> Engine:
        """The database engine of this process; each process has its own connections."""
        return _engine(self.settings.database_url, os.getpid())

    @property
    def carrier(self) -> Carrier:
        """The carrier of this process; each process has its own connection to Redis."""
        return _carrier(self.settings.redis_url, self.queue, os.getpid())

    def outbox(self, engine: Engine | None = None) -> Outbox:
        """The outbox of this queue, on `engine` or on this process's own engine."""
        return Outbox(engine or self.engine, self.carrier, self.settings)

    def connection_for_read(self, url: str | None = None, **options: Any) -> Connection:
        """A connection that delivers only what `worker.queue.inbox` accepts."""
        connection: Connection = super().connection_for_read(url, **options)
        inbox.check_messages(connection, obey=self.settings.control == OBEY_ALL)
        return connection

    def reject(self, reason: str, line: object, **_: object) -> None:
        """Log and count a message, or the puzzles of a chunk, that Bullseye did not write."""
        logger.warning("rejected a foreign message: %s: %.200r", reason, line)
        try:
            self.carrier.count_rejected()
        except RedisUnreachable as error:
            logger.warning("the foreign message was not counted: %s", error)

    def prepare_log(self, logger: logging.Logger, **_: object) -> None:
        """Filter and format what this worker logs."""
        logs.prepare(logger, as_json=self.settings.log_format == JSON_LOG)

    def prepare_pool_process(self, sender: str, **_: object) -> None:
        """Collect garbage rarely, and give back the chunk of a killed process."""
        garbage.collect_rarely()
        pool.give_back(self.settings.database_url, worker=sender)


def worker_app(settings: Settings) -> Bullseye:
    """Return the app for a worker, with the database migrated and the signals connected."""
    # A warning, because logging is not configured yet.
    log_once = functools.cache(logger.warning)
    engine = open_database(
        settings.database_url,
        migrate=True,
        pool=False,
        progress=lambda *_: log_once("upgrading the database"),
    )
    end_orphans(engine)
    name = queue_of(settings, engine)
    if settings.lease is not None:
        with write(engine) as connection:
            leases.store_seconds(connection, name, settings.lease)
    engine.dispose()
    app = Bullseye(settings, name)
    connect_signals(app)
    return app


def connect_signals(app: Bullseye) -> None:
    """Connect the handlers of a worker to Celery's signals, in this process."""
    signals.after_setup_logger.connect(app.prepare_log)
    signals.worker_init.connect(_prepare_worker)
    signals.worker_ready.connect(_report_ready)
    signals.worker_process_init.connect(app.prepare_pool_process)
    signals.worker_shutting_down.connect(pool.begin_shutdown)
    inbox.rejected.connect(app.reject)


def celery_settings(queue: str) -> dict[str, Any]:
    """Return Celery's settings for the app of a queue."""
    return {
        "task_default_queue": queue,
        # A message is acknowledged after its answers are committed, not before.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        # Answers go to the database; there is no result to read from Redis.
        "task_ignore_result": True,
        "accept_content": ["json"],
        "task_serializer": "json",
        # Answers are stored exactly once, so a task may go on after its connection was lost.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_soft_shutdown_timeout": SOFT_SHUTDOWN_SECONDS,
        "worker_enable_soft_shutdown_on_idle": False,
        "broker_connection_retry_on_startup": True,
        # A full Redis rejects commands; a worker then waits as it does for a lost connection.
        "broker_channel_error_retry": True,
        "worker_consumer": "worker.queue.consumer:Consumer",
        # Tasks that go on after a loss of the connection need no smaller prefetch count.
        "worker_enable_prefetch_count_reduction": False,
        "worker_hijack_root_logger": False,
        "worker_log_format": logs.FORMAT,
        "broker_transport_options": {
            # Longer than any attempt: lost chunks are found by their leases long before.
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "unacked_key": f"{queue}:unacked",
            "unacked_index_key": f"{queue}:unacked_index",
            "unacked_mutex_key": f"{queue}:unacked_mutex",
            "socket_timeout": 5,  # longer than a BRPOP, which ends after a second
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "health_check_interval": 10,
        },
    }


def kombu_url(redis_url: str) -> str:
    """Return a Redis URL as kombu spells it: `redis+socket://` instead of `unix://`."""
    if not redis_url.startswith("unix://"):
        return redis_url
    return "redis+socket://" + redis_url.removeprefix("unix://").replace("?db=", "?virtual_host=")


@functools.lru_cache(maxsize=1)
def _engine(url: str, _process: int) -> Engine:
    return open_database(url)


@functools.lru_cache(maxsize=1)
def _carrier(url: str, queue: str, _process: int) -> Carrier:
    return Carrier.connect(url, queue, timeout=CARRIER_TIMEOUT_SECONDS)


def _prepare_worker(**_: object) -> None:
    """Load the kernel in the main process, before the pool is forked, once for all processes."""
    from worker.solve import warm_up  # noqa: PLC0415 # 0.2 s, which `submit` can save

    pool.reset()
    warm_up()
    # Celery's pool collects before it forks each process, and a collection
    # in a child process would copy every memory page that it visits.
    gc.freeze()


def _report_ready(sender: Any, **_: object) -> None:
    """Log, once and at every log level, that the worker consumes."""
    signals.worker_ready.disconnect(_report_ready)  # Celery sends it after each reconnection
    settings: Settings = sender.app.settings
    processes = sender.controller.concurrency
    logs.always.info(
        "%s is ready: %s, database %s, Redis %s",
        sender.hostname,
        "1 process" if processes == 1 else f"{processes} processes",
        display_name(settings.database_url),
        without_secrets(settings.redis_url),
    )


def __getattr__(name: str) -> Bullseye:
    """Make `app` when it is first used, so that importing this module opens no database."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    app = worker_app(Settings.from_env())
    globals()["app"] = app
    return app
