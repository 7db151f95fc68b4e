"""Celery's consumer, with growing pauses, nothing left open, and a check that it consumes.

Celery connects again at once if Redis answers but refuses a command, as a full one does, and leaves
the refused connection open: within minutes the process had no file descriptor left.
"""

import logging
import os
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any

from celery.app import events
from celery.concurrency.prefork import TaskPool
from celery.events.dispatcher import EventDispatcher
from celery.exceptions import CPendingDeprecationWarning, WorkerShutdown
from celery.worker.consumer import Consumer as CeleryConsumer
from celery.worker.state import maybe_shutdown
from kombu.connection import Connection

from storage.location import without_secrets
from worker import outages
from worker.outages import Outage
from worker.queue import inbox, pool
from worker.queue.message import WorkerInfo

#: restarts of its consumer in a row after which a worker that still does not consume ends
MAX_RESTARTS = 3
#: checks in a row without consumption, one per sweep, after which a worker is stalled
STALLED_CHECKS = 3
#: seconds in which a process that was suspended until the alarm can go on
GRACE_SECONDS = 5.0

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
            outages.sleep_until_shutdown(outages.pause(self.outage.failures))
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
        info = WorkerInfo(
            busy=pool.busy(),
            consumed=round(self.consumption.seconds(), 1),
            stalled=self.consumption.is_stalled(),
            processes=self.controller.concurrency,
        )
        self.app.carrier.beat(self.hostname, info)

    def check(self, waiting: int) -> None:
        """Raise Stalled if none of `waiting` messages is consumed: the consumer then starts anew.

        Raises WorkerShutdown if that did not help MAX_RESTARTS times.
        """
        # Without a queue, someone told it to consume nothing: celery control cancel_consumer.
        consumes = self._forks and self.task_consumer.queues
        processes = self.pool.num_processes if consumes else 0
        self.consumption.check(waiting, processes - pool.busy(), pool.starts())
        if not self.consumption.needs_restart():
            return
        reason = f"no chunk was begun for {self.consumption.seconds():.0f} s, and {waiting} wait"
        if self.consumption.restarts < MAX_RESTARTS:
            self.consumption.restart()
            raise Stalled(f"{reason}; connecting to Redis again")
        logger.critical("the worker ends: %s, after %d new connections", reason, MAX_RESTARTS)
        outages.set_ending(True)
        raise WorkerShutdown(os.EX_TEMPFAIL)

    def _register(self, connection: Connection) -> None:
        """Register a connection with the event loop, and remove what kombu left of the last one."""
        self.hub.on_tick -= self._tick_callbacks
        others = set(self.hub.on_tick)
        connection.register_with_event_loop(self.hub)
        self._tick_callbacks = self.hub.on_tick - others


class Dispatcher(EventDispatcher):  # type: ignore[misc] # celery ships no types
    """Tries once to send an event, and buffers it if that fails.

    Celery tries to send its heartbeat again and again: while Redis was frozen, the main process did
    nothing else, not even report that, until its alarm ended it.
    """

    def send(self, *arguments: Any, **options: Any) -> None:
        """Send an event, without `retry`."""
        super().send(*arguments, **{**options, "retry": False})


class Events(events.Events):  # type: ignore[misc] # celery ships no types
    """The events of the app."""

    dispatcher_cls = Dispatcher


class Consumption:
    """Counts what a worker consumes; used by its main process only.

    A worker is stalled if messages wait, one of its processes is free, and it consumes nothing.
    That a message was received is not enough: some process must have begun with it.  Each check
    belongs to another turn of the event loop, so a slow one makes no worker stalled.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._consumed = False
        self._starts = b""
        self._checks = 0
        #: restarts of the consumer since it last consumed
        self.restarts = 0

    def note(self, **_: object) -> None:
        """Note that a chunk was begun, a message rejected, or the queue found empty."""
        self._last = self._clock()
        self._consumed = True
        self.restarts = 0

    def restart(self) -> None:
        """Note that the consumer restarts; it has time to consume before it is stalled again."""
        self._checks = 0
        self.restarts += 1

    def check(self, waiting: int, free: int, starts: bytes) -> None:
        """Check that something was consumed since the last call, if it could have been.

        `waiting` messages are in the queue, `free` processes have no chunk, and `starts` changes
        when one begins with a chunk.
        """
        if starts != self._starts:
            self._starts = starts
            self.note()
        idle = waiting > 0 and free > 0 and not self._consumed
        self._checks = self._checks + 1 if idle else 0
        self._consumed = False

    def needs_restart(self) -> bool:
        """Return whether the last STALLED_CHECKS checks failed."""
        return self._checks >= STALLED_CHECKS

    def is_stalled(self) -> bool:
        """Return whether the consumer needs a restart, or has consumed nothing since one."""
        return self.needs_restart() or self.restarts > 0

    def seconds(self) -> float:
        """Return the seconds since the worker last consumed."""
        return self._clock() - self._last


class HangAlarm:
    """Ends the main process if it is not renewed within `seconds`; 0 stands for no limit.

    It is a signal, because a process that forks must not have threads.  It arrives while a system
    call blocks; compiled code runs in the pool, which has a watchdog of its own.
    """

    def __init__(self, seconds: float, grace: float = GRACE_SECONDS) -> None:
        self._seconds = seconds
        self._grace = grace
        self._rang = False
        if seconds:
            signal.signal(signal.SIGALRM, self._ring)

    def renew(self) -> None:
        """Start to measure, or start again."""
        self._rang = False
        self._set(self._seconds)

    def cancel(self) -> None:
        """Stop to measure."""
        self._set(0.0)

    def _set(self, seconds: float) -> None:
        if self._seconds:
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def _ring(self, *_: object) -> None:
        if not self._rang:
            self._rang = True
            self._set(self._grace)
            return
        logger.critical("the worker ends: its main process has hung for %g s", self._seconds)
        logging.shutdown()
        os._exit(os.EX_TEMPFAIL)
