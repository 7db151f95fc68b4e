"""The rows of a query as Arrow tables, which each database gives in its own way.

ADBC reads SQLite in half the time of Python's module, but has an SQLite library of its own.  A
process must not use two of them for one file at a time: where one closes the file, the operating
system releases the locks of the other.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyarrow import csv
from sqlalchemy import Connection

from storage.archive import arrow
from storage.archive.arrow import GROUP_SIZE, GroupSize
from storage.database import stream
from storage.errors import StorageError

#: the files that this process has open
_OPEN_FILES = Path("/proc/self/fd")
#: ms for which ADBC waits for a lock
_BUSY_MS = 30_000
#: bytes of CSV that are parsed at a time
_CSV_BYTES = 1 << 20


def row_groups(
    connection: Connection,
    query: str,
    schema: pa.Schema,
    size: GroupSize = GROUP_SIZE,
    *,
    only_here: bool = False,
) -> Generator[pa.Table]:
    """Yield the rows of a query without parameters as a table of these types for each row group.

    The connection is not to be used any more: it is closed if ADBC can read the file, which is then
    not open in this process.  If the query reads what is `only_here`, in temporary tables of the
    connection, it stays open.  Raises WrongType and StorageError.
    """
    if connection.dialect.name == "postgresql":
        return _typed(_copied(connection, query, schema), schema, size)
    path = connection.exec_driver_sql("PRAGMA database_list").all()[0].file
    if only_here or find_spec("adbc_driver_sqlite") is None or _times_open(path) != 1:
        return arrow.groups(arrow.tables(stream(connection, query), schema), size)
    connection.close()
    connection.engine.dispose()
    return _typed(_batches(path, query, schema), schema, size)


def _typed(found: Iterable[pa.Table], schema: pa.Schema, size: GroupSize) -> Generator[pa.Table]:
    """Yield the rows of tables as a table of these types for each row group."""
    try:
        for group in arrow.groups(found, size):
            yield group.cast(schema)
    except (OSError, pa.ArrowException) as error:  # such as a text in a column of numbers
        raise StorageError(f"the answers cannot be read ({error})") from error


def _copied(connection: Connection, query: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows that PostgreSQL copies as CSV, in which null differs from an empty text."""
    driver: Any = connection.connection.dbapi_connection  # psycopg's
    columns = csv.ConvertOptions(
        column_types=schema,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    with closing(driver.cursor()) as cursor, cursor.copy(f"COPY ({query}) TO STDOUT CSV") as rows:
        for text in _blocks(rows):
            read = csv.ReadOptions(
                use_threads=False, block_size=len(text), column_names=schema.names
            )
            parse = csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
            yield csv.read_csv(pa.BufferReader(pa.py_buffer(text)), read, parse, columns)


def _blocks(rows: Iterable[memoryview]) -> Iterator[bytearray]:
    """Yield texts of several rows; PostgreSQL sends each row as one message."""
    text = bytearray()
    for row in rows:
        text += row
        if len(text) > _CSV_BYTES:
            yield text
            text = bytearray()
    if text:
        yield text


def _times_open(path: str) -> int:
    """Return how often this process has a file open, and 0 if that cannot be known."""
    times = 0
    with suppress(OSError):
        for one in _OPEN_FILES.iterdir():
            with suppress(OSError):  # the folder itself was open
                times += one.samefile(path)
    return times


def _batches(path: str, query: str, schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows that ADBC reads in a file, with types of its own."""
    import adbc_driver_manager as adbc  # noqa: PLC0415 # it is optional
    from adbc_driver_sqlite import connect  # noqa: PLC0415

    try:
        with (
            connect(f"file:{quote(path)}?mode=rw") as file,
            adbc.AdbcConnection(file) as connection,
            adbc.AdbcStatement(connection) as statement,
        ):
            statement.set_sql_query(f"PRAGMA busy_timeout = {_BUSY_MS}")
            statement.execute_update()
            statement.set_options(**{"adbc.sqlite.query.batch_rows": str(arrow.ROWS_AT_A_TIME)})
            statement.set_sql_query(f"{_typed_row(schema)} UNION ALL SELECT * FROM ({query})")  # noqa: S608 # every part is checked
            found, _ = statement.execute_query()
            with pa.RecordBatchReader.from_stream(found) as batches:
                yield pa.Table.from_batches([next(batches).slice(1)])
                for batch in batches:
                    yield pa.Table.from_batches([batch])
    except adbc.Error as error:
        raise StorageError(f"{path}: {error}") from error


def _typed_row(schema: pa.Schema) -> str:
    """Return a query of one row with a value in each column, from which ADBC takes the types."""
    return "SELECT " + ", ".join(f"{_value(one.type)} AS {one.name}" for one in schema)


def _value(type_: pa.DataType) -> str:
    if pa.types.is_floating(type_):
        return "0.0"
    return "0" if pa.types.is_integer(type_) else "''"
