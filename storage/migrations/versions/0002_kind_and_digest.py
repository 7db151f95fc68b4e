"""Chunks name the kind of their puzzles and a digest of them.

A chunk of an earlier release may hold puzzles of both kinds; it is split in two.
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

CREATE_VIEW = (
    "CREATE VIEW answers AS SELECT id, batch_id AS batch, position, label, kind, size, clues, "
    "puzzle, status, solutions, complete, solution, score, bound, nodes, ms, worker, attempts, "
    "solved_at, detail FROM answer"
)

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
chunk = sa.table(
    "chunk",
    sa.column("id", sa.Integer),
    sa.column("batch_id", sa.Integer),
    sa.column("count", sa.Integer),
    sa.column("answered", sa.Integer),
    sa.column("bytes", sa.Integer),
    sa.column("state", sa.String),
    sa.column("attempts", sa.Integer),
    sa.column("puzzles", sa.Text),
    sa.column("kind", sa.String),
    sa.column("digest", sa.String),
)
answer = sa.table("answer", sa.column("id", Id))

#: a row of a chunk: id, position, label and text of a puzzle
Puzzle = list[Any]


def upgrade() -> None:
    op.execute("DROP VIEW answers")
    for name in ("kind", "digest"):
        op.add_column("chunk", sa.Column(name, sa.String, nullable=False, server_default=""))
    connection = op.get_bind()
    unfinished = sa.select(chunk.c.id).where(chunk.c.state != "done").order_by(chunk.c.id)
    for chunk_id in connection.execute(unfinished).scalars().all():
        _complete(connection, chunk_id)
    op.execute(CREATE_VIEW)


def downgrade() -> None:
    op.execute("DROP VIEW answers")
    for name in ("kind", "digest"):
        op.drop_column("chunk", name)
    op.execute(CREATE_VIEW)


def _complete(connection: sa.Connection, chunk_id: int) -> None:
    """Give a chunk its kind and digest; move its cover problems to a new one if it has both."""
    row = connection.execute(sa.select(chunk).where(chunk.c.id == chunk_id)).one()
    puzzles: list[Puzzle] = json.loads(row.puzzles)
    covers = [puzzle for puzzle in puzzles if puzzle[3].startswith("{")]
    this = sa.update(chunk).where(chunk.c.id == chunk_id)
    if not covers or len(covers) == len(puzzles):
        kind = "cover" if covers else "sudoku"
        connection.execute(this.values(kind=kind, digest=_digest(row.puzzles)))
        return
    grids = [puzzle for puzzle in puzzles if not puzzle[3].startswith("{")]
    connection.execute(this.values(_values(connection, "sudoku", grids)))
    new = {"batch_id": row.batch_id, "state": "new", "attempts": 0}
    connection.execute(sa.insert(chunk).values(new | _values(connection, "cover", covers)))


def _values(connection: sa.Connection, kind: str, puzzles: list[Puzzle]) -> dict[str, Any]:
    text = json.dumps(puzzles, separators=(",", ":"))
    return {
        "kind": kind,
        "count": len(puzzles),
        "answered": _answered(connection, [puzzle[0] for puzzle in puzzles]),
        "bytes": len(text),
        "puzzles": text,
        "digest": _digest(text),
    }


def _answered(connection: sa.Connection, ids: list[int]) -> int:
    between = answer.c.id.between(min(ids), max(ids))
    found = connection.execute(sa.select(answer.c.id).where(between)).scalars()
    return len(set(found) & set(ids))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
