"""Which chunks of a batch are with a worker."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from storage.clock import seconds_between, utc
from storage.tables import chunk
from storage.values import ChunkState


class Held(NamedTuple):
    """A chunk that a worker has taken."""

    worker: str
    chunk: int
    attempt: int  #: with the chunk it names this taking
    silent: float  #: seconds since it was taken or renewed


def in_hand(connection: Connection, batch_id: int) -> list[Held]:
    """The taken chunks of a batch, in the order of their numbers."""
    c = chunk.c
    found = connection.execute(
        select(c.worker, c.id, c.attempts, c.taken_at, utc())
        .where(c.batch_id == batch_id, c.state == ChunkState.TAKEN)
        .order_by(c.id)
    )
    return [
        Held(worker, id_, attempt, max(0.0, seconds_between(taken_at, now)))
        for worker, id_, attempt, taken_at, now in found
    ]
