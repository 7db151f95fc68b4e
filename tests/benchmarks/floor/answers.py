"""The floor of storing: the same answers, written to an equal table by the driver alone."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.benchmarks.floor.processes import cpu

#: rows of a transaction, as in a chunk
TRANSACTION_ROWS = 8192


class Rows(NamedTuple):
    """Answers in a database: the columns that have values, and these."""

    table: str  #: the statement that creates the table
    columns: Sequence[str]
    values: Sequence[tuple[Any, ...]]

    def transactions(self) -> Iterator[Sequence[tuple[Any, ...]]]:
        """Yield the values of each transaction."""
        for start in range(0, len(self.values), TRANSACTION_ROWS):
            yield self.values[start : start + TRANSACTION_ROWS]


def read(database: Path) -> Rows:
    """Return the answers of an SQLite file."""
    with closing(sqlite3.connect(database)) as connection:
        ((table,),) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'answer'")
        names = [row[1] for row in connection.execute("PRAGMA table_info(answer)")]
        counts = ", ".join(f"count({name})" for name in names)
        (used,) = connection.execute(f"SELECT {counts} FROM answer")
        columns = [name for name, count in zip(names, used, strict=True) if count]
        query = f"SELECT {', '.join(columns)} FROM answer ORDER BY id"
        return Rows(table, columns, connection.execute(query).fetchall())


def insert(rows: Rows, folder: Path) -> float:
    """Return the seconds of CPU that SQLite takes to store the rows in a new file."""
    path = folder / "floor.db"
    path.unlink(missing_ok=True)
    holes = ", ".join("?" * len(rows.columns))
    statement = f"INSERT INTO answer ({', '.join(rows.columns)}) VALUES ({holes})"
    with closing(sqlite3.connect(path)) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute(rows.table)
        began = time.process_time()
        for some in rows.transactions():
            with connection:
                connection.executemany(statement, some)
        return time.process_time() - began


def copy(rows: Rows, url: str) -> float:
    """Return the seconds of CPU that PostgreSQL's client and server take to copy the rows.

    The server must have been started by this process.
    """
    names = ", ".join(rows.columns)
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS floor")
        connection.execute("CREATE TABLE floor (LIKE answer, PRIMARY KEY (id))")
        began = cpu(os.getpid())
        for some in rows.transactions():
            with connection.cursor().copy(f"COPY floor ({names}) FROM STDIN") as stream:
                for row in some:
                    stream.write_row(row)
        return cpu(os.getpid()) - began
