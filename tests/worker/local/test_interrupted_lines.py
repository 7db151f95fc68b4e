"""A signal at any line of a `solve`, SQLAlchemy's included, cancels the batch and nothing else."""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import Engine

from storage import signals
from storage.database import open_database, read
from storage.location import database_url
from storage.outbox import publishing
from tests import databases
from tests.worker.conftest import add_file
from worker.intake.spool import Spool
from worker.local import solve as local
from worker.options import Options
from worker.settings import Settings

pytestmark = pytest.mark.attack
LEFT = (
    "SELECT count(*) FROM batch LEFT JOIN meta ON key = 'owner ' || batch.id"
    " WHERE ready = 0 OR cancelled_at IS NULL OR key IS NOT NULL"
)


class Idle:
    """A backend that claims chunks, solves none, and fails in its second step."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.steps = 0

    def step(self, engine: Engine) -> None:
        self.steps += 1
        publishing.claim(engine, self.settings.queue, self.settings.room, most=1)
        if self.steps == 2:
            raise ZeroDivisionError


class Interrupter:
    """Sends this process SIGTERM at one of the lines that are executed once it is traced."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.lines = 0
        self.where = ""

    def __call__(self, frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if event == "line":
            self.lines += 1
            if self.lines == self.line:
                sys.settrace(None)
                self.where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
                os.kill(os.getpid(), signal.SIGTERM)
                return None
        return self


@pytest.fixture(autouse=True)
def _handled() -> None:
    """Handle SIGTERM as a command does."""
    signal.signal(signal.SIGTERM, lambda number, _: signals.interrupt(SystemExit(128 + number)))
    sys.unraisablehook = lambda dropped: signals.wait_again(dropped.exc_value)


@pytest.fixture
def spool(tmp_path: Path) -> Iterator[Spool]:
    with Spool() as spool:
        add_file(spool, "." * 81, tmp_path)
        yield spool


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        yield database_url(str(tmp_path / "bullseye.db"))
    else:
        with databases.on_server(request.getfixturevalue("postgresql_url")) as url:
            yield url


def interrupt(spool: Spool, engine: Engine, line: int) -> Interrupter:
    """Interrupt a `solve` at a line, if it has so many; check what it raises and leaves."""
    interrupter = Interrupter(line)
    url = engine.url.render_as_string(hide_password=False)
    given = (Idle(Settings(url, queue="private")), spool, Options())
    sys.settrace(interrupter)
    try:
        local.solve(*given, name=None, reuse=True, watch=lambda *_: None)
    except (SystemExit, ZeroDivisionError) as error:
        raised = error
    finally:
        sys.settrace(None)
    assert isinstance(raised, SystemExit) == bool(interrupter.where), interrupter.where
    with read(engine) as connection:
        assert connection.exec_driver_sql(LEFT).scalar() == 0, interrupter.where
    with pytest.raises(SystemExit):  # the next signal is not deferred
        os.kill(os.getpid(), signal.SIGTERM)
    return interrupter


@pytest.mark.parametrize("times", [20, pytest.param(2000, marks=pytest.mark.soak)])
@pytest.mark.timeout(1200)
def test_a_signal_at_any_line_of_a_solve_leaves_nothing(spool: Spool, url: str, times: int) -> None:
    engine = open_database(url, migrate=True)
    lines = interrupt(spool, engine, sys.maxsize).lines
    assert lines > 10_000
    chance = random.Random(times)
    for line in chance.sample(range(1, lines), times):
        interrupt(spool, engine, line)
    engine.dispose()
