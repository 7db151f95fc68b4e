"""What `doctor` and `submit` say of a database that can only be read, and of its role."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cli.database import publish
from cli.errors import Exit
from storage.database import open_database, read, write
from storage.location import database_url
from tests import databases
from tests.cli.doctor.test_doctor import check
from tests.storage.harness import QUEUE, Harness
from tests.users import an_ordinary_user
from worker.queue.dispatch import open_outbox
from worker.settings import Settings


@pytest.fixture
def read_only_server(postgresql_url: str) -> Iterator[str]:
    """The URL of a database that turned read-only, as one whose disk is full does."""
    with databases.on_server(postgresql_url) as url:
        engine = open_database(url, migrate=True)
        Harness(engine).submit(1)
        with write(engine) as connection:
            setting = "default_transaction_read_only = on"
            connection.exec_driver_sql(f"ALTER DATABASE {engine.url.database} SET {setting}")
        engine.dispose()
        yield url


@pytest.mark.attack
def test_a_server_that_only_reads_is_not_called_writable(read_only_server: str) -> None:
    found = check(Settings(read_only_server), "database")
    assert (found.state, found.exit) == ("fail", Exit.SOME_FAILED)
    assert "read-only" in found.found


@pytest.mark.attack
def test_a_file_that_only_reads_is_not_called_writable() -> None:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        Path(folder).chmod(0o777)
        file = Path(folder, "bullseye.db")
        databases.create_file(file)
        file.chmod(0o666)
        with an_ordinary_user():
            reader = open_database(database_url(str(file)))
            stack.callback(reader.dispose)
            stack.enter_context(read(reader))  # keeps the log open
        for path in (*Path(folder).iterdir(), Path(folder)):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with an_ordinary_user():
            found = check(Settings(database_url(str(file))), "database")
        assert (found.state, "read-only" in found.found) == ("fail", True)


def test_a_superuser_is_a_warning(postgresql_url: str) -> None:
    open_database(postgresql_url, migrate=True).dispose()
    found = check(Settings(postgresql_url), "role")
    assert (found.state, found.found.partition(",")[0]) == ("warn", "postgres is a superuser")


@pytest.mark.attack
def test_a_batch_that_is_stored_is_not_reported_as_a_failure(
    read_only_server: str, redis: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(read_only_server, redis, queue=QUEUE)
    engine = open_database(read_only_server)
    publish(open_outbox(settings, engine))
    engine.dispose()
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("warning: cannot write to postgresql")
    assert said.endswith("the batch is stored and will be solved when the database is back")
