"""How the work goes: what the doctor asks."""

import json

from sqlalchemy import Connection, func, select, text

from storage.clock import utc
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import ChunkState


def stuck(connection: Connection, seconds: float) -> dict[int, int]:
    """Batch -> how many of its chunks were taken and not renewed for so long."""
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
    """Seconds that a puzzle of what is under way may take at most; 0.0 where nothing is."""
    under_way = select(chunk.c.batch_id).where(text(UNDER_WAY))
    found = connection.execute(select(batch.c.options).where(batch.c.id.in_(under_way)))
    return max((json.loads(options)["timeout"] for options in found.scalars()), default=0.0)
