"""Whole batches against their floors: the CPU of all processes, waiting, and recovery."""

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import services
from tests.benchmarks.floor.processes import cpu
from tests.benchmarks.floor.row import Row, in_turn, timed
from tests.benchmarks.pipeline.bare import Bare
from tests.benchmarks.pipeline.repeated import REPEATS, repeated
from tests.end_to_end.bullseye import COMMAND, Bullseye, eventually
from tests.processes import children
from worker.local.backend import private_redis
from worker.local.process_group import process_group

#: puzzles of a batch in which a process is killed, and the seconds until then
KILLED_PUZZLES, KILLED_AFTER = 30_000, 1.5
#: the small batch, and the puzzles of the large one before it
SMALL_PUZZLES, LARGE_PUZZLES = 20, 300_000
MICROSECOND = 1e-6


@dataclass
class Place:
    """An installation with a worker of two processes."""

    bullseye: Bullseye
    worker: int  #: its main process

    def submit(self, file: Path) -> float:
        """Submit a file and wait; return the seconds."""
        return timed([*COMMAND, "submit", "--wait", str(file)], self.bullseye.env)

    def cpu(self, file: Path) -> float:
        """Submit a file and wait; return the CPU seconds of all processes."""
        ours = os.getpid()  # which has started them all
        before = cpu(ours)
        self.submit(file)
        return cpu(ours) - before


@contextmanager
def place(program: Path, postgresql: services.Postgresql | None = None) -> Iterator[Place]:
    """Start a Redis and a worker, whose database is an SQLite file or on a server."""
    with process_group() as home, private_redis(home, program) as url:
        settings = {"BULLSEYE_DATABASE_URL": postgresql.url} if postgresql else {}
        ours = Bullseye(home.folder, url, settings)
        with ours.worker(2) as process:
            eventually(lambda: ours.live_workers() == 1 and len(children(process.pid)) == 2)
            yield Place(ours, process.pid)


def bulk(
    what: str, there: Place, bare: Bare, file: Path, stored: Callable[[], float], rounds: int
) -> Row:
    """Return the CPU of a batch against that of the kernel and of `stored`, its answers alone."""
    copy = repeated(file, there.bullseye.folder)
    puzzles = len(copy.read_text().split())

    def floor() -> float:
        return bare(file, REPEATS).cpu + stored()

    turns = in_turn(rounds, floor, lambda: there.cpu(copy))
    return Row(f"{puzzles:,} {what}, µs of CPU a puzzle", puzzles * MICROSECOND, turns, 1.5)


def behind(there: Place, easy: Path, hard: Path, rounds: int) -> Row:
    """Return how long a small batch takes behind a large one of hard puzzles, and without it."""
    ours = there.bullseye
    small = repeated(easy, ours.folder, SMALL_PUZZLES)
    large = repeated(hard, ours.folder, LARGE_PUZZLES)
    idle = [there.submit(small) for _ in range(rounds)]
    batch = ours.out("submit", str(large)).strip()
    eventually(lambda: ours.status(batch)["answered"] > 0)
    busy = [there.submit(small) for _ in range(rounds)]
    ours.run("cancel", batch)
    what = f"{SMALL_PUZZLES} puzzles behind {LARGE_PUZZLES:,} hard ones, s"
    return Row(what, 1.0, list(zip(idle, busy, strict=True)), 1.5)


def recovered(there: Place, hard: Path, rounds: int, where: str) -> Row:
    """Return how long a batch takes of which one process is killed, and undisturbed."""
    file = repeated(hard, there.bullseye.folder, KILLED_PUZZLES)

    def killed() -> float:
        timer = threading.Timer(KILLED_AFTER, _kill, (there.worker,))
        timer.start()
        try:
            return there.submit(file)
        finally:
            timer.join()

    turns = in_turn(rounds, lambda: there.submit(file), killed)
    return Row(f"{KILLED_PUZZLES:,} hard puzzles, a process killed, {where}, s", 1.0, turns, 1.5)


def _kill(worker: int) -> None:
    os.kill(random.choice(children(worker)), signal.SIGKILL)
