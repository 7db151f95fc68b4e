"""Rows of archived batches in temporary tables, from which all queries read them.

On one connection, temporary views replace the view `answers` and the table `solution`: they have
the rows of these and those that were loaded from files.  DuckDB reads the files, since it takes the
conditions of our queries as they are, and reads only the row groups and columns that it needs.
"""

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    Float,
    Integer,
    MetaData,
    String,
    Table,
)
from sqlalchemy.types import TypeEngine

from storage.answers import insert_columns
from storage.archive import arrow
from storage.errors import ArchiveUnreadable
from storage.tables import answer, fact, solution, summary
from storage.values import ANSWERS, SOLUTIONS
from storage.view import COLUMNS

#: rows that are loaded at a time
ROWS_AT_A_TIME = 10_000

#: the types of the columns of the view that are in no table
_TYPES: dict[str, TypeEngine[Any]] = {
    "batch": Integer(),
    "batch_name": String(),
    "extra": String(),
    "source": String(),
    "line": BigInteger(),
    "position": Integer(),
    "ms": Float(),
    "solved_at": DateTime(timezone=True),
}


def _type(name: str) -> TypeEngine[Any]:
    of_table = next((t.c[name] for t in (answer, summary, fact) if name in t.c), None)
    return _TYPES[name] if of_table is None else of_table.type


_own = MetaData()
#: the temporary table and its view for each content of files
_loaded = {
    ANSWERS: Table("archived_answers", _own, *(Column(name, _type(name)) for name in COLUMNS)),
    SOLUTIONS: Table("archived_solution", _own, *(Column(c.name, c.type) for c in solution.c)),
}
_views = {ANSWERS: "answers", SOLUTIONS: "solution"}


def load(
    connection: Connection, content: str, paths: Sequence[str], condition: str, order: str = ""
) -> None:
    """Load the rows of files that match a condition, or the first of them in an order.

    `order` is `ORDER BY` with `LIMIT`.  Rows loaded before are left out.  Raises ArchiveUnreadable.
    """
    into = _loaded[content]
    if not connection.dialect.has_table(connection, into.name):
        _create(connection)
    known = _known(connection, into)
    try:
        with duckdb.connect(":memory:") as files:
            rows = _with_all_columns(files, paths, into)
            query = f"SELECT * FROM ({rows}) AS {_views[content]} WHERE {condition} {order}"  # noqa: S608 # our own names
            found = files.sql(query, params={"paths": list(paths)})
            for batch in found.to_arrow_reader(ROWS_AT_A_TIME):
                _insert(connection, into, pa.Table.from_batches([batch]), known)
    except duckdb.Error as error:
        reason = str(error).partition("\n")[0]
        raise ArchiveUnreadable(f"archived answers cannot be read ({reason})") from error


def _with_all_columns(files: duckdb.DuckDBPyConnection, paths: Sequence[str], into: Table) -> str:
    """Return the query for all rows of files; columns that earlier releases had not are null."""
    names = "SELECT DISTINCT name FROM parquet_schema($paths)"
    found = {name for (name,) in files.execute(names, {"paths": list(paths)}).fetchall()}
    wanted = (one.name for one in into.columns)
    columns = ", ".join(name if name in found else f"NULL AS {name}" for name in wanted)
    return f"SELECT {columns} FROM read_parquet($paths, union_by_name = true)"  # noqa: S608 # our own names


def _create(connection: Connection) -> None:
    """Create the temporary tables and views, which live until the connection is closed."""
    connection.detach()
    schema = "main"
    if connection.dialect.name == "postgresql":
        schema = connection.exec_driver_sql("SELECT current_schema()").scalar_one()
    for content, table in _loaded.items():
        view, names = _views[content], ", ".join(table.c.keys())
        stored = f'SELECT {names} FROM "{schema}".{view}'  # noqa: S608 # our own names
        # The columns get the types of the view, on which the meaning of a comparison depends.
        for statement in (
            f"CREATE TEMPORARY TABLE {table.name} AS {stored} LIMIT 0",
            f"CREATE INDEX {table.name}_by_id ON {table.name} ({table.c[0].name})",
            f"CREATE TEMPORARY VIEW {view} AS {stored} UNION ALL SELECT {names} FROM {table.name}",  # noqa: S608 # our own names
        ):
            connection.exec_driver_sql(statement)
        if connection.dialect.name == "postgresql":  # else the role of queries could not read it
            connection.exec_driver_sql(f"GRANT SELECT ON pg_temp.{view} TO PUBLIC")


def _known(connection: Connection, table: Table) -> pa.Array:
    """Return the ids of the rows that were loaded before."""
    found: Any = connection.exec_driver_sql(f"SELECT {table.c[0].name} FROM {table.name}")  # noqa: S608 # our own names
    return pa.array(found.scalars(), pa.int64())


def _insert(connection: Connection, into: Table, found: pa.Table, known: pa.Array) -> None:
    new = found.filter(pc.invert(pc.is_in(found.column(0), known))) if len(known) else found
    if new.num_rows:
        is_sqlite = connection.dialect.name == "sqlite"  # PostgreSQL has times as such
        columns = [arrow.values(one) if is_sqlite else one.to_pylist() for one in new.columns]
        insert_columns(connection, into, columns)
