"""The timer in every worker's main process that sweeps, and tells Redis the worker is alive."""

import logging
from typing import Any

from celery import bootsteps
from sqlalchemy import Engine

from storage.database import open_database
from storage.errors import StorageError
from worker.errors import RedisUnreachable
from worker.queue import dispatch, garbage, shutdown

logger = logging.getLogger(__name__)


class Sweeper(bootsteps.StartStopStep):  # type: ignore[misc] # celery ships no types
    """Sweeps as long as the worker runs.  A sweep that fails is put off to the next."""

    requires = {"celery.worker.components:Timer"}  # noqa: RUF012 # as celery declares it

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self.timer: Any = None

    def start(self, parent: Any) -> None:
        """Begin: once now, then every `settings.sweep` seconds."""
        interval = parent.app.settings.sweep
        self.timer = parent.timer.call_repeatedly(interval, self.sweep, (parent,))
        self.sweep(parent)

    def stop(self, parent: Any) -> None:
        """End, and leave the list of workers."""
        if self.timer is not None:
            self.timer.cancel()
        try:
            parent.app.carrier.leave(parent.hostname)
        except RedisUnreachable as error:
            logger.warning("could not sign off: %s", error)

    def terminate(self, parent: Any) -> None:
        """A cold shutdown ends in the same way."""
        self.stop(parent)

    def sweep(self, parent: Any) -> None:
        """One sweep, on a connection that is opened and closed for it."""
        app = parent.app
        garbage.search_now()
        try:
            app.carrier.beat(parent.hostname)
            published = _sweep(app)
        except (StorageError, RedisUnreachable) as error:
            logger.warning("sweep put off: %s", error)
        else:
            if published:
                logger.info("published %d chunks", published)


def _sweep(app: Any) -> int:
    """How many chunks were sent."""
    with shutdown.put_off():
        engine = _briefly(app.settings.database_url)
        try:
            return dispatch.sweep(app.outbox(engine))
        finally:
            engine.dispose()


def _briefly(url: str) -> Engine:
    """A sweep must not hold up the worker: it gives up a locked database after a second."""
    return open_database(url, pool=False, busy_seconds=1.0)
