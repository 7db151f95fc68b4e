import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Engine

from storage.database import read
from storage.queries.answers import select_answers
from tests.sudoku import grids
from tests.worker.conftest import submit
from worker.local.pool import Pool
from worker.options import Options
from worker.settings import Settings


@pytest.fixture
def pool(settings: Settings) -> Iterator[Pool]:
    with closing(Pool(settings, 1)) as pool:
        yield pool


def step_until(pool: Pool, engine: Engine, true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        pool.step(engine)


def statuses(engine: Engine, batch: int) -> list[str]:
    with read(engine) as connection:
        return [answer.status for answer in select_answers(connection, batch=batch)]


def test_a_pool_answers_every_chunk(pool: Pool, engine: Engine, tmp_path: Path) -> None:
    batch = submit(engine, "\n".join(islice(grids(30, 30), 20)), tmp_path).id
    step_until(pool, engine, lambda: len(statuses(engine, batch)) == 20)


def test_what_was_handed_out_is_answered_though_a_process_dies(
    pool: Pool, engine: Engine, tmp_path: Path
) -> None:
    slow = Options(limit=None, timeout=0.3)
    batch = submit(engine, "\n".join(islice(grids(31, 3), 3)), tmp_path, slow).id
    step_until(pool, engine, lambda: bool(statuses(engine, batch)))
    for process in list(pool.executor._processes):
        os.kill(process, signal.SIGKILL)
    step_until(pool, engine, lambda: len(statuses(engine, batch)) == 3)
    assert statuses(engine, batch) == ["timeout"] * 3
