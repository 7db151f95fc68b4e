"""The task: two lines around plain functions."""

from typing import Any

from celery import shared_task

from storage import chunks
from storage.database import write
from worker import dispatch
from worker.app import TASK, Bullseye
from worker.attempt import attempt


@shared_task(bind=True, name=TASK)  # type: ignore[untyped-decorator] # celery ships no types
def solve_chunk(self: Any, chunk_id: int) -> None:
    """Answer one chunk, then make room for the next."""
    answer(self.app, chunk_id, self.request.hostname)
    dispatch.publish(self.app.outbox())


def answer(app: Bullseye, chunk_id: int, worker: str) -> None:
    """Take the chunk's puzzles out of Redis and solve them.

    A message whose puzzles are gone is a reminder that came twice, or one that Redis lost a
    part of: if the chunk still waits, it goes back to be sent again.
    """
    puzzles = app.carrier.fetch(chunk_id)
    if puzzles is not None:
        attempt(app.engine, chunk_id, puzzles, worker=worker, settings=app.settings)
        return
    with write(app.engine) as connection:
        chunks.unsent(connection, [chunk_id])
