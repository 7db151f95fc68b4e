"""The bootstep of the main process: sweeps the outbox, reports the worker, maintains its pool."""

import gc
import logging
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from celery import bootsteps
from sqlalchemy import Engine

from storage.database import open_database
from storage.errors import StorageError
from storage.signals import deferred
from worker import outages
from worker.errors import RedisUnreachable
from worker.outages import Outage
from worker.queue import dispatch, pool

#: seconds that a sweep waits for a locked database; meanwhile the worker handles no message
BUSY_SECONDS = 1.0
#: seconds between two looks for dead pool processes.  Celery looks when the pipe of one closes,
#: which is often a moment before its death, and otherwise every 5 s.
REAP_SECONDS = 0.25
#: the shortest time between two sweeps while all processes are busy: none could begin a chunk that
#: is found, and each publishes the next chunks when it has finished one
BUSY_SWEEP_SECONDS = 1.0
#: sweeps in a row that may fail because others use the database, as those of many workers do
SILENT_SWEEPS = 2

logger = logging.getLogger(__name__)


class Sweeper(bootsteps.StartStopStep):  # type: ignore[misc] # celery ships no types
    """Sweeps every `settings.sweep` seconds; a sweep that fails is left to the next one."""

    requires = {  # noqa: RUF012 # as celery declares it
        "celery.worker.components:Timer",
        "celery.worker.components:Pool",
    }

    def __init__(
        self, parent: Any, clock: Callable[[], float] = time.monotonic, **kwargs: Any
    ) -> None:
        super().__init__(parent, **kwargs)
        self.timers: list[Any] = []
        self._clock = clock
        self._last_sweep = 0.0
        self._database = Outage("the database", clock, of_database=True, silent=SILENT_SWEEPS)

    def start(self, parent: Any) -> None:
        """Sweep now, and start the timers."""
        every = parent.timer.call_repeatedly
        self.timers = [
            every(parent.app.settings.sweep, self.tick, (parent,)),
            every(REAP_SECONDS, parent.pool.maintain_pool),
        ]
        self.sweep(parent)

    def stop(self, parent: Any) -> None:
        """Stop the timers, and remove the worker from the list of workers in Redis."""
        for timer in self.timers:
            timer.cancel()
        parent.consumer.alarm.cancel()
        try:
            parent.app.carrier.leave(parent.hostname)
        except RedisUnreachable as error:
            logger.warning("the worker stays in the list of workers: %s", error)

    def terminate(self, parent: Any) -> None:
        """Do at a cold shutdown what `stop` does at a warm one."""
        self.stop(parent)

    def tick(self, parent: Any) -> None:
        """Sweep, unless all processes are busy and the last sweep was a moment ago."""
        passed = self._clock() - self._last_sweep
        if passed >= BUSY_SWEEP_SECONDS or pool.busy() < parent.concurrency:
            self.sweep(parent)

    def sweep(self, parent: Any) -> None:
        """Report the worker as alive, publish lost and new chunks, and check that it consumes."""
        app, consumer = parent.app, parent.consumer
        self._last_sweep = self._clock()
        # The main process makes a few cycles with each message and rarely reaches its threshold:
        # without this it grew by a megabyte in about 800 chunks, without limit.
        gc.collect()
        try:
            consumer.beat()
            published = _sweep(app)
            waiting = app.carrier.waiting()
        except RedisUnreachable as error:
            consumer.outage.fail(error)
            return
        except StorageError as error:
            self._database.fail(error)
            return
        if published:
            logger.info("published %d chunks", published)
        for outage in (consumer.outage, self._database):
            outage.settle()
        # It has connected once, and a signal during the sweep has not ended the pool.
        if consumer.task_consumer is not None and not outages.is_ending():
            consumer.check(waiting)


def _sweep(app: Any) -> int:
    engine = _engine(app.settings.database_url)
    try:
        with deferred():
            return dispatch.sweep(app.outbox(engine))
    finally:
        engine.dispose()  # the main process must hold no connection when it forks


@lru_cache(maxsize=1)
def _engine(url: str) -> Engine:
    return open_database(url, busy_seconds=BUSY_SECONDS)
