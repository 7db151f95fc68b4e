"""A large batch under constant faults, and many small batches in a row."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path

import pytest
import redis

from tests.end_to_end.bullseye import Bullseye, kill
from tests.end_to_end.load import QUICK, client, submit
from tests.processes import children
from tests.sudoku import grids

MB = 1 << 20


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 if it has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_files(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


class Workers:
    """Two workers with one process each, replaced when they are killed or terminated."""

    def __init__(self, bullseye: Bullseye, stack: ExitStack) -> None:
        self.bullseye, self.stack = bullseye, stack
        self.running = [self._start() for _ in range(2)]
        self.peaks: dict[str, int] = {}

    def _start(self) -> subprocess.Popen[bytes]:
        return self.stack.enter_context(self.bullseye.worker(1))

    def kill_one(self, chance: random.Random) -> None:
        number = chance.randrange(2)
        kill(self.running[number])
        self.running[number] = self._start()

    def kill_a_pool_process(self, chance: random.Random) -> None:
        for pid in children(chance.choice(self.running).pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def terminate_one(self, chance: random.Random) -> None:
        number = chance.randrange(2)
        self.running[number].send_signal(signal.SIGTERM)
        self.running[number].wait(15)
        self.running[number] = self._start()

    def measure(self) -> None:
        for worker in self.running:
            self._note("worker", resident(worker.pid))
            for pid in children(worker.pid):
                self._note("process", resident(pid))

    def _note(self, name: str, size: int) -> None:
        self.peaks[name] = max(size, self.peaks.get(name, 0))


def drop_connections(server: redis.Redis) -> None:
    server.client_kill_filter(_type="normal", skipme=True)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("puzzles", "pause"), [pytest.param(5_000, 0.7, marks=pytest.mark.attack), (1_000_000, 5.0)]
)
@pytest.mark.timeout(7200)
def test_a_long_batch_is_completed_under_faults_of_all_kinds(
    bullseye: Bullseye, puzzles: int, pause: float
) -> None:
    bullseye.settings |= QUICK
    chance = random.Random(puzzles)
    began = time.monotonic()
    load = submit(bullseye, 90, puzzles)
    with ExitStack() as stack, client(bullseye) as server:
        workers = Workers(bullseye, stack)
        faults: list[Callable[[], object]] = [
            lambda: workers.kill_one(chance),
            lambda: workers.kill_a_pool_process(chance),
            lambda: workers.terminate_one(chance),
            lambda: drop_connections(server),
            server.flushall,
        ]
        done = 0
        while not load.complete():
            time.sleep(pause)  # the interval between faults
            workers.measure()
            chance.choice(faults)()
            done += 1
            load.await_progress()  # a worker may take longer to start than the interval
        spent = time.monotonic() - began
        load.assert_complete()
        peaks = {"Redis": int(server.info()["used_memory_peak"]), **workers.peaks}
    size = bullseye.database.stat().st_size
    sizes = ", ".join(f"{name} {peak / MB:.0f} MB" for name, peak in peaks.items())
    summary = f"{puzzles} puzzles, {done} faults, {spent:.0f} s"
    print(f"{summary}, {sizes}, database {size / MB:.0f} MB")  # noqa: T201 # read with -s
    assert all(peak < 300 * MB for peak in peaks.values()), sizes


@pytest.mark.parametrize("seconds", [2, pytest.param(1800, marks=pytest.mark.soak)])
@pytest.mark.timeout(3600)
def test_many_small_batches_leak_nothing(bullseye: Bullseye, seconds: float) -> None:
    lines = "\n".join(islice(grids(91, 30), 20))

    def one_batch() -> None:
        bullseye.out("submit", "--wait", "-", stdin=lines)

    def state(worker: subprocess.Popen[bytes]) -> dict[str, int]:
        (child,) = children(worker.pid)
        with client(bullseye) as server:
            keys, lists = server.dbsize(), int(server.info()["connected_clients"])
        files = open_files(worker.pid) + open_files(child)
        return {
            "keys": keys, "connections": lists, "files": files,
            "worker": resident(worker.pid), "process": resident(child),
        }  # fmt: skip

    def many(seconds: float) -> int:
        batches, deadline = 0, time.monotonic() + seconds
        while batches < 2 or time.monotonic() < deadline:
            one_batch()
            batches += 1
        return batches

    with bullseye.worker(1) as worker:
        # A pool process collects garbage only after some hundred batches: let it reach its size.
        batches = many(seconds / 3)
        before = state(worker)
        batches += many(2 * seconds / 3)
        after = state(worker)
    print(f"{batches} batches in {seconds} s: {before} -> {after}")  # noqa: T201 # read with -s
    assert after["keys"] <= before["keys"] + 2, (before, after)
    # Once the main process has sent a chunk itself, it keeps two connections.
    assert after["connections"] <= before["connections"] + 3, (before, after)
    assert after["files"] <= before["files"] + 6, (before, after)
    for name in ("worker", "process"):
        assert after[name] < before[name] + 16 * MB, (before, after)
