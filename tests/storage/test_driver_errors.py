"""Errors of the drivers in running transactions leave as one of ours, chosen by their code."""

from pathlib import Path

import pytest
from sqlalchemy import text

from storage.database import open_database, read, together, write
from storage.errors import DatabaseBusy, DatabaseMissing, DatabaseUnreachable, StorageError
from tests.storage.harness import Harness


def test_sqlites_write_lock_is_requested_when_the_transaction_begins(on_sqlite: Harness) -> None:
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


def test_a_lock_of_postgresql_is_waited_for_no_longer_than_busy_seconds(
    on_postgresql: Harness,
) -> None:
    url = on_postgresql.engine.url.render_as_string(hide_password=False)
    impatient = Harness(open_database(url, busy_seconds=0.05))
    with write(on_postgresql.engine) as connection:
        connection.execute(text("SELECT * FROM meta FOR UPDATE"))
        with pytest.raises(DatabaseBusy, match="is locked by another"):
            impatient.submit(1)
        with (
            pytest.raises(DatabaseBusy, match="is locked by another"),
            write(impatient.engine, pipelined=True) as waiting,
        ):
            waiting.execute(text("UPDATE meta SET value = 'x'"))
    impatient.engine.dispose()


def test_a_deleted_sqlite_file_is_reported_as_such(
    on_sqlite: Harness,
) -> None:
    file = Path(on_sqlite.engine.url.database or "")
    on_sqlite.engine.dispose()
    file.unlink()
    with pytest.raises(DatabaseUnreachable, match="is no longer there: put it back"):
        on_sqlite.submit(1)


def test_a_dropped_table_of_postgresql_is_reported_as_missing(on_postgresql: Harness) -> None:
    with write(on_postgresql.engine) as connection:
        connection.execute(text("DROP TABLE meta"))
    with pytest.raises(DatabaseMissing, match="has no Bullseye tables yet"):
        on_postgresql.submit(1)


def test_a_terminated_postgresql_session_is_reported_as_unreachable(
    on_postgresql: Harness,
) -> None:
    with (
        pytest.raises(DatabaseUnreachable, match="cannot reach the database"),
        write(on_postgresql.engine) as connection,
    ):
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))


def test_a_session_that_is_terminated_within_a_pipelined_transaction_is_reported_as_unreachable(
    on_postgresql: Harness,
) -> None:
    with (
        pytest.raises(DatabaseUnreachable, match="cannot reach the database"),
        write(on_postgresql.engine, pipelined=True) as connection,
    ):
        (rows,) = together(connection, (text("SELECT pg_backend_pid()"), {}))
        with write(on_postgresql.engine) as other:
            other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": rows[0][0]})
        connection.execute(text("UPDATE meta SET value = 'x'"))
    assert on_postgresql.submit(1).first_id == 1


def test_any_other_error_keeps_the_drivers_text(harness: Harness) -> None:
    with (
        pytest.raises(StorageError, match="no_such_thing") as caught,
        read(harness.engine) as connection,
    ):
        connection.execute(text("SELECT no_such_thing"))
    assert type(caught.value) is StorageError
