import gc
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Engine

from storage.database import read
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress
from storage.values import ChunkState
from tests.end_to_end.bullseye import ROOT
from tests.sudoku import grids, is_solution
from tests.worker.attempt.crew import queens
from tests.worker.conftest import submit
from worker import garbage
from worker.compiling import log
from worker.local.pool import Pool
from worker.options import Options
from worker.settings import Settings
from worker.sudoku.entries import solve_in_lanes

TIMEOUT_SECONDS = 60
#: prints the signals that are blocked in a process of the first pool of a program
BLOCKED = """
import signal, sys
from worker.local.pool import Pool
from worker.settings import Settings
pool = Pool(Settings(sys.argv[1]), 1, print)
blocked = pool.executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
print(*sorted(signal.Signals(number).name for number in blocked))
pool.close()
"""


@pytest.fixture
def pool(settings: Settings) -> Iterator[Pool]:
    with closing(Pool(settings, 1, print)) as pool:
        yield pool


@pytest.mark.attack
def test_what_a_terminal_sends_to_all_processes_does_not_reach_those_of_the_pool(
    settings: Settings,
) -> None:
    command = [sys.executable, "-c", BLOCKED, settings.database_url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("SIGHUP SIGINT\n", "")


class Found(NamedTuple):
    """The columns of an answer that the tests compare."""

    puzzle: str
    status: str
    solution: str


def step_until(pool: Pool, engine: Engine, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        pool.step(engine)


def found(engine: Engine, batch: int) -> list[Found]:
    with read(engine) as connection:
        return [
            Found(answer.puzzle, answer.status, answer.solution or "")
            for answer in select_answers(connection, batch=batch)
        ]


def test_a_pool_solves_every_puzzle(pool: Pool, engine: Engine, tmp_path: Path) -> None:
    puzzles = list(islice(grids(30, 30), 20))
    batch = submit(engine, "\n".join(puzzles), tmp_path).id
    step_until(pool, engine, lambda: len(found(engine, batch)) == 20)
    answers = found(engine, batch)
    assert [answer.puzzle for answer in answers] == puzzles
    assert {answer.status for answer in answers} == {"solved"}
    assert all(is_solution(answer.puzzle, answer.solution) for answer in answers)


def test_all_processes_of_a_pool_start_before_the_first_chunk(settings: Settings) -> None:
    with closing(Pool(settings, 3, print)):
        assert len(multiprocessing.active_children()) == 3


def test_chunks_of_a_process_that_died_are_answered_by_another(
    pool: Pool, engine: Engine, tmp_path: Path
) -> None:
    slow = Options(limit=None, timeout=0.3)
    batch = submit(engine, "\n".join(islice(grids(31, 3), 3)), tmp_path, slow).id
    step_until(pool, engine, lambda: bool(found(engine, batch)))
    (process,) = multiprocessing.active_children()
    process.kill()
    step_until(pool, engine, lambda: len(found(engine, batch)) == 3)
    assert [answer.status for answer in found(engine, batch)] == ["timeout"] * 3
    assert all(is_solution(answer.puzzle, answer.solution) for answer in found(engine, batch))


def test_closing_a_pool_kills_a_process_in_the_middle_of_a_search(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    endless = Options(limit=None, timeout=600)
    batch = submit(engine, next(grids(13, 4)), tmp_path, endless).id
    pool = Pool(settings, 1, print)

    def is_taken() -> bool:
        with read(engine) as connection:
            return read_progress(connection, batch).chunks[ChunkState.TAKEN] == 1

    step_until(pool, engine, is_taken)
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 60  # the puzzle would take ten minutes
    assert multiprocessing.active_children() == []


def test_all_processes_of_a_pool_work_on_one_search(
    settings: Settings, engine: Engine, tmp_path: Path
) -> None:
    batch = submit(engine, queens(17), tmp_path, Options(limit=None, timeout=1000)).id

    def both_work() -> bool:
        with read(engine) as connection:
            return read_progress(connection, batch).chunks[ChunkState.TAKEN] == 2

    with closing(Pool(replace(settings, budget=0.05, turn=0.1), 2, print)) as pool:
        step_until(pool, engine, both_work)


def count_compiled() -> int:
    entry: Any = solve_in_lanes
    return len(entry.natives)


def test_a_process_of_a_pool_compiles_the_solver_before_its_first_chunk(pool: Pool) -> None:
    assert pool.executor.submit(count_compiled).result() == 1


def test_the_reasons_for_which_a_pool_waits_are_reported(
    settings: Settings, engine: Engine
) -> None:
    reported: list[str] = []
    with closing(Pool(settings, 1, reported.append)) as pool:
        pool.executor.submit(log.logger.warning, "-", extra={"reason": "the disk is full"})
        step_until(pool, engine, lambda: bool(reported))
    assert reported == ["waiting: the disk is full"]


def test_a_process_of_a_pool_collects_garbage_rarely(pool: Pool) -> None:
    threshold, *_ = pool.executor.submit(gc.get_threshold).result()
    assert threshold == garbage.GENERATION_0_THRESHOLD
