"""The queries of `bullseye doctor`: expired leases and time limits."""

import json

from sqlalchemy import Connection, func, select, text

from storage.clock import utc
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import ChunkState


def expired_leases(connection: Connection, seconds: float) -> dict[int, int]:
    """Return the number of leases not renewed for `seconds`, by batch; skip cancelled batches."""
    found = connection.execute(
        select(chunk.c.batch_id, func.count())
        .join(batch)
        .where(
            text(UNDER_WAY),
            chunk.c.state == ChunkState.TAKEN,
            chunk.c.taken_at <= utc(seconds),
            batch.c.cancelled_at.is_(None),
        )
        .group_by(chunk.c.batch_id)
        .order_by(chunk.c.batch_id)
    )
    return dict(map(tuple, found))


def longest_timeout(connection: Connection) -> float:
    """Return the longest time limit per puzzle, in seconds, of batches with sent or taken chunks.

    Returns 0.0 if there are no such batches.
    """
    under_way = select(chunk.c.batch_id).where(text(UNDER_WAY))
    found = connection.execute(select(batch.c.options).where(batch.c.id.in_(under_way)))
    return max((json.loads(options)["timeout"] for options in found.scalars()), default=0.0)
