"""Opening a database, and one sentence for everything that can be wrong with it."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.pool import NullPool

from storage.database import database_id, open_database, read, shown, write
from storage.errors import (
    DatabaseBusy,
    DatabaseMissing,
    DatabaseOutdated,
    DatabaseUnreachable,
    StorageError,
)
from storage.location import database_url
from tests.services import PASSWORD, free_port
from tests.storage.shop import Shop
from tests.users import an_ordinary_user

#: seconds within which a command must say that there is no database
PATIENCE = 2.0


def test_a_path_is_an_sqlite_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert database_url("~/x.db") == database_url("x.db") == f"sqlite:///{tmp_path}/x.db"


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "a?b.db", "a#b.db", "ä.db", "a@b:c.db"])
def test_a_path_may_hold_any_letter(tmp_path: Path, name: str) -> None:
    url = database_url(str(tmp_path / name))
    open_database(url, migrate=True).dispose()
    assert (tmp_path / name).is_file()
    assert shown(url) == str(tmp_path / name)
    assert database_url(url) == url


def test_a_url_is_left_as_it_is_but_for_the_name_hosting_services_use() -> None:
    assert database_url("sqlite:////x.db") == "sqlite:////x.db"
    assert database_url("postgres://ada@host/x") == "postgresql://ada@host/x"


def test_a_password_is_never_shown() -> None:
    assert shown("postgresql+psycopg://ada:secret@host/x") == "postgresql+psycopg://ada:***@host/x"


def test_a_new_database_is_made_with_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "bullseye.db"
    open_database(database_url(str(file)), migrate=True).dispose()
    assert file.is_file()


def test_a_database_keeps_its_random_name(url: str) -> None:
    names = set()
    for _ in range(2):
        engine = open_database(url, migrate=True)
        with read(engine) as connection:
            names.add(database_id(connection))
        engine.dispose()
    (name,) = names
    assert len(name) >= 16


def test_two_databases_have_two_names(tmp_path: Path) -> None:
    names = set()
    for file in ("a.db", "b.db"):
        engine = open_database(database_url(str(tmp_path / file)), migrate=True)
        with read(engine) as connection:
            names.add(database_id(connection))
        engine.dispose()
    assert len(names) == 2


@pytest.mark.parametrize("pool", [True, False])
def test_without_a_pool_no_connection_outlives_its_use(file: str, *, pool: bool) -> None:
    open_database(file, migrate=True).dispose()
    engine = open_database(file, pool=pool)
    assert isinstance(engine.pool, NullPool) is not pool
    engine.dispose()


def test_connections_to_sqlite_wait_check_keys_and_sync_at_checkpoints(file: str) -> None:
    open_database(file, migrate=True).dispose()
    engine = open_database(file, busy_seconds=7.0)
    wanted = {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 7000}
    wanted |= {"wal_autocheckpoint": 8000, "secure_delete": 0}
    with read(engine) as connection:
        for pragma, value in wanted.items():
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value
    engine.dispose()


def test_a_write_has_the_lock_from_its_beginning(on_sqlite: Shop) -> None:
    impatient = open_database(on_sqlite.engine.url.render_as_string(), busy_seconds=0.05)
    with (
        write(on_sqlite.engine),
        pytest.raises(DatabaseBusy, match="is locked by another"),
        write(impatient),
    ):
        pass
    with write(impatient):
        pass
    impatient.dispose()


def test_readers_do_not_wait_for_the_writer(on_sqlite: Shop) -> None:
    shop = Shop(open_database(on_sqlite.engine.url.render_as_string(), busy_seconds=0.0))
    with write(on_sqlite.engine):
        assert shop.answered() == []
    shop.engine.dispose()


def test_on_postgresql_too_a_lock_is_not_waited_for_forever(on_postgresql: Shop) -> None:
    place = on_postgresql.engine.url.render_as_string(hide_password=False)
    impatient = Shop(open_database(place, busy_seconds=0.05))
    with write(on_postgresql.engine) as connection:
        connection.execute(text("SELECT * FROM meta FOR UPDATE"))
        with pytest.raises(DatabaseBusy, match="is locked by another"):
            impatient.submit(1)
    impatient.engine.dispose()


def test_a_failed_transaction_leaves_nothing(shop: Shop) -> None:
    with pytest.raises(StorageError), write(shop.engine) as connection:
        connection.execute(text("UPDATE meta SET value = 'x'"))
        connection.execute(text("SELECT no_such_thing"))
    assert shop.submit(1).first_id == 1


# --- what is wrong ---


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    """Whatever is wrong is said soon; what is right does not take long either."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < 5 * PATIENCE  # other programs may keep the machine busy


def said(url: str, kind: type[StorageError], *, migrate: bool) -> str:
    """The one sentence of the error, said in time."""
    began = time.monotonic()
    with pytest.raises(kind) as caught:
        open_database(url, migrate=migrate)
    assert time.monotonic() - began < PATIENCE
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 300
    return sentence


def test_a_file_that_is_missing_is_made_by_solving(file: str, tmp_path: Path) -> None:
    sentence = said(file, DatabaseMissing, migrate=False)
    assert sentence == f"no database at {tmp_path}/bullseye.db yet: solve or submit something first"
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_tables_is_filled_by_solving(url: str) -> None:
    if url.startswith("sqlite"):
        Path(make_url(url).database or "").touch()
    assert "solve or submit something first" in said(url, DatabaseMissing, migrate=False)


@pytest.mark.parametrize("migrate", [True, False])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, *, migrate: bool) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("1" * 5000)
    url = database_url(str(file))
    assert "puzzles.txt is no SQLite database" in said(url, DatabaseUnreachable, migrate=migrate)
    assert file.read_text() == "1" * 5000


@pytest.mark.parametrize("migrate", [True, False])
def test_a_folder_is_no_database(tmp_path: Path, *, migrate: bool) -> None:
    url = database_url(str(tmp_path))
    assert "is a folder: name a file in it" in said(url, DatabaseUnreachable, migrate=migrate)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    url = database_url(str(tmp_path / "file" / "bullseye.db"))
    assert "cannot open" in said(url, DatabaseUnreachable, migrate=True)


def test_a_read_only_folder_is_named() -> None:
    with TemporaryDirectory(dir="/tmp") as folder:  # pytest's own lie where root alone may look
        Path(folder).chmod(0o555)
        with an_ordinary_user():
            told = said(database_url(f"{folder}/bullseye.db"), DatabaseUnreachable, migrate=True)
        assert folder in told


@pytest.mark.parametrize("migrate", [True, False])
def test_a_database_of_another_program_stays_as_it_was(tmp_path: Path, *, migrate: bool) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE meta (x)")
    kind = DatabaseUnreachable if migrate else DatabaseMissing
    assert str(file) in said(database_url(str(file)), kind, migrate=migrate)
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("meta",)]


@pytest.mark.parametrize("migrate", [True, False])
def test_a_database_of_a_newer_program_is_left_to_it(url: str, *, migrate: bool) -> None:
    engine = open_database(url, migrate=True)
    with write(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    engine.dispose()
    assert "written by a newer Bullseye" in said(url, DatabaseOutdated, migrate=migrate)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("mysql://ada:secret@host/x", "not in mysql"),
        ("nothing://ada:secret@host/x", "no database that Bullseye knows"),
        ("postgresql+psycopg2://ada:secret@localhost/x", ""),
        ("postgresql+psycopg://ada:secret@host:port/x", "no database that Bullseye knows"),
    ],
)
def test_another_kind_of_database_is_refused(url: str, words: str) -> None:
    sentence = said(url, DatabaseUnreachable, migrate=True)
    assert words in sentence
    assert "secret" not in sentence


def test_a_refused_connection_is_said_without_the_password() -> None:
    url = f"postgresql+psycopg://ada:secret@127.0.0.1:{free_port()}/x"
    sentence = said(url, DatabaseUnreachable, migrate=False)
    assert "refused" in sentence
    assert "ada:***@" in sentence
    assert "secret" not in sentence


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(0)
        port = silent.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):  # its only place is taken
            url = f"postgresql+psycopg://ada@127.0.0.1:{port}/x"
            assert "timed out" in said(url, DatabaseUnreachable, migrate=False)


def test_a_wrong_password_is_said_to_be_wrong(postgresql_url: str) -> None:
    url = make_url(postgresql_url).set(password="guess").render_as_string(hide_password=False)
    sentence = said(url, DatabaseUnreachable, migrate=False)
    assert "password authentication failed" in sentence
    assert "guess" not in sentence


def test_a_database_that_the_server_lacks_is_named(postgresql_url: str) -> None:
    url = make_url(postgresql_url).set(database="nowhere").render_as_string(hide_password=False)
    sentence = said(url, DatabaseUnreachable, migrate=False)
    assert '"nowhere" does not exist' in sentence
    assert PASSWORD not in sentence
