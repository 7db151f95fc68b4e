"""A database that cannot be opened is reported within two seconds, in one line."""

import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import alembic.command  # noqa: F401 # so that no test measures its import
import pytest
from sqlalchemy import make_url, text

from storage.database import open_database, write
from storage.errors import (
    DatabaseMissing,
    DatabaseTooNew,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    StorageError,
)
from storage.location import database_url
from tests.services import PASSWORD, free_port
from tests.users import an_ordinary_user

#: seconds in which a command must report that there is no database, on a busy machine
REPORT_SECONDS = 20.0


def message_of(url: str, kind: type[StorageError], *, migrate: bool) -> str:
    """The text of the error that opening the database raises."""
    began = time.monotonic()
    with pytest.raises(kind) as caught:
        open_database(url, migrate=migrate)
    assert time.monotonic() - began < REPORT_SECONDS
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    return message


# --- SQLite ---


def test_a_missing_file_is_reported_and_not_created(file: str, tmp_path: Path) -> None:
    message = message_of(file, DatabaseMissing, migrate=False)
    assert message == f"no database at {tmp_path}/bullseye.db yet: solve or submit something first"
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_tables_is_reported(url: str) -> None:
    if url.startswith("sqlite"):
        Path(make_url(url).database or "").touch()
    assert "solve or submit something first" in message_of(url, DatabaseMissing, migrate=False)


@pytest.mark.parametrize("migrate", [True, False])
def test_a_file_that_is_not_a_database_is_unchanged(tmp_path: Path, *, migrate: bool) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("1" * 5000)
    message = message_of(database_url(str(file)), DatabaseUnreachable, migrate=migrate)
    assert "puzzles.txt is not an SQLite database" in message
    assert file.read_text() == "1" * 5000


@pytest.mark.parametrize("migrate", [True, False])
def test_a_folder_is_rejected(tmp_path: Path, *, migrate: bool) -> None:
    url = database_url(str(tmp_path))
    message = message_of(url, DatabaseUnreachable, migrate=migrate)
    assert "is a folder: name a file in it" in message


def test_a_path_through_a_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    url = database_url(str(tmp_path / "file" / "bullseye.db"))
    assert "cannot open" in message_of(url, DatabaseUnreachable, migrate=True)


def test_a_read_only_folder_is_named() -> None:
    with TemporaryDirectory(dir="/tmp") as folder:  # only root may enter pytest's folders
        Path(folder).chmod(0o555)
        url = database_url(f"{folder}/bullseye.db")
        with an_ordinary_user():
            message = message_of(url, DatabaseUnreachable, migrate=True)
        assert folder in message


@pytest.mark.parametrize("migrate", [True, False])
def test_a_database_of_another_program_is_unchanged(tmp_path: Path, *, migrate: bool) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE meta (x)")
    kind = DatabaseUnreachable if migrate else DatabaseMissing
    assert str(file) in message_of(database_url(str(file)), kind, migrate=migrate)
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("meta",)]


@pytest.mark.parametrize("migrate", [True, False])
def test_a_newer_schema_is_rejected(url: str, *, migrate: bool) -> None:
    engine = open_database(url, migrate=True)
    with write(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    engine.dispose()
    assert "written by a newer Bullseye" in message_of(url, DatabaseTooNew, migrate=migrate)


# --- URLs and PostgreSQL ---


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite://", "must be a file"),
        ("sqlite:///:memory:", "must be a file"),
        ("mysql://ada:secret@host/x", "not in mysql"),
        ("nothing://ada:secret@host/x", "not a valid database URL"),
        ("postgresql+psycopg2://ada:secret@localhost/x", "needs a driver"),
        ("postgresql+psycopg://ada:secret@host:port/x", "not a valid database URL"),
    ],
)
def test_other_urls_are_rejected_without_their_password(url: str, words: str) -> None:
    message = message_of(url, InvalidDatabaseUrl, migrate=True)
    assert words in message
    assert "secret" not in message


def test_a_refused_connection_is_reported_without_the_password() -> None:
    url = f"postgresql+psycopg://ada:secret@127.0.0.1:{free_port()}/x"
    message = message_of(url, DatabaseUnreachable, migrate=False)
    assert "refused" in message
    assert "ada:***@" in message
    assert "secret" not in message


def test_a_server_that_does_not_answer_is_reported_in_time() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        port = silent.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):  # fills the queue of connections
            url = f"postgresql+psycopg://ada@127.0.0.1:{port}/x"
            assert "timed out" in message_of(url, DatabaseUnreachable, migrate=False)


def test_a_wrong_password_is_reported(postgresql_url: str) -> None:
    url = make_url(postgresql_url).set(password="guess").render_as_string(hide_password=False)
    message = message_of(url, DatabaseUnreachable, migrate=False)
    assert "password authentication failed" in message
    assert "guess" not in message


def test_a_database_that_the_server_does_not_have_is_named(postgresql_url: str) -> None:
    url = make_url(postgresql_url).set(database="nowhere").render_as_string(hide_password=False)
    message = message_of(url, DatabaseUnreachable, migrate=False)
    assert '"nowhere" does not exist' in message
    assert PASSWORD not in message
