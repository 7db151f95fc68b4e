"""Solving a batch on this machine: what is left of it when it is interrupted."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage import batches
from storage.database import open_database, read, write
from tests.worker.conftest import add_file
from worker.intake.spool import new_spool
from worker.local.solve import solve
from worker.options import Options
from worker.settings import Settings

#: seconds after which a statement is interrupted that takes several times as long
INTERRUPTED_AFTER = 0.05
ROWS = 2_000_000


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Storing:
    """A backend whose only step is interrupted while SQLite stores many rows."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def step(self, engine: Engine) -> None:
        with write(engine) as connection:
            connection.exec_driver_sql("CREATE TABLE stored (number INTEGER)")
            rows = [(number,) for number in range(ROWS)]
            with interrupted_after(INTERRUPTED_AFTER):
                connection.exec_driver_sql("INSERT INTO stored VALUES (?)", rows)


def test_a_batch_is_cancelled_at_once_where_a_statement_was_interrupted(
    settings: Settings, tmp_path: Path
) -> None:
    own = replace(settings, database_url=f"sqlite:///{tmp_path / 'own.db'}")
    with new_spool() as spool:
        add_file(spool, "." * 81 + "\n", tmp_path)
        with pytest.raises(KeyboardInterrupt):
            solve(Storing(own), spool, Options(), name=None, watch=lambda *_: None)
    engine = open_database(own.database_url)
    with read(engine) as connection:
        assert batches.find(connection, 1).cancelled_at
    engine.dispose()
