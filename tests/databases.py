"""New databases as copies of one that was migrated once, in a tenth of the time.

On PostgreSQL one database serves one test after another, which takes a fifth of the time again.
"""

import secrets
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from sqlalchemy import make_url

from storage.database import open_database
from storage.location import database_url

#: PostgreSQL's own template of new databases
BLANK = "template1"
#: what they hold changes when a test changes more than the rows of our tables
CATALOGS = ("class", "attribute", "proc", "operator", "namespace", "statistic", "db_role_setting")
SCHEMA = " UNION ALL ".join(
    f"SELECT count(*), sum(xmin::text::bigint) FROM pg_{catalog}" for catalog in CATALOGS
).encode()
END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()"""
#: bytes of all tables from which on deleted rows would slow down the next tests
MOST_BYTES = 4 << 20
SIZE = """SELECT sum(pg_total_relation_size(tablename::regclass)) FROM pg_tables
          WHERE schemaname = 'public'"""
RESTART = "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"

_numbers = count(1)


def create_file(file: Path) -> None:
    """Create an SQLite file with empty tables, and with a database id of its own."""
    file.write_bytes(_migrated_file())
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("UPDATE meta SET value = ? WHERE key = 'id'", (secrets.token_hex(8),))


@cache
def _migrated_file() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bullseye.db"
        open_database(database_url(str(file)), migrate=True).dispose()
        return file.read_bytes()


@contextmanager
def on_server(server: str, template: str = BLANK) -> Iterator[str]:
    """Create a database on a PostgreSQL server; drop it afterwards.  Yields its URL."""
    name = f"bullseye{next(_numbers)}"
    with _connected(server) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
        owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def migrated(server: str) -> Generator[str]:
    """Yield the URL of one database on a PostgreSQL server again and again, with empty tables.

    It is replaced by a new one after a test that changed more than the rows of our tables.
    """
    while True:
        with on_server(server) as url:
            open_database(url, migrate=True).dispose()
            with _connected(url) as owner:
                tables = [table for (table,) in owner.execute(TABLES)]
                first = {table: _rows(owner, table) for table in tables}
                is_unchanged = True
                while is_unchanged:
                    before = owner.execute(SCHEMA).fetchall()
                    yield url
                    owner.execute(END_OTHERS)
                    is_unchanged = owner.execute(SCHEMA).fetchall() == before
                    if is_unchanged:
                        _restore(owner, first)


def _connected(url: str) -> closing[psycopg.Connection]:
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return closing(psycopg.connect(plain, autocommit=True))


def _rows(owner: psycopg.Connection, table: str, most: int = 99) -> list[tuple[Any, ...]]:
    return owner.execute(f"SELECT * FROM {table} LIMIT {most}".encode()).fetchall()


def _restore(owner: psycopg.Connection, first: dict[str, list[tuple[Any, ...]]]) -> None:
    """Give all tables their first rows, and let their sequences begin again."""
    with owner.transaction():
        ((size,),) = owner.execute(SIZE).fetchall()
        if size > MOST_BYTES:
            owner.execute(f"TRUNCATE {', '.join(first)}".encode())
        else:  # a seventh of that time, since no file is created; whatever the order of tables
            owner.execute("SET LOCAL session_replication_role = replica")
            owner.execute("; ".join(f"DELETE FROM {table}" for table in first).encode())
        owner.execute(RESTART)
        for table, rows in first.items():
            for row in rows:
                places = ", ".join(["%s"] * len(row))
                owner.execute(f"INSERT INTO {table} VALUES ({places})".encode(), row)
