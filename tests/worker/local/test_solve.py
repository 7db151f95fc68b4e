"""Solving a batch on this machine: in this process at first; and what an interruption leaves."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event

from storage import batches
from storage.database import open_database, read, write
from storage.errors import DatabaseBusy
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress
from storage.values import ChunkState
from tests.sudoku import grids, is_solution
from tests.worker.attempt.crew import queens
from tests.worker.conftest import add_file, submit
from worker.compiling import log
from worker.intake.spool import Spool
from worker.local.solve import HANDOVER_SECONDS, START_SECONDS, InProcess, solve, start_in_process
from worker.options import Options
from worker.settings import Settings

TIMEOUT_SECONDS = 60


class Idle:
    """A backend that does nothing."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.steps = 0

    def step(self, _engine: Engine) -> None:
        self.steps += 1


class Ticking:
    """A clock that advances at each reading."""

    def __init__(self, seconds: float) -> None:
        self.now = 0.0
        self._seconds = seconds

    def __call__(self) -> float:
        self.now += self._seconds
        return self.now


@pytest.fixture
def idle(settings: Settings) -> Idle:
    return Idle(settings)


@pytest.fixture
def no_backend() -> Callable[[], Idle]:
    def start() -> Idle:
        raise AssertionError("the backend was started")

    return start


def read_statuses(engine: Engine, batch: int) -> list[str]:
    with read(engine) as connection:
        return [answer.status for answer in select_answers(connection, batch=batch)]


def read_states(engine: Engine, batch: int) -> dict[ChunkState, int]:
    with read(engine) as connection:
        return {state: n for state, n in read_progress(connection, batch).chunks.items() if n}


def test_a_small_batch_is_solved_without_a_backend(
    settings: Settings, engine: Engine, tmp_path: Path, no_backend: Callable[[], Idle]
) -> None:
    puzzles = list(islice(grids(30, 30), 20))
    batch = submit(engine, "\n".join(puzzles), tmp_path).id
    in_process = InProcess(settings, 1, no_backend, clock=Ticking(0.0))
    while ChunkState.NEW in read_states(engine, batch):
        in_process.step(engine)
    with read(engine) as connection:
        answers = list(select_answers(connection, batch=batch))
    assert [answer.puzzle for answer in answers] == puzzles
    assert all(is_solution(answer.puzzle, answer.solution or "") for answer in answers)
    assert {answer.attempts for answer in answers} == {1}


def test_the_backend_is_started_while_a_puzzle_lasts(
    settings: Settings, engine: Engine, tmp_path: Path, idle: Idle
) -> None:
    batch = submit(engine, queens(9), tmp_path, Options(target=True, every=True)).id
    in_process = InProcess(settings, 1, lambda: idle, clock=Ticking(2 * START_SECONDS))
    in_process.step(engine)
    assert in_process.backend is idle
    assert read_statuses(engine, batch) == ["solved"]


def test_a_puzzle_that_lasts_longer_is_given_back_to_the_backend(
    settings: Settings, engine: Engine, tmp_path: Path, idle: Idle
) -> None:
    endless = Options(limit=None, keep=2, timeout=600)
    batch = submit(engine, next(grids(13, 4)), tmp_path, endless).id
    in_process = InProcess(settings, 1, lambda: idle, clock=Ticking(2 * HANDOVER_SECONDS))
    in_process.step(engine)
    assert in_process.backend is idle
    assert read_statuses(engine, batch) == []
    assert read_states(engine, batch) == {ChunkState.NEW: 1}
    in_process.step(engine)
    assert idle.steps == 1
    assert read_states(engine, batch) == {ChunkState.NEW: 1}


def test_a_search_that_lasts_is_divided_before_the_backend_would_begin_it_again(
    settings: Settings, engine: Engine, tmp_path: Path, no_backend: Callable[[], Idle]
) -> None:
    options = Options(limit=None, keep=2, timeout=20)
    batch = submit(engine, next(grids(13, 4)), tmp_path, options).id
    patient = replace(settings, budget=600.0)
    InProcess(patient, 1, no_backend, clock=Ticking(0.0)).step(engine)
    assert read_statuses(engine, batch) == []
    states = read_states(engine, batch)
    assert states[ChunkState.DONE] == 1
    assert states[ChunkState.NEW] > 1


@pytest.fixture
def reported() -> list[str]:
    return []


@pytest.fixture
def in_process(settings: Settings, reported: list[str]) -> Iterator[InProcess]:
    with start_in_process(settings, 2, reported.append) as started:
        yield started


def test_a_search_that_lasts_goes_on_in_the_processes_of_the_backend(
    in_process: InProcess, engine: Engine, tmp_path: Path
) -> None:
    batch = submit(engine, queens(15), tmp_path, Options(limit=None, keep=2, timeout=600)).id
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not read_statuses(engine, batch):
        assert time.monotonic() < deadline
        in_process.step(engine)
    with read(engine) as connection:
        (answer,) = select_answers(connection, batch=batch)
    assert (answer.solutions, answer.complete) == (2_279_184, True)
    assert in_process.backend is not None


def test_a_backend_that_is_given_is_used_and_no_other_is_started(
    settings: Settings, engine: Engine, tmp_path: Path, idle: Idle, no_backend: Callable[[], Idle]
) -> None:
    endless = Options(limit=None, keep=2, timeout=600)
    batch = submit(engine, next(grids(13, 4)), tmp_path, endless).id
    in_process = InProcess(settings, 1, no_backend, idle, clock=Ticking(2 * HANDOVER_SECONDS))
    in_process.step(engine)
    assert read_states(engine, batch) == {ChunkState.NEW: 1}
    in_process.step(engine)
    assert idle.steps == 1


def test_a_database_that_is_full_is_waited_for(
    in_process: InProcess, reported: list[str], engine: Engine, tmp_path: Path
) -> None:
    batch = submit(engine, next(grids(13, 30)), tmp_path).id
    full = iter([DatabaseBusy("no disk space left")])

    @event.listens_for(engine, "begin")
    def fail_once(_connection: Connection) -> None:
        if error := next(full, None):
            raise error

    in_process.step(engine)
    assert reported == ["waiting: no disk space left"]
    assert read_statuses(engine, batch) == ["solved"]


def test_the_reasons_for_which_this_process_waits_are_reported(
    in_process: InProcess, reported: list[str]
) -> None:
    log.logger.warning("-", extra={"reason": "the disk is full"})
    log.logger.warning("without a reason")
    assert reported == ["waiting: the disk is full"]
    assert in_process.backend is None


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
