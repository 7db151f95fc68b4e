"""Celery's consumer, with growing pauses, nothing left open, and a check that it consumes.

Celery connects again at once if Redis answers but refuses a command, as a full one does, and leaves
the refused connection open: within minutes the process had no file descriptor left.
"""

import logging
import os
import warnings
from typing import Any

from celery.concurrency.prefork import TaskPool
from celery.exceptions import CPendingDeprecationWarning, WorkerShutdown
from celery.worker.consumer import Consumer as CeleryConsumer
from celery.worker.state import maybe_shutdown
from kombu.connection import Connection

from storage.location import without_secrets
from worker.queue import backoff, inbox, shutdown
from worker.queue.alarm import HangAlarm
from worker.queue.backoff import Outage
from worker.queue.consumption import Consumption

#: restarts of its consumer in a row after which a worker that still does not consume ends
MAX_RESTARTS = 3

logger = logging.getLogger(__name__)


class Stalled(ConnectionError):
    """Messages wait, and none is consumed.  Celery restarts its consumer on a ConnectionError."""


class Consumer(CeleryConsumer):  # type: ignore[misc] # celery ships no types
    """The consumer of a worker, named by the setting `worker_consumer`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        settings = self.app.settings
        self.outage = Outage(f"Redis at {without_secrets(settings.redis_url)}")
        self.consumption = Consumption()
        # The tasks of another pool run in this process, which then looks hung or without work.
        self._forks = isinstance(self.pool, TaskPool)
        self.alarm = HangAlarm(2 * settings.silence if self._forks else 0)
        self._tick_callbacks: set[object] = set()
        inbox.polled.connect(self.consumption.note)
        inbox.rejected.connect(self.consumption.note)

    def connect(self) -> Connection:
        """Connect after a pause that grows with the failures in a row."""
        if self.outage.failures:
            backoff.sleep_until_shutdown(backoff.pause(self.outage.failures))
            maybe_shutdown()
        self.alarm.renew()
        connection: Connection = self.connection_for_read(heartbeat=self.amqheartbeat)
        try:
            self._register(connection)
        except BaseException:
            connection.close()
            raise
        self.outage.connect()
        return connection

    def ensure_connected(self, conn: Connection) -> Connection:
        """Try once to connect; `connect` pauses before the next attempt, not kombu."""
        conn.ensure_connection(max_retries=0, reraise_as_library_errors=False)
        return conn

    def on_connection_error_before_connected(self, exc: Exception) -> None:
        """Report that Redis cannot be reached or refuses a command."""
        self.outage.fail(exc)

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Report why the connection is lost, and close it."""
        if isinstance(exc, Stalled):
            logger.warning("%s", exc)
        else:
            self.outage.fail(exc)
        with warnings.catch_warnings():
            # It recommends a setting that `worker.app` rejects.
            warnings.simplefilter("ignore", CPendingDeprecationWarning)
            super().on_connection_error_after_connected(exc)

    def beat(self) -> None:
        """Report to Redis that this worker is alive, and whether it consumes."""
        self.alarm.renew()
        self.app.carrier.beat(
            self.hostname,
            busy=shutdown.busy(),
            consumed=self.consumption.seconds(),
            stalled=self.consumption.is_stalled(),
            processes=self.controller.concurrency,
        )

    def check(self, waiting: int) -> None:
        """Raise Stalled if none of `waiting` messages is consumed: the consumer then starts anew.

        Raises WorkerShutdown if that did not help MAX_RESTARTS times.
        """
        # Without a queue, someone told it to consume nothing: celery control cancel_consumer.
        consumes = self._forks and self.task_consumer.queues
        processes = self.pool.num_processes if consumes else 0
        self.consumption.check(waiting, processes - shutdown.busy(), shutdown.starts())
        if not self.consumption.needs_restart():
            return
        reason = f"no chunk was begun for {self.consumption.seconds():.0f} s, and {waiting} wait"
        if self.consumption.restarts < MAX_RESTARTS:
            self.consumption.restart()
            raise Stalled(f"{reason}; connecting to Redis again")
        logger.critical("the worker ends: %s, after %d new connections", reason, MAX_RESTARTS)
        shutdown.begin()
        raise WorkerShutdown(os.EX_TEMPFAIL)

    def _register(self, connection: Connection) -> None:
        """Register a connection with the event loop, and remove what kombu left of the last one."""
        self.hub.on_tick -= self._tick_callbacks
        others = set(self.hub.on_tick)
        connection.register_with_event_loop(self.hub)
        self._tick_callbacks = self.hub.on_tick - others
