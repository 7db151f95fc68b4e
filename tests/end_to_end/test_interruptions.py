"""`submit` and `solve` are interrupted at random moments, and leave nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import islice

import pytest

from cli.signals import LIMIT_SECONDS
from tests import databases
from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.end_to_end.load import execute
from tests.end_to_end.runner import RUNNERS
from tests.end_to_end.solving import environment, processes_of
from tests.sudoku import grids

pytestmark = pytest.mark.attack
#: seconds within which a command ends, and on a busy machine
END_SECONDS, BUSY_SECONDS = 2.0, 10.0
#: seconds of a command's start, and after it has begun to store, in which it is interrupted
START_SECONDS, STORING_SECONDS = 1.5, 1.0
#: seconds until a command has begun to store, on a busy machine
BEGIN_SECONDS = 30.0
BATCHES = "SELECT value FROM meta WHERE key = 'batches'"
OPEN = (
    "SELECT count(*) FROM batch WHERE ready = 0 OR (cancelled_at IS NULL AND queue LIKE 'solve-%'"
    " AND EXISTS (SELECT 1 FROM chunk WHERE batch_id = batch.id AND state <> 'done'))"
)
WITHOUT_BATCH = (
    "SELECT count(*) FROM chunk LEFT JOIN batch ON batch_id = batch.id"
    " WHERE batch.id IS NULL OR batch.ready = 0"
)
OWNED = "SELECT count(*) FROM meta WHERE key LIKE 'owner%'"


class Trial:
    """Interrupts commands of one installation, and looks at what they leave."""

    def __init__(self, bullseye: Bullseye, seed: int) -> None:
        self.bullseye = bullseye
        self.chance = random.Random(seed)
        self.faults: list[str] = []
        self.slowest = 0.0
        self.interrupted = self.stopped = self.slow = 0
        self.temporary = bullseye.folder / "tmp"
        self.temporary.mkdir()
        lines = [*islice(grids(seed, 30), 300)] * 100
        (bullseye.folder / "many.txt").write_text("\n".join(lines))
        (bullseye.folder / "few.txt").write_text("\n".join([*lines[:3000], "." * 81]))

    def run(self, command: tuple[str, ...]) -> None:
        """Interrupt a command, unless it ends before, and note what is wrong afterwards."""
        number = self.chance.choice([signal.SIGINT, signal.SIGTERM])
        before = execute(self.bullseye, BATCHES)
        with subprocess.Popen(
            [sys.executable, *command],
            env=environment(self.bullseye, self.temporary),
            cwd=self.bullseye.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        ) as process:
            moment = self._await_moment(before)
            began = time.monotonic()
            if process.poll() is None:
                os.killpg(process.pid, number)
                self.interrupted += 1
            _, errors = process.communicate(timeout=60)  # also of one that had ended
            took = time.monotonic() - began
        self.slowest = max(self.slowest, took)
        self.slow += took > END_SECONDS
        left = [*self._left_in_the_database(took), *self._left_elsewhere(took, errors)]
        what = f"{number.name} {moment}: {command}: {process.returncode} after {took:.2f} s"
        self.faults += [f"{what}: {fault}\nit wrote: {errors[-2000:]}" for fault in left]

    def _await_moment(self, before: list[tuple[object, ...]]) -> str:
        """Wait for a moment of the start, or of storing and solving; return which it is."""
        if self.chance.random() < 0.3:
            seconds = self.chance.uniform(0.0, START_SECONDS)
            time.sleep(seconds)
            return f"{seconds:.3f} s after the start"
        with suppress(AssertionError):  # it ended before
            eventually(lambda: execute(self.bullseye, BATCHES) != before, BEGIN_SECONDS)
        seconds = self.chance.uniform(0.0, STORING_SECONDS)
        time.sleep(seconds)
        return f"{seconds:.3f} s after the batch was created"

    def _left_in_the_database(self, took: float) -> list[str]:
        """Return what is left; of a command that its limit of time stopped, after the next one."""
        found = self._open()
        if found and took >= LIMIT_SECONDS:
            self.stopped += 1
            self.bullseye.run("solve", "." * 16)
            found = self._open()
        return found

    def _open(self) -> list[str]:
        queries = {"batches": OPEN, "chunks": WITHOUT_BATCH, "owners": OWNED}
        return [what for what, sql in queries.items() if execute(self.bullseye, sql) != [(0,)]]

    def _left_elsewhere(self, took: float, errors: str) -> list[str]:
        deadline = time.monotonic() + BUSY_SECONDS
        while (processes := processes_of(self.bullseye)) and time.monotonic() < deadline:
            time.sleep(0.05)
        is_ours = any(f"{ROOT}/{room}/" in errors for room in ("cli", "worker", "storage"))
        found = {
            "processes": processes,
            "files": [path.name for path in self.temporary.iterdir()],
            "traceback": errors if "Traceback" in errors and is_ours else "",
            "slow": took > BUSY_SECONDS,
        }
        return [f"{what}: {value}" for what, value in found.items() if value]


def commands() -> list[tuple[str, ...]]:
    """Return `submit` and `solve` with each runner, on many puzzles and on few that take long."""
    main = ("-m", "bullseye", "submit")
    solves = [("-m", "tests.end_to_end.runner", one, "solve", "-j", "2") for one in RUNNERS]
    long = ("--limit", "all", "--timeout", "100", "few.txt")
    return [
        (*main, "many.txt"),
        (*main, "--reuse", "many.txt"),
        *[(*solve, "many.txt") for solve in solves],
        *[(*solve, *long) for solve in solves],
    ]


def interrupt(bullseye: Bullseye, times: int, seed: int) -> None:
    trial, every = Trial(bullseye, seed), commands()
    for turn in range(times):
        trial.run(every[turn % len(every)])
    summary = (
        f"{trial.interrupted} interrupted, {trial.slow} took more than {END_SECONDS:g} s,"
        f" the slowest {trial.slowest:.2f} s"
        f", {trial.stopped} left something to the next command"
    )
    print(summary)  # noqa: T201 # the measurement of the soak test
    assert not trial.faults, "\n".join([summary, *trial.faults])


#: the program, in which Ctrl-C arrives while C code of numba imports a module
IMPORTING = """
import os, signal, sys
class Finder:
    @staticmethod
    def find_spec(name, path, target=None):
        if name == "numba._devicearray":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder)
from cli.main import main
main()
"""


def test_ctrl_c_while_the_compiler_is_imported_ends_solve(bullseye: Bullseye) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING, "solve", "." * 81],
        env={
            **bullseye.env,
            "BULLSEYE_REDIS_SERVER": "none",
            "NUMBA_CACHE_DIR": str(bullseye.folder / "cache"),
            "PYTHONPATH": str(ROOT),
        },
        cwd=bullseye.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("times", [4, pytest.param(250, marks=pytest.mark.soak)])
@pytest.mark.timeout(3600)
def test_interrupted_commands_leave_nothing_on_sqlite(bullseye: Bullseye, times: int) -> None:
    interrupt(bullseye, times, seed=times)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_interrupted_commands_leave_nothing_on_postgresql(
    bullseye: Bullseye, postgresql_url: str
) -> None:
    with databases.on_server(postgresql_url) as url:
        bullseye.settings["BULLSEYE_DATABASE_URL"] = url
        bullseye.run("solve", "." * 16)
        interrupt(bullseye, 250, seed=2)
