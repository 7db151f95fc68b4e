"""The tables, and the view `answers` that people query.

A change here needs a migration beside it; a test holds the two against each other.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

#: the schema's version that this program reads and writes
REVISION = "0001"

#: puzzles are counted in 64 bits; SQLite's are that wide, but its row ids must be called INTEGER
_Id = BigInteger().with_variant(Integer, "sqlite")
#: what is in Redis or with a worker, never many; queries must say it in these very words
UNDER_WAY = "state IN ('sent', 'taken')"

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
)

batch = Table(
    "batch",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String),
    Column("source", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("options", Text, nullable=False),
    Column("puzzles", Integer, nullable=False),
    Column("first_id", _Id, nullable=False),
    Column("queue", String, nullable=False),
    Column("ready", SmallInteger, nullable=False),
    Column("created_at", String, nullable=False),
    Column("cancelled_at", String),
)

chunk = Table(
    "chunk",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("count", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("sent_at", String),
    Column("taken_at", String),
    Column("attempts", Integer, nullable=False),
    Column("done_at", String),
    Column("worker", String),
    Column("begun", _Id),
    Column("suspect", _Id),
    Column("puzzles", Text, nullable=False),  # last: SQLite reads through it to what is behind
    Index("chunk_of_batch", "batch_id", "state"),
    Index("chunk_by_sending", "sent_at"),
    Index(
        "chunk_under_way",
        "batch_id",
        sqlite_where=text(UNDER_WAY),
        postgresql_where=text(UNDER_WAY),
    ),
    # A number is never used twice: a late message must not meet a younger chunk.
    sqlite_autoincrement=True,
)

answer = Table(
    "answer",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("label", String),
    Column("kind", String, nullable=False),
    Column("size", Integer),
    Column("clues", Integer),
    Column("puzzle", Text, nullable=False),
    Column("status", String, nullable=False),
    Column("solutions", BigInteger),
    Column("complete", SmallInteger, nullable=False),
    Column("solution", Text),
    Column("score", BigInteger),
    Column("bound", BigInteger),
    Column("nodes", BigInteger),
    Column("ms", Float),
    Column("worker", String),
    Column("attempts", Integer, nullable=False),
    Column("solved_at", String, nullable=False),
    Column("detail", Text),
)

solution = Table(
    "solution",
    metadata,
    Column("answer_id", _Id, ForeignKey("answer.id"), primary_key=True, autoincrement=False),
    Column("rank", Integer, primary_key=True, autoincrement=False),
    Column("score", BigInteger),
    Column("text", Text, nullable=False),
)

#: the view's columns, in the order that people were promised
COLUMNS = (
    "id",
    "batch",
    "position",
    "label",
    "kind",
    "size",
    "clues",
    "puzzle",
    "status",
    "solutions",
    "complete",
    "solution",
    "score",
    "bound",
    "nodes",
    "ms",
    "worker",
    "attempts",
    "solved_at",
    "detail",
)

_SHOWN = ", ".join("batch_id AS batch" if name == "batch" else name for name in COLUMNS)

#: made last and dropped first by every migration: SQLite cannot alter a table under a view
CREATE_VIEW = f"CREATE VIEW answers AS SELECT {_SHOWN} FROM answer"  # noqa: S608 # our own names
DROP_VIEW = "DROP VIEW IF EXISTS answers"
