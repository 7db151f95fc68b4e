"""What a process leaves behind that was killed: the lease of its chunk, which another one ends."""

import logging

from sqlalchemy import Connection

from storage.database import open_database, write
from storage.errors import StorageError
from storage.outbox import leases
from worker.queue import shutdown

#: seconds that a new pool process waits for a locked database: Celery kills one that is not ready
#: within 4 s
BUSY_SECONDS = 1.0

logger = logging.getLogger(__name__)


def take_place(database_url: str, worker: str) -> None:
    """Give back the chunk of the killed process whose place in the pool this process takes.

    Celery delivers the message of that process again, but maybe to another worker, which cannot
    know that the lease is without a holder; it would expire a minute later.
    """
    chunk_id = shutdown.take_place()
    if chunk_id is None:
        return
    try:
        engine = open_database(database_url, pool=False, busy_seconds=BUSY_SECONDS)
        with write(engine) as connection:
            end_lease(connection, chunk_id, worker)
    except StorageError as error:
        logger.warning("chunk %d is solved when its lease has expired: %s", chunk_id, error)


def end_lease(connection: Connection, chunk_id: int, worker: str) -> None:
    """End the lease of a process of this worker that has died, if it holds one on the chunk."""
    attempt_number = leases.held_by(connection, chunk_id, worker)
    # In this order: a process notes the chunk before it takes the lease.
    if attempt_number is not None and not shutdown.is_solved_by_another(chunk_id):
        leases.end(connection, chunk_id, attempt_number)
