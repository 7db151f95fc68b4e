"""Solving again what has no proper answer, for `bullseye retry` and `bullseye serve`."""

from sqlalchemy import Engine

from storage.database import read, write
from storage.outbox import recovery, removal
from storage.queries.progress import read_progress

#: puzzles in a chunk if some were not answered; puzzles that failed get chunks of one
CHUNK_PUZZLES = 256


def solve_again(engine: Engine, number: int, queue: str, timeout: float | None = None) -> int:
    """Queue the puzzles of a batch that failed, timed out or were not answered; return how many.

    A worker publishes them.  Raises NoSuchBatch.
    """
    with read(engine) as connection:
        progress = read_progress(connection, number)
    unanswered = progress.answered < progress.batch.puzzles
    with write(engine) as connection:
        puzzles = recovery.retry(
            connection,
            number,
            queue=queue,
            timeout=timeout,
            chunk_puzzles=CHUNK_PUZZLES if unanswered else 1,
        )
        removal.disown(connection, number)
    return puzzles
