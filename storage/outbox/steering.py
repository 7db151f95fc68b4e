"""Steering: batches that workers solve are paused, resumed, and given another priority."""

from typing import Any

from sqlalchemy import Connection, select, text, update

from storage import batches
from storage.batches import OWNER, Batch
from storage.errors import BatchNotQueued
from storage.outbox import publishing, stride
from storage.tables import PAUSED, UNDER_WAY, batch, chunk, meta
from storage.values import ChunkState, Priority


def pause(connection: Connection, batch_id: int) -> None:
    """Pause a batch: none of its chunks is sent or taken until `resume`.

    Workers give back what they have taken, as at a shutdown.  A paused batch stays paused.  Raises
    NoSuchBatch, and BatchNotQueued if the batch is not one that workers go on with.
    """
    found = _queued(connection, batch_id)
    _change(connection, found, active=PAUSED)
    of_batch = (chunk.c.batch_id == found.id, text(UNDER_WAY), chunk.c.state == ChunkState.SENT)
    # Their messages have no effect while it is paused, so they must be sent again after that.
    sent = connection.execute(select(chunk.c.id).where(*of_batch)).scalars()
    publishing.mark_unsent(connection, sorted(sent))


def resume(connection: Connection, batch_id: int) -> bool:
    """Let workers go on with a paused batch; return False if it is not paused.  Raises as `pause`.

    It joins the batches that wait, without the turns that it has missed.
    """
    found = _queued(connection, batch_id)
    if found.paused:
        served = stride.rejoining(connection, found.queue, found.priority)
        _change(connection, found, active=1, served=served)
    return found.paused


def set_priority(connection: Connection, batch_id: int, priority: Priority) -> None:
    """Change the share that a batch gets from its next turn on, paused or not; raises as `pause`.

    Its next turn is that of a batch that joins now: with the old share it may be far away.
    """
    found = _queued(connection, batch_id)
    served = stride.rejoining(connection, found.queue, priority)
    _change(connection, found, priority=priority.value, served=served)


def _change(connection: Connection, found: Batch, **values: Any) -> None:
    connection.execute(update(batch).where(batch.c.id == found.id).values(values))


def _queued(connection: Connection, batch_id: int) -> Batch:
    """Lock and return a batch that is queued for workers and has puzzles left."""
    found = batches.lock(connection, batch_id)
    owned = select(meta.c.key).where(meta.c.key == f"{OWNER}{batch_id}")
    see = "see bullseye status"
    if found.cancelled_at is not None:
        again = f"run the rest of it with bullseye retry {batch_id}"
        raise BatchNotQueued(f"batch {batch_id} was cancelled", again)
    if not found.ready:
        raise BatchNotQueued(f"batch {batch_id} is still being stored", see)
    if connection.execute(owned).first() is not None:
        alone = f"a solve command works on batch {batch_id} alone"
        raise BatchNotQueued(alone, "stop it there, or with bullseye cancel")
    if not batches.has_chunks_left(connection, batch_id):
        raise BatchNotQueued(f"batch {batch_id} has already finished", see)
    return found
