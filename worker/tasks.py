"""The Celery task: solve one chunk, then publish the next ones."""

import logging
from typing import Any

from celery import shared_task
from celery.exceptions import Reject
from sqlalchemy import Engine

from storage.database import write
from storage.outbox import leases, publishing
from storage.packing import digest
from worker.app import Bullseye
from worker.queue import dispatch, shutdown
from worker.queue.backoff import TRANSIENT_ERRORS, retrying
from worker.queue.message import TASK
from worker.queue.solving.attempt import attempt

logger = logging.getLogger(__name__)


@shared_task(bind=True, name=TASK)  # type: ignore[untyped-decorator] # celery ships no types
def solve_chunk(self: Any, chunk_id: int) -> None:
    """Solve a chunk; during a shutdown its message goes back to the queue instead."""
    if shutdown.begun():
        raise Reject("the worker is shutting down", requeue=True)
    with shutdown.working():
        try:
            solve(self.app, chunk_id, self.request.hostname)
        except TRANSIENT_ERRORS as error:  # raised only while the worker shuts down
            raise Reject(str(error), requeue=True) from error


def solve(app: Bullseye, chunk_id: int, worker: str) -> None:
    """Take the puzzles of a chunk out of Redis, solve them, and publish waiting chunks.

    If Redis has no puzzles of the chunk, the message is a duplicate or Redis lost them.  A chunk
    that is still marked as sent is then marked as new, so that it is published again.  Raises one
    of TRANSIENT_ERRORS if the worker shuts down before the answers are stored.
    """
    puzzles = retrying(lambda: app.carrier.fetch(chunk_id))
    if puzzles is None:
        retrying(lambda: mark_unsent(app.engine, chunk_id))
        return
    try:
        engine = retrying(lambda: app.engine)
        if not attempt(
            engine, chunk_id, puzzles, worker=worker, settings=app.settings, search=app.search
        ):
            retrying(lambda: reject_foreign_puzzles(app, engine, chunk_id, puzzles))
    except TRANSIENT_ERRORS:
        app.carrier.put(chunk_id, puzzles)
        raise
    if not shutdown.begun():
        publish(app)


def mark_unsent(engine: Engine, chunk_id: int) -> None:
    """Mark a sent chunk as new, so that it is published again."""
    with write(engine) as connection:
        publishing.mark_unsent(connection, [chunk_id])


def reject_foreign_puzzles(app: Bullseye, engine: Engine, chunk_id: int, puzzles: str) -> None:
    """Publish a chunk again if `puzzles`, which Redis held, are not those of its row."""
    with write(engine) as connection:
        if leases.has_other_puzzles(connection, chunk_id, digest(puzzles)):
            app.reject(f"these are not the puzzles of chunk {chunk_id}", puzzles)
            publishing.mark_unsent(connection, [chunk_id])


def publish(app: Bullseye) -> None:
    """Publish new chunks while Redis has room; a failure is left to the next sweep."""
    try:
        dispatch.publish(app.outbox())
    except TRANSIENT_ERRORS as error:
        logger.warning("publishing failed, the next sweep will retry: %s", error)
