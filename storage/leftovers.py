"""What is left of a batch that nobody works on any more: put back, or taken apart."""

from sqlalchemy import ColumnElement, Connection, delete, select, update

from storage import answers
from storage.packing import decode
from storage.tables import chunk
from storage.values import ChunkState, Puzzle

_untouched = (chunk.c.attempts == 0) & (chunk.c.answered == 0)


def reopen(connection: Connection, batch_id: int) -> int:
    """Chunks that nobody took yet are new again; how many puzzles wait in them."""
    counts = connection.execute(
        update(chunk)
        .where(_open(batch_id), _untouched)
        .values(state=ChunkState.NEW, sent_at=None)
        .returning(chunk.c.count)
    ).scalars()
    return sum(counts)


def break_up(connection: Connection, batch_id: int) -> list[Puzzle]:
    """Remove the other chunks that are not done; their puzzles without an answer.

    Whoever still works on such a chunk finds it gone, and stores nothing.
    """
    texts = connection.execute(
        delete(chunk).where(_open(batch_id), ~_untouched).returning(chunk.c.puzzles)
    ).scalars()
    puzzles = [puzzle for text in texts for puzzle in decode(text)]
    before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
    return [puzzle for puzzle in puzzles if puzzle.id not in before]


def in_work(connection: Connection, batch_id: int) -> set[int]:
    """The puzzles of chunks that have some of their answers, but not all."""
    partial = select(chunk.c.puzzles).where(_open(batch_id), chunk.c.answered > 0)
    return {puzzle.id for text in connection.execute(partial).scalars() for puzzle in decode(text)}


def _open(batch_id: int) -> ColumnElement[bool]:
    return (chunk.c.batch_id == batch_id) & (chunk.c.state != ChunkState.DONE)
