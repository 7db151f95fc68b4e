"""The temporary tables of a submission that reuses answers."""

from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, String, Table, Text

_metadata = MetaData()


def temporary(name: str, *columns: Column[Any]) -> Table:
    """Return a temporary table."""
    return Table(name, _metadata, *columns, prefixes=["TEMPORARY"])


#: the submitted puzzles
wanted = temporary(
    "reuse_wanted",
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("label", String),
    Column("text", Text, nullable=False),
)
#: submitted puzzles, and answers to puzzles with the same hashes
candidate = temporary(
    "reuse_candidate",
    Column("position", Integer, nullable=False),
    Column("id", BigInteger, nullable=False),
)
#: the answer to a submitted puzzle, and what its copy needs besides
known = temporary(
    "reuse_known",
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("answer_id", BigInteger, nullable=False),
    Column("summary_id", BigInteger, nullable=False),
    Column("label", String),
    # Null where the answer is that of the puzzle itself, not of an equivalent one.
    Column("puzzle", Text),
    Column("solution", Text),
)
#: the summaries of answers, and those of their copies
replaced = temporary(
    "reuse_replaced",
    Column("original", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("summary_id", BigInteger, nullable=False),
)


def analyze(connection: Connection, table: str) -> None:
    """Let PostgreSQL know how large a temporary table is; SQLite joins in the stated order."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"ANALYZE {table}")
