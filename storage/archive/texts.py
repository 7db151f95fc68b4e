"""The texts of a query with one column in UTF-8, those of several rows as one.

ADBC reads SQLite in half the time of Python's module, but has an SQLite library of its own.  A
process must not use two of them for one file at a time: where one closes the file, the operating
system releases the locks of the other.
"""

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sqlalchemy import Connection

from storage.database import stream
from storage.errors import StorageError

T = TypeVar("T")

#: rows that are read at a time
ROWS_AT_A_TIME = 1000
#: the least bytes of a text, apart from the last: a thread pays off for longer texts only
BYTES_AT_A_TIME = 4 << 20
#: those of ADBC, which are optional
_PACKAGES = ("adbc_driver_sqlite", "pyarrow")
#: the files that this process has open
_OPEN_FILES = Path("/proc/self/fd")
#: ms for which ADBC waits for a lock
_BUSY_MS = 30_000


def texts(connection: Connection, query: str, *, many: bool = True) -> Generator[bytes]:
    """Yield the texts of a query without parameters, none of which is null.

    If they are `many`, ADBC reads them where it can, and the connection is not to be used any more:
    it is closed, since the file must not be open in this process.  The query must then read no
    temporary tables.  Raises StorageError.
    """
    if many and connection.dialect.name == "sqlite" and all(map(find_spec, _PACKAGES)):
        path = connection.exec_driver_sql("PRAGMA database_list").all()[0].file
        if _times_open(path) == 1:
            connection.close()
            connection.engine.dispose()
            return ahead(_joined(_read(path, query)))
    return of_rows(stream(connection, query))


def of_rows(rows: Generator[Sequence[str]]) -> Generator[bytes]:
    """Yield the texts of rows that have one each."""
    return _joined(_of_some(rows))


def _of_some(rows: Generator[Sequence[str]]) -> Generator[bytes]:
    with closing(rows):
        each = chain.from_iterable(rows)
        while text := "".join(islice(each, ROWS_AT_A_TIME)):
            yield text.encode()


def _joined(some: Generator[bytes]) -> Generator[bytes]:
    with closing(some):
        found, size = list[bytes](), 0
        for text in some:
            found.append(text)
            size += len(text)
            if size > BYTES_AT_A_TIME:
                yield b"".join(found)
                found, size = [], 0
        if found:
            yield b"".join(found)


def ahead(values: Generator[T]) -> Generator[T]:
    """Yield the same values; another thread computes the next one meanwhile."""
    with closing(values), ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, values, None)
        while (value := coming.result()) is not None:
            coming = thread.submit(next, values, None)
            yield value


def _times_open(path: str) -> int:
    """Return how often this process has a file open, and 0 if that cannot be known."""
    times = 0
    with suppress(OSError):
        for one in _OPEN_FILES.iterdir():
            with suppress(OSError):  # the folder itself was open
                times += one.samefile(path)
    return times


def _read(path: str, query: str) -> Generator[bytes]:
    """Yield the texts that ADBC reads in a file."""
    import adbc_driver_manager as adbc  # noqa: PLC0415 # it is optional
    import pyarrow as pa  # noqa: PLC0415
    from adbc_driver_sqlite import connect  # noqa: PLC0415

    from storage.archive.arrow import text_of  # noqa: PLC0415

    try:
        with (
            connect(f"file:{quote(path)}?mode=rw") as file,
            adbc.AdbcConnection(file) as connection,
            adbc.AdbcStatement(connection) as statement,
        ):
            statement.set_sql_query(f"PRAGMA busy_timeout = {_BUSY_MS}")
            statement.execute_update()
            statement.set_options(**{"adbc.sqlite.query.batch_rows": str(ROWS_AT_A_TIME)})
            statement.set_sql_query(query)
            found, _ = statement.execute_query()
            with pa.RecordBatchReader.from_stream(found) as batches:
                for batch in batches:
                    yield text_of(batch.column(0)).to_pybytes()
    except adbc.Error as error:
        raise StorageError(f"{path}: {error}") from error
