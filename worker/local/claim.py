"""Claims chunks for processes of this command, without Redis."""

from sqlalchemy import Engine

from storage.database import write
from storage.outbox import publishing
from storage.outbox.publishing import Chunk
from worker.outages import retrying
from worker.settings import Settings


def claim(engine: Engine, settings: Settings, most: int) -> list[Chunk]:
    """Mark up to `most` new chunks of `settings.queue` as sent and return them.

    While the database is locked, full or unreachable, it waits and tries again.
    """

    def once() -> list[Chunk]:
        with write(engine) as connection:
            return publishing.claim_new(connection, settings.queue, settings.room, most=most)

    return retrying(once)
