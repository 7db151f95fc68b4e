"""How much work waits: of a batch, so that its searches are not divided too far, and of others."""

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    ScalarSelect,
    Select,
    TextClause,
    bindparam,
    func,
    or_,
    select,
    text,
)

from storage.tables import NEW, UNDER_WAY, batch, chunk, search
from storage.values import ChunkState

_own = bindparam("batch", type_=Integer)
_queue = select(batch.c.queue).where(batch.c.id == _own).scalar_subquery()
_ready = [batch.c.queue == _queue, batch.c.ready == 1, batch.c.cancelled_at.is_(None)]
_chunks = select(chunk.c.id).join(batch).where(*_ready)


def _any_of(*conditions: ColumnElement[bool] | TextClause) -> ColumnElement[bool]:
    return _chunks.where(*conditions).exists()


def _number_of(chunks: Select[tuple[int]]) -> ScalarSelect[int]:
    some = chunks.limit(bindparam("most", type_=Integer)).subquery()
    return select(func.count()).select_from(some).scalar_subquery()


_of_batch = select(_number_of(select(chunk.c.id).where(chunk.c.batch_id == _own, text(NEW))))
# Two ranges instead of "<>": each is one seek in the index, past the chunks of the batch itself.
_others = select(
    or_(
        _any_of(text(NEW), chunk.c.batch_id < _own),
        _any_of(text(NEW), chunk.c.batch_id > _own),
        _any_of(text(UNDER_WAY), chunk.c.state == ChunkState.SENT, chunk.c.batch_id != _own),
    )
)
_all_new = _chunks.where(text(NEW))
_all_sent = _chunks.where(text(UNDER_WAY), chunk.c.state == ChunkState.SENT)
# Two counts instead of OR: each reads an index that holds no other chunks.
_in_queue = select(_number_of(_all_new) + _number_of(_all_sent))
_open_parts = select(search.c.open).where(search.c.id == bindparam("number"))


def chunks(connection: Connection, batch_id: int, most: int) -> int:
    """Return the number of new chunks of a batch, counting `most` at most."""
    values = {"batch": batch_id, "most": most}
    return int(connection.execute(_of_batch, values).scalar_one())


def in_queue(connection: Connection, batch_id: int, most: int) -> int:
    """Return the number of chunks that no process has taken yet, in the queue of a batch.

    It counts up to `most` new chunks and as many sent ones.
    """
    values = {"batch": batch_id, "most": most}
    return int(connection.execute(_in_queue, values).scalar_one())


def open_parts(connection: Connection, search_id: int) -> int:
    """Return the number of parts of a search that have not ended."""
    found = connection.execute(_open_parts, {"number": search_id}).scalar()
    return int(found or 0)


def others(connection: Connection, batch_id: int) -> bool:
    """Return whether chunks of other batches in the queue of this one wait for a process."""
    return bool(connection.execute(_others, {"batch": batch_id}).scalar_one())
