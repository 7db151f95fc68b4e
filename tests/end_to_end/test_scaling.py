"""The recipes of examples/deploy/ that start and end workers, on one host."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from math import ceil
from pathlib import Path

import pytest

from tests import databases
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import Load, assert_sound, execute, submit
from tests.processes import command_lines
from tests.readme.deploy import FOLDER, objects, scaler
from tests.sudoku import grids

pytestmark = [pytest.mark.soak, pytest.mark.attack]


def test_workers_are_scaled_from_none_to_eight_to_none_and_nothing_is_lost(
    bullseye: Bullseye, postgresql_url: str
) -> None:
    with databases.on_server(postgresql_url) as url:
        installed = replace(bullseye, settings={"BULLSEYE_DATABASE_URL": url})
        load = submit(installed, 7, 12_000)
        sizes = list(scale(installed))
        load.assert_complete()
        assert_sound(installed)
    assert (sizes[0], max(sizes), sizes[-1]) == (0, most(), 0)
    assert set(sizes) - {0, most()}, "some workers ended while others went on"


def scale(bullseye: Bullseye) -> Iterator[int]:
    """Start and end workers as the scaler of the recipe does; yield their number at each step."""
    per_worker, query = int(scaler()["targetQueryValue"]), scaler()["query"]
    workers: list[subprocess.Popen[bytes]] = []
    yield 0
    with ExitStack() as stack:
        while waiting := int(str(execute(bullseye, query)[0][0])):
            wanted = min(most(), ceil(waiting / per_worker))
            workers += [
                stack.enter_context(bullseye.worker()) for _ in range(wanted - len(workers))
            ]
            end(workers[wanted:])
            del workers[wanted:]
            yield len(workers)
            time.sleep(0.5)
        end(workers)
    yield 0


def most() -> int:
    return int(objects()["ScaledObject"]["spec"]["maxReplicaCount"])


def end(workers: list[subprocess.Popen[bytes]]) -> None:
    """End workers as Kubernetes ends pods, within their grace period."""
    for process in workers:
        process.send_signal(signal.SIGTERM)
    for process in workers:
        assert process.wait(timeout=30) == 0


def test_the_script_for_slurm_solves_a_batch_and_ends_its_worker(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(12, 28), 50))
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    done = run_script(bullseye, batch)
    assert done.wait(timeout=120) == 0
    Load(bullseye, batch, puzzles).assert_complete(0)
    assert bullseye.live_workers() == 0


def test_the_script_for_slurm_gives_back_its_chunks_when_its_time_is_over(
    bullseye: Bullseye,
) -> None:
    batch = bullseye.out("submit", "--count", "-", stdin="." * 81).strip()
    script = run_script(bullseye, batch)
    eventually(lambda: bullseye.live_workers() == 1)
    script.send_signal(signal.SIGTERM)
    assert script.wait(timeout=30) == 143
    assert bullseye.live_workers() == 0
    assert not command_lines(script.pid)


def run_script(bullseye: Bullseye, batch: str) -> subprocess.Popen[bytes]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**bullseye.env, "BATCH": batch, "PATH": path}
    command = ["bash", str(FOLDER / "slurm.sh")]
    return subprocess.Popen(command, env=env, cwd=bullseye.folder, process_group=0)
