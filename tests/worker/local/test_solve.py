"""Solving a batch on this machine: what is left of it when it is interrupted."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage import batches
from storage.database import open_database, read, write
from tests.worker.conftest import add_file
from worker.intake.spool import Spool
from worker.local.solve import solve
from worker.options import Options
from worker.settings import Settings


class Storing:
    """A backend whose only step is interrupted while it writes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def step(self, engine: Engine) -> None:
        with write(engine) as connection:
            connection.exec_driver_sql("CREATE TABLE stored (number INTEGER)")
            os.kill(os.getpid(), signal.SIGINT)
            connection.exec_driver_sql("INSERT INTO stored VALUES (1)")


def test_an_interrupted_transaction_is_completed_before_its_batch_is_cancelled(
    settings: Settings, tmp_path: Path
) -> None:
    own = replace(settings, database_url=f"sqlite:///{tmp_path / 'own.db'}")
    with Spool() as spool:
        add_file(spool, "." * 81 + "\n", tmp_path)
        with pytest.raises(KeyboardInterrupt):
            solve(Storing(own), spool, Options(), name=None, watch=lambda *_: None)
    engine = open_database(own.database_url)
    with read(engine) as connection:
        assert batches.find(connection, 1).cancelled_at
        assert connection.exec_driver_sql("SELECT number FROM stored").all() == [(1,)]
    engine.dispose()
