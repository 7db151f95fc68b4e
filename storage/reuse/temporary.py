"""The temporary tables of a submission that reuses answers."""

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, String, Table, Text

_metadata = MetaData()
#: the submitted puzzles
wanted = Table(
    "reuse_wanted",
    _metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("label", String),
    Column("text", Text, nullable=False),
    prefixes=["TEMPORARY"],
)
#: submitted puzzles, and answers to puzzles with the same hashes
candidate = Table(
    "reuse_candidate",
    _metadata,
    Column("position", Integer, nullable=False),
    Column("id", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
)
#: the answer to a submitted puzzle, and what its copy needs besides
known = Table(
    "reuse_known",
    _metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("answer_id", BigInteger, nullable=False),
    Column("summary_id", BigInteger, nullable=False),
    Column("label", String),
    prefixes=["TEMPORARY"],
)
#: the summaries of answers, and those of their copies
replaced = Table(
    "reuse_replaced",
    _metadata,
    Column("original", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("summary_id", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
)


def create(connection: Connection) -> None:
    """Create the tables, which are dropped when the connection is closed."""
    for table in (wanted, candidate, known, replaced):
        table.create(connection, checkfirst=False)
