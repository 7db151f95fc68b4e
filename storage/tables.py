"""The tables, and the views that users query.

Every change needs a migration; a test compares the migrated schema with this one.  A migration
drops a view before it alters a table that the view reads, as SQLite requires.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

from storage.values import WRONG_ANSWER

#: the version of the schema that this program reads and writes
REVISION = "0003"
#: what a small chunk, and one of the usual size costs its batch; see `storage.outbox.stride`
LEAST_COST, FULL_COST = 1, 8
#: the type of a puzzle's id: 64 bits; SQLite requires INTEGER for the alias of a row id
_Id = BigInteger().with_variant(Integer, "sqlite")
# Conditions of partial indexes, which SQLite uses only for queries that contain the same text.
# They are in `info`, for tests: an option of PostgreSQL would load its dialect at every start.
#: chunks that are in Redis or leased, of which there are few
UNDER_WAY = "state IN ('sent', 'taken')"
#: chunks that wait to be sent, and those of them that are parts of a search
NEW, NEW_PARTS = "state = 'new'", "state = 'new' AND count = 0"
#: batches that take turns
ACTIVE = "active = 1"
#: answers that a check found wrong
REFUSED = f"substr(detail, 1, {len(WRONG_ANSWER)}) = '{WRONG_ANSWER}'"
#: searches and parts that have not ended
OPEN = "ended_at IS NULL"
#: the value of `batch.active` while a batch is paused
PAUSED = 2

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
    Column("priority", String, nullable=False, server_default="normal"),
    Column("served", BigInteger, nullable=False, server_default="0"),
    Column("active", SmallInteger, nullable=False, server_default="1"),
    Index("batch_in_turn", "queue", "served", "id", info={"where": ACTIVE}),
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
    # Chunks that were done in release 0.1.0 have "" in these two.
    Column("kind", String, nullable=False, server_default=""),
    Column("digest", String, nullable=False, server_default=""),
    Column("cost", SmallInteger, nullable=False, server_default=text(str(FULL_COST))),
    Index("chunk_of_batch", "batch_id", "state"),
    Index("chunk_by_sending", "sent_at"),
    Index("chunk_under_way", "batch_id", info={"where": UNDER_WAY}),
    # The columns include those of the conditions, so that SQLite prefers these two to
    # `chunk_of_batch`; the first has all that the choice of chunks needs.
    Index("chunk_new", "state", "batch_id", "id", "count", "bytes", "cost", info={"where": NEW}),
    Index("chunk_new_parts", "batch_id", "state", "count", info={"where": NEW_PARTS}),
    # AUTOINCREMENT: ids are never reused, so a late message cannot refer to another chunk.
    sqlite_autoincrement=True,
)

# Apart from the chunk, which is updated several times: SQLite writes the whole row each time.
payload = Table(
    "payload",
    metadata,
    Column("chunk_id", Integer, ForeignKey("chunk.id"), primary_key=True, autoincrement=False),
    Column("puzzles", Text, nullable=False),
)

answer = Table(
    "answer",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    # Not a foreign key: with each summary that is deleted, SQLite would read all answers.
    Column("summary_id", _Id, nullable=False),
    # Numbers first: PostgreSQL begins each at a multiple of its size.
    Column("solutions", BigInteger),
    Column("score", BigInteger),
    Column("bound", BigInteger),
    Column("nodes", BigInteger),
    Column("ns", BigInteger),
    Column("clues", Integer),
    Column("label", String),
    Column("puzzle", Text, nullable=False),
    Column("solution", Text),
    Column("detail", Text),
    Column("solutions_text", String),
    Column("option_counts", Text),
    Index("answer_refused", "summary_id", info={"where": REFUSED}),
)

summary = Table(
    "summary",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("worker", String),
    Column("status", String, nullable=False),
    Column("complete", SmallInteger, nullable=False),
    Column("solutions", SmallInteger),
    Column("first_id", _Id, nullable=False),
    Column("last_id", _Id, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("timed", Integer, nullable=False),
    Column("total_ms", Float, nullable=False),
    Column("max_ms", Float),
    Column("max_nodes", BigInteger),
    Column("max_score", BigInteger),
    Column("grids", Integer, nullable=False),
    Column("unguessed", Integer, nullable=False),
    Column("last_at", String, nullable=False),
    Column("details", LargeBinary, nullable=False),
    Column("kind", String, nullable=False),
    Column("size", Integer),
    Column("attempts", Integer, nullable=False),
    Index("summary_of_batch", "batch_id"),
)

fingerprint = Table(
    "fingerprint",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("first_id", _Id, nullable=False),
    Column("hashes", LargeBinary, nullable=False),
    Column("offsets", LargeBinary),
    Index("fingerprint_of_batch", "batch_id"),
)

solution = Table(
    "solution",
    metadata,
    Column("answer_id", _Id, ForeignKey("answer.id"), primary_key=True, autoincrement=False),
    Column("rank", Integer, primary_key=True, autoincrement=False),
    Column("score", BigInteger),
    Column("text", Text, nullable=False),
)

# Apart from the answer: stored before it, by `submit`, and most puzzles have none.
extra = Table(
    "extra",
    metadata,
    Column("answer_id", _Id, primary_key=True, autoincrement=False),
    Column("data", Text, nullable=False),
)

# Where puzzles are in the input: those after the first follow in equal steps, up to the next row.
origin = Table(
    "origin",
    metadata,
    Column("first_id", _Id, primary_key=True, autoincrement=False),
    Column("source", String),  # null: the batch has one input
    Column("line", BigInteger),  # null in batches of release 0.2.0
    Column("step", Integer, nullable=False),
)

# Apart from the answer: only batches with `--classes` or `--facts` have rows.
fact = Table(
    "fact",
    metadata,
    Column("answer_id", _Id, primary_key=True, autoincrement=False),
    Column("class", BigInteger),
    Column("canonical", Text),
    Column("grid_class", BigInteger),
    Column("automorphisms", BigInteger),
    Column("minimal", Integer),
    Column("redundant", Text),
    *(Column(name, Integer) for name in ("placed", "candidates", "depth", "backdoor")),
)

search = Table(
    "search",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=False),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("label", String),
    Column("kind", String, nullable=False),
    Column("size", Integer),
    Column("clues", Integer),
    Column("puzzle", Text, nullable=False),
    Column("setup", Text, nullable=False),
    Column("estimate", Text),
    Column("began_at", String, nullable=False),
    Column("worked_at", String, nullable=False),
    Column("elapsed", Float, nullable=False),
    Column("parts", Integer, nullable=False),
    Column("open", Integer, nullable=False),
    Column("share", Float, nullable=False),
    Column("progress", Float, nullable=False),
    # Counts may exceed 64 bits, so they are decimal text.
    Column("solutions", String, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("ns", BigInteger, nullable=False),
    Column("bound", BigInteger),
    Column("first_solutions", String, nullable=False),
    Column("first_nodes", BigInteger, nullable=False),
    Column("ended_at", String),
    Index("search_open", "batch_id", info={"where": OPEN}),
)

part = Table(
    "part",
    metadata,
    Column("chunk_id", Integer, ForeignKey("chunk.id"), primary_key=True, autoincrement=False),
    Column("search_id", _Id, ForeignKey("search.id"), nullable=False),
    Column("share", Float, nullable=False),
    Column("bound", BigInteger),
    Column("turns", Integer, nullable=False),
    Column("solutions", String, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("ns", BigInteger, nullable=False),
    Column("ended_at", String),
    Column("detail", Text),
    Column("path", LargeBinary),
    Index("part_open", "search_id", "bound", info={"where": OPEN}),
)

candidate = Table(
    "candidate",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("search_id", _Id, ForeignKey("search.id"), nullable=False),
    Column("score", BigInteger),
    Column("path", LargeBinary, nullable=False),
    Column("text", Text, nullable=False),
    Index("candidate_of_search", "search_id", "score"),
)

search_worker = Table(
    "search_worker",
    metadata,
    Column("search_id", _Id, ForeignKey("search.id"), primary_key=True, autoincrement=False),
    Column("worker", String, primary_key=True),
    Column("turns", Integer, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("last_at", String),
)

archive = Table(
    "archive",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("path", Text, nullable=False),
    Column("content", String, nullable=False),
    Column("rows", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("checksum", String, nullable=False),
    Column("archived_at", String, nullable=False),
)

#: the views that migrations create
VIEWS = ("answers", "summaries")
#: joins answers to their summary, which tells where they are
OF_SUMMARY = (answer.c.summary_id == summary.c.id) & answer.c.id.between(
    summary.c.first_id, summary.c.last_id
)
