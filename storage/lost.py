"""Chunks that nobody works on any more, though somebody was told to or began."""

from sqlalchemy import ColumnElement, Connection, and_, or_, select, text

from storage import chunks
from storage.clock import earlier, utc
from storage.tables import UNDER_WAY, batch, chunk
from storage.values import ChunkState

#: a sent chunk is lost when one sent this many seconds later was taken before it
OVERTAKEN = 60.0
#: a sent chunk that is this many seconds old is lost when Redis holds nothing
FORGOTTEN = 5.0


def claim(
    connection: Connection, queue: str, *, lease: float, idle: bool, drained: bool = False
) -> list[chunks.Chunk]:
    """Claim for sending again what nobody works on; ask again until there is no more.

    Lost is what was taken and not renewed for `lease` seconds; what was sent, if one that was
    sent a minute later was taken before it; where Redis is `idle`, whatever was sent; and where
    it is `drained`, so that nothing waits, what was sent a lease ago: its receiver died first.
    """
    reasons = [and_(chunk.c.state == ChunkState.TAKEN, chunk.c.taken_at <= utc(lease))]
    sent = chunk.c.state == ChunkState.SENT
    if idle:
        reasons.append(and_(sent, chunk.c.sent_at <= utc(FORGOTTEN)))
    if drained:
        reasons.append(and_(sent, chunk.c.sent_at <= utc(lease)))
    if overtaking := _last_taken(connection, queue):
        reasons.append(and_(sent, chunk.c.sent_at <= earlier(overtaking, OVERTAKEN)))
    found = connection.execute(
        select(chunk.c.id, chunk.c.state, chunk.c.sent_at, chunk.c.taken_at)
        .join(batch)
        .where(text(UNDER_WAY), or_(*reasons), *chunks.alive(queue))
    )
    # Sorted here: asked for order, SQLite would rather walk through every chunk there ever was.
    return chunks.claim(
        connection, [(seen.id, _as_seen(*seen[1:])) for seen in sorted(found)[: chunks.MOST]]
    )


def _as_seen(state: str, sent_at: str | None, taken_at: str | None) -> ColumnElement[bool]:
    """Nobody took, renewed, ended or sent it meanwhile."""
    return and_(chunk.c.state == state, chunk.c.sent_at == sent_at, chunk.c.taken_at == taken_at)


def _last_taken(connection: Connection, queue: str) -> str | None:
    """When the youngest chunk was sent that somebody took.

    Not one that was sent again: its first message may have come to light, out of turn.
    """
    ours = select(batch.c.id).where(batch.c.id == chunk.c.batch_id, batch.c.queue == queue)
    return connection.execute(
        select(chunk.c.sent_at)
        .where(
            chunk.c.sent_at.is_not(None),
            chunk.c.state.in_((ChunkState.TAKEN, ChunkState.DONE)),
            chunk.c.attempts == 1,
            ours.exists(),
        )
        .order_by(chunk.c.sent_at.desc())
        .limit(1)
    ).scalar()
