"""`submit` and `solve` are interrupted at random moments, and leave nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest

from tests import databases
from tests.end_to_end.bullseye import ROOT, Bullseye
from tests.end_to_end.load import execute
from tests.end_to_end.runner import RUNNERS
from tests.end_to_end.test_runners import processes_of
from tests.sudoku import grids

pytestmark = pytest.mark.attack
#: seconds within which a command ends
END_SECONDS = 2.0
#: the longest time from the start of a command to its interruption
MOST_SECONDS = 3.0
OPEN = (
    "SELECT count(*) FROM batch WHERE ready = 0 OR (cancelled_at IS NULL AND queue LIKE 'solve-%')"
)
UNDONE = (
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
        self.interrupted = 0
        self.temporary = bullseye.folder / "tmp"
        self.temporary.mkdir()
        lines = [*islice(grids(seed, 30), 300)] * 100
        (bullseye.folder / "many.txt").write_text("\n".join(lines))
        (bullseye.folder / "few.txt").write_text("\n".join([*lines[:3000], "." * 81]))

    def run(self, command: tuple[str, ...]) -> None:
        """Interrupt a command once, and note what is wrong afterwards."""
        env = {
            **self.bullseye.env,
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(self.temporary),
            "MARK": str(self.bullseye.folder),
        }
        number = self.chance.choice([signal.SIGINT, signal.SIGTERM])
        seconds = self.chance.uniform(0.0, MOST_SECONDS)
        with subprocess.Popen(
            [sys.executable, *command],
            env=env,
            cwd=self.bullseye.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        ) as process:
            time.sleep(seconds)
            alive = process.poll() is None
            began = time.monotonic()
            os.killpg(process.pid, number) if alive else None
            _, errors = process.communicate(timeout=60)
            took = time.monotonic() - began
        what = f"{number.name} after {seconds:.3f} s: {command}: exit {process.returncode}"
        self.interrupted += alive
        self.slowest = max(self.slowest, took if alive else 0.0)
        self.faults += [f"{what}: {fault}" for fault in self._faults(took * alive, errors)]

    def _faults(self, took: float, errors: str) -> list[str]:
        left = {
            "open batches": execute(self.bullseye, OPEN) != [(0,)],
            "chunks": execute(self.bullseye, UNDONE) != [(0,)],
            "owners": execute(self.bullseye, OWNED) != [(0,)],
            "files": [path.name for path in self.temporary.iterdir()],
            "processes": self._processes(),
            "traceback": errors if "Traceback" in errors and str(ROOT) in errors else "",
            "slow": took if took > END_SECONDS else 0.0,
        }
        return [f"{name} {value}" for name, value in left.items() if value]

    def _processes(self) -> list[str]:
        deadline = time.monotonic() + END_SECONDS
        while (found := processes_of(self.bullseye)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found


def commands() -> list[tuple[str, ...]]:
    """Return `submit` and `solve` with each runner, on many puzzles and on few that take long."""
    main = ("-m", "cli.main", "submit")
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
    summary = f"{trial.interrupted} interrupted, the slowest took {trial.slowest:.2f} s"
    print(summary)  # noqa: T201 # the measurement of the soak test
    assert not trial.faults, "\n".join([summary, *trial.faults])


@pytest.mark.parametrize("times", [8, pytest.param(250, marks=pytest.mark.soak)])
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
