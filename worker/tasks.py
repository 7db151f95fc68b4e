"""The task: two lines around plain functions."""

import logging
from typing import Any

from celery import shared_task
from celery.exceptions import Reject
from sqlalchemy import Engine

from storage.database import write
from storage.outbox import leases, publishing
from worker.app import TASK, Bullseye
from worker.queue import dispatch, shutdown
from worker.queue.attempt import attempt
from worker.queue.patience import PASSING, insist

logger = logging.getLogger(__name__)


@shared_task(bind=True, name=TASK)  # type: ignore[untyped-decorator] # celery ships no types
def solve_chunk(self: Any, chunk_id: int) -> None:
    """Answer one chunk, then make room for the next."""
    refuse_when_going_down()
    answer(self.app, chunk_id, self.request.hostname)


def refuse_when_going_down() -> None:
    """Leave what arrives during a shutdown to others."""
    if shutdown.begun():
        raise Reject("this worker is going down", requeue=True)


def answer(app: Bullseye, chunk_id: int, worker: str) -> None:
    """Take the chunk's puzzles out of Redis, solve them, and publish what waits for room.

    A message whose puzzles are gone is a reminder that came twice, or one that Redis lost a
    part of: if the chunk still waits, it goes back to be sent again.
    """
    puzzles = insist(lambda: app.carrier.fetch(chunk_id))
    if puzzles is None:
        insist(lambda: forget(app.engine, chunk_id))
        return
    try:
        with shutdown.working():
            engine = insist(lambda: app.engine)
            if not attempt(engine, chunk_id, puzzles, worker=worker, settings=app.settings):
                insist(lambda: look_at(app, engine, chunk_id, puzzles))
    except PASSING as error:  # only where the worker goes down meanwhile
        app.carrier.put(chunk_id, puzzles)
        raise Reject(str(error), requeue=True) from error
    if not shutdown.begun():
        publish(app)


def forget(engine: Engine, chunk_id: int) -> None:
    """The chunk's puzzles are not in Redis."""
    with write(engine) as connection:
        publishing.mark_unsent(connection, [chunk_id])


def look_at(app: Bullseye, engine: Engine, chunk_id: int, puzzles: str) -> None:
    """An attempt that was none: were these the chunk's puzzles?  If not, it is sent again."""
    with write(engine) as connection:
        if leases.has_others(connection, chunk_id, puzzles):
            app.refuse(f"these are not the puzzles of chunk {chunk_id}", puzzles)
            publishing.mark_unsent(connection, [chunk_id])


def publish(app: Bullseye) -> None:
    """What waits for room; what cannot be sent now is left to the next sweep."""
    try:
        dispatch.publish(app.outbox())
    except PASSING as error:
        logger.warning("publishing put off: %s", error)
