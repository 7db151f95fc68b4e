"""The Celery task: solve one chunk, then publish the next ones."""

import logging
from functools import partial
from typing import Any

from celery import shared_task
from celery.exceptions import Reject
from sqlalchemy import Engine

from storage.database import write
from storage.outbox import leases, publishing
from storage.packing import digest
from worker.app import Bullseye
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.errors import RedisUnreachable
from worker.outages import TRANSIENT_ERRORS, is_ending, retrying
from worker.queue import dispatch, pool
from worker.queue.carrier import Carrier
from worker.queue.message import TASK

#: chunks that a process publishes after it has finished one; few, because other processes that
#: finish at the same time publish as many
MAX_PUBLISHED_CHUNKS = 4

logger = logging.getLogger(__name__)


@shared_task(bind=True, name=TASK)  # type: ignore[untyped-decorator] # celery ships no types
def solve_chunk(self: Any, chunk_id: int) -> None:
    """Solve a chunk; during a shutdown its message goes back to the queue instead."""
    if is_ending():
        raise Reject("the worker is shutting down", requeue=True)
    with pool.working(chunk_id):
        try:
            solve(self.app, chunk_id, self.request.hostname)
        except TRANSIENT_ERRORS as error:  # raised only while the worker shuts down
            raise Reject(str(error), requeue=True) from error


def solve(app: Bullseye, chunk_id: int, worker: str) -> None:
    """Take the puzzles of a chunk out of Redis, solve them, and publish waiting chunks.

    If Redis has no puzzles of the chunk, the message is a duplicate, or Redis or a process that has
    died lost them.  Raises one of TRANSIENT_ERRORS if the worker shuts down before the answers are
    stored.
    """
    puzzles = retrying(lambda: app.carrier.fetch(chunk_id))
    if puzzles is None:
        retrying(lambda: recover(app.engine, chunk_id, worker))
    else:
        solve_puzzles(app, chunk_id, puzzles, worker)
    if not is_ending():
        publish(app)


def solve_puzzles(app: Bullseye, chunk_id: int, puzzles: str, worker: str) -> None:
    """Solve the puzzles of a chunk; put them back if the worker shuts down before that."""
    try:
        engine = retrying(lambda: app.engine)
        processes = partial(count_processes, app.carrier)
        context = Context(engine, worker, app.settings, processes, news=app.carrier)
        if not attempt(context, chunk_id, puzzles):
            retrying(lambda: reject_foreign_puzzles(app, engine, chunk_id, puzzles))
    except TRANSIENT_ERRORS:
        app.carrier.put(chunk_id, puzzles)
        raise


def count_processes(carrier: Carrier) -> int:
    """Return the number of processes that serve the queue; 1 if Redis does not answer."""
    try:
        return carrier.processes()
    except RedisUnreachable:
        return 1


def recover(engine: Engine, chunk_id: int, worker: str) -> None:
    """Mark a chunk whose puzzles are not in Redis as new, unless a live process solves it.

    That is so if it is marked as sent, or if a process of this worker took it and has died: Celery
    delivers the message of such a process again.  Leases of other workers must expire.
    """
    with write(engine) as connection:
        publishing.mark_unsent(connection, [chunk_id])
        pool.end_lease(connection, chunk_id, worker)


def reject_foreign_puzzles(app: Bullseye, engine: Engine, chunk_id: int, puzzles: str) -> None:
    """Publish a chunk again if `puzzles`, which Redis held, are not those of its row."""
    with write(engine) as connection:
        if leases.has_other_puzzles(connection, chunk_id, digest(puzzles)):
            app.reject(f"these are not the puzzles of chunk {chunk_id}", puzzles)
            publishing.mark_unsent(connection, [chunk_id])


def publish(app: Bullseye) -> None:
    """Publish the next chunks if few wait in Redis; a failure is left to the next sweep."""
    try:
        dispatch.publish(app.outbox(), most=MAX_PUBLISHED_CHUNKS)
    except TRANSIENT_ERRORS as error:
        logger.info("publishing failed, the next sweep will retry: %s", error)
