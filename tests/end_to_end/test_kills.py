"""Workers that are killed or told to go, again and again, under load."""

import os
import random
import signal
import subprocess
from contextlib import ExitStack, suppress

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually, kill
from tests.end_to_end.faults import QUICK, Load, children, submit

#: seconds in which a worker that is told to end has ended
SOFT = 15.0


def next_load(bullseye: Bullseye, loads: list[Load], puzzles: int) -> Load:
    """The batch being solved, or a new one if that is complete."""
    if not loads or loads[-1].complete():
        loads.append(submit(bullseye, len(loads), puzzles))
    return loads[-1]


def progress(load: Load, before: int) -> bool:
    return load.answered() > before or load.complete()


@pytest.mark.parametrize(
    ("kills", "puzzles"), [(5, 3000), pytest.param(100, 5000, marks=pytest.mark.soak)]
)
@pytest.mark.timeout(1800)
def test_workers_and_their_children_may_be_killed_at_any_time(
    bullseye: Bullseye, kills: int, puzzles: int
) -> None:
    bullseye.settings |= QUICK
    chance = random.Random(kills)
    loads: list[Load] = []
    with ExitStack() as stack:
        worker = stack.enter_context(bullseye.worker(2))
        for turn in range(kills):
            load = next_load(bullseye, loads, puzzles)
            before = load.answered()
            eventually(lambda load=load, before=before: progress(load, before))  # type: ignore[misc]
            if turn % 3 == 2:
                kill(worker)
                worker = stack.enter_context(bullseye.worker(2))
            elif pool := children(worker):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(pool), signal.SIGKILL)
        for load in loads:
            load.assert_whole(120)


def go(worker: subprocess.Popen[bytes]) -> None:
    worker.send_signal(signal.SIGTERM)
    worker.wait(SOFT)


@pytest.mark.parametrize(
    ("times", "puzzles"), [(2, 3000), pytest.param(20, 5000, marks=pytest.mark.soak)]
)
@pytest.mark.timeout(1800)
def test_workers_told_to_end_do_so_in_time_and_leave_nothing_taken(
    bullseye: Bullseye, times: int, puzzles: int
) -> None:
    loads: list[Load] = []
    for _ in range(times):
        with bullseye.worker(2) as worker:
            load = next_load(bullseye, loads, puzzles)
            before = load.answered()
            eventually(lambda load=load, before=before: progress(load, before))  # type: ignore[misc]
            go(worker)
    with bullseye.worker(2):
        for load in loads:
            load.assert_whole()
