"""Which chunks are next: said once, for all runners."""

from sqlalchemy import Engine

from storage.database import write
from storage.outbox import publishing
from storage.outbox.publishing import Chunk


def claim(engine: Engine, queue: str, room: int, most: int) -> list[Chunk]:
    """Mark up to `most` of the next chunks of a queue as sent, and return them.

    The caller delivers them; `room` is the setting of that name.
    """
    with write(engine, pipelined=True) as connection:
        return publishing.claim_new(connection, queue, room, most=most)
