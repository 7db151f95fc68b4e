"""Workers that are killed or terminated repeatedly under load."""

import os
import random
import signal
import subprocess
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually, kill
from tests.end_to_end.faulty_redis import FaultyRedis
from tests.end_to_end.load import QUICK, Load, assert_sound, submit
from tests.processes import children
from worker.local.process_group import ProcessGroup

#: seconds within which a worker ends after SIGTERM
TERMINATION_SECONDS = 15.0


def next_load(bullseye: Bullseye, loads: list[Load], puzzles: int) -> Load:
    """Return the last batch, or submit another one if that is complete."""
    if not loads or loads[-1].complete():
        loads.append(submit(bullseye, len(loads), puzzles))
    return loads[-1]


@pytest.mark.parametrize(
    ("kills", "puzzles"), [(3, 1500), pytest.param(100, 5000, marks=pytest.mark.soak)]
)
@pytest.mark.timeout(1800)
def test_killed_workers_and_pool_processes_lose_nothing(
    bullseye: Bullseye, kills: int, puzzles: int
) -> None:
    bullseye.settings |= QUICK
    chance = random.Random(kills)
    loads: list[Load] = []
    with ExitStack() as stack:
        worker = stack.enter_context(bullseye.worker(2))
        for turn in range(kills):
            next_load(bullseye, loads, puzzles).await_progress()
            if turn % 3 == 2:
                kill(worker)
                worker = stack.enter_context(bullseye.worker(2))
            elif pool := children(worker.pid):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(pool), signal.SIGKILL)
        for load in loads:
            load.assert_complete(120)
    assert_sound(bullseye)


def terminate(worker: subprocess.Popen[bytes]) -> None:
    worker.send_signal(signal.SIGTERM)
    worker.wait(TERMINATION_SECONDS)


@pytest.mark.parametrize(
    ("times", "puzzles"), [(1, 1500), pytest.param(20, 5000, marks=pytest.mark.soak)]
)
@pytest.mark.timeout(1800)
def test_terminated_workers_end_in_time_and_give_their_chunks_back(
    bullseye: Bullseye, times: int, puzzles: int
) -> None:
    loads: list[Load] = []
    for _ in range(times):
        with bullseye.worker(2) as worker:
            next_load(bullseye, loads, puzzles).await_progress()
            terminate(worker)
    with bullseye.worker(2):
        for load in loads:
            load.assert_complete()


@pytest.mark.attack
@pytest.mark.soak
@pytest.mark.parametrize("fault", ["frozen", "replaced"])
def test_a_worker_is_terminated_in_time_while_redis_does_not_answer(
    tmp_path: Path, home: ProcessGroup, redis_program: Path, fault: str
) -> None:
    with closing(FaultyRedis(home, redis_program)) as faulty:
        bullseye = Bullseye(tmp_path, faulty.url)
        load = submit(bullseye, 7, 2000)
        with bullseye.worker(2) as worker:
            load.await_progress()
            with getattr(faulty, fault)():
                terminate(worker)
        assert worker.returncode == 0
        logged = bullseye.logs()
        assert logged.count(" ends: ") == 1
        assert "Traceback" not in logged
        assert "Cold shutdown" not in logged


def test_a_terminated_worker_does_not_wait_for_a_pool_process_that_does_not_react(
    bullseye: Bullseye,
) -> None:
    with bullseye.worker(2) as worker:
        eventually(lambda: bullseye.live_workers() == 1 and len(children(worker.pid)) == 2)
        os.kill(children(worker.pid)[0], signal.SIGSTOP)
        terminate(worker)
    assert worker.returncode == 0
