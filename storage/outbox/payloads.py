"""The puzzles of chunks that are not done, packed as text."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, String, bindparam, delete, insert, update

from storage.database import Step
from storage.tables import payload

# Statements that run for every chunk are built once: building one takes longer than running it.
_of_chunk = payload.c.chunk_id == bindparam("number")
_replace = update(payload).where(_of_chunk).values(puzzles=bindparam("text", type_=String))
_remove = delete(payload).where(_of_chunk)


def add(connection: Connection, chunk_ids: Sequence[int], texts: Iterable[str]) -> None:
    """Insert the texts of new chunks, of which there is at least one."""
    rows = zip(chunk_ids, texts, strict=True)
    made = [{"chunk_id": id_, "puzzles": text} for id_, text in rows]
    connection.execute(insert(payload), made)


def replace(connection: Connection, chunk_id: int, text: str) -> None:
    """Replace the text of a chunk."""
    connection.execute(_replace, {"number": chunk_id, "text": text})


def remove(connection: Connection, chunk_id: int) -> None:
    """Delete the text of a chunk that is done."""
    connection.execute(*removal(chunk_id))


def removal(chunk_id: int) -> Step:
    """Return the statement of `remove`."""
    return _remove, {"number": chunk_id}
