"""How much work of a batch waits: a search is divided no further than its processes need."""

from sqlalchemy import Connection, Integer, bindparam, func, select, text

from storage.tables import NEW, chunk, search

_some = (
    select(chunk.c.id)
    .where(chunk.c.batch_id == bindparam("batch"), text(NEW))
    .limit(bindparam("most", type_=Integer))
    .subquery()
)
_chunks = select(func.count()).select_from(_some)
_open_parts = select(search.c.open).where(search.c.id == bindparam("number"))


def chunks(connection: Connection, batch_id: int, most: int) -> int:
    """Return the number of new chunks of a batch, counting `most` at most."""
    values = {"batch": batch_id, "most": most}
    return int(connection.execute(_chunks, values).scalar_one())


def open_parts(connection: Connection, search_id: int) -> int:
    """Return the number of parts of a search that have not ended."""
    found = connection.execute(_open_parts, {"number": search_id}).scalar()
    return int(found or 0)
