"""One contract for the three runners of `solve`: what other commands, signals and deaths do to it.

In an ordinary run each promise is kept by the runner that broke it; `-m attack` tries all three.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.end_to_end.load import execute
from tests.end_to_end.runner import RUNNERS
from tests.sudoku import grids

pytestmark = pytest.mark.attack
#: seconds within which `solve` ends after what must end it; on a busy machine, more than the 2 s
#: that are promised
END_SECONDS = 10.0
EASY, ENDLESS = list(islice(grids(9, 30), 4)), "." * 81
READY = "SELECT count(*) FROM batch WHERE ready = 1"
TAKEN = "SELECT count(*) FROM chunk WHERE state = 'taken'"
STATUSES = "SELECT status, count(*) FROM answers GROUP BY status"


def runners(*ordinary: str) -> pytest.MarkDecorator:
    """Return the parameter `runner`, of which the soak tests have the others."""
    others = [pytest.param(one, marks=pytest.mark.soak) for one in RUNNERS if one not in ordinary]
    return pytest.mark.parametrize("runner", [*ordinary, *others])


@contextmanager
def solving(
    bullseye: Bullseye, runner: str, *options: str, timeout: str = "100"
) -> Iterator[subprocess.Popen[str]]:
    """Start a `solve` of easy puzzles and of endless ones, as a terminal does."""
    lines = "\n".join([*EASY, *[ENDLESS] * 8])
    (bullseye.folder / "puzzles.txt").write_text(lines)
    command = (sys.executable, "-m", "tests.end_to_end.runner", runner, "solve", "-j", "2")
    with subprocess.Popen(
        [*command, "--limit", "all", "--timeout", timeout, *options, "puzzles.txt"],
        env={**bullseye.env, "PYTHONPATH": str(ROOT), "MARK": str(bullseye.folder)},
        cwd=bullseye.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def await_search(bullseye: Bullseye) -> None:
    """Wait until the easy puzzles are answered, and a process searches for an endless one."""
    eventually(lambda: answered(bullseye) == 4 and execute(bullseye, TAKEN) != [(0,)])


def answered(bullseye: Bullseye) -> int:
    return int(str(execute(bullseye, "SELECT count(*) FROM answers")[0][0]))


def end(process: subprocess.Popen[str]) -> str:
    """Return what the command writes to stderr until it ends."""
    out, errors = process.communicate(timeout=END_SECONDS)
    assert out == ""
    assert "Traceback" not in errors
    return errors


def processes_of(bullseye: Bullseye) -> list[str]:
    """Return the commands of all processes that a `solve` of this installation has started."""
    mark = f"MARK={bullseye.folder}\0".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, PermissionError, ProcessLookupError):
            if mark in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


@runners("own")
def test_cancel_ends_a_solve_which_keeps_its_answers(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("cancel", "last")
        errors = end(process)
    assert process.returncode == 1
    assert "cancelled · 4 of 12 puzzles answered and kept in batch 1 · to solve the rest" in errors
    assert answered(bullseye) == 4
    eventually(lambda: not processes_of(bullseye))


@runners("own")
def test_delete_ends_a_solve(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("cancel", "1")
        bullseye.out("delete", "1", "--yes")
        errors = end(process)
    assert process.returncode == 1
    assert "interrupted" not in errors
    assert execute(bullseye, "SELECT count(*) FROM answer") == [(0,)]


@runners()
def test_retry_leaves_the_rest_of_a_solve_to_the_workers(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        bullseye.out("retry", "1")
        errors = end(process)
    assert process.returncode == 1
    assert "left to the workers · 4 of 12 puzzles answered and kept in batch 1" in errors
    assert bullseye.status("1")["state"] == "running"


@runners("pool")
def test_a_viewer_in_another_terminal_takes_nothing(bullseye: Bullseye, runner: str) -> None:
    bullseye.settings["BULLSEYE_SWEEP"] = "0.05"
    with solving(bullseye, runner, "-f", "jsonl", timeout="0.3") as process:
        eventually(lambda: execute(bullseye, READY) == [(1,)])
        viewer = bullseye.run("status", "-w", "1")
        out, _ = process.communicate(timeout=60)
    assert [viewer.returncode, process.returncode] == [1, 1]
    assert len([json.loads(line) for line in out.splitlines()]) == 12
    assert "12 puzzles · 4 solved (4 multiple) · 8 timeout" in viewer.stderr


@runners("pool")
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.soak),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.soak),
    ],
)
def test_a_signal_ends_a_solve_which_keeps_its_answers(
    bullseye: Bullseye, runner: str, number: int, code: int
) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        os.killpg(process.pid, number)  # as a terminal does
        errors = end(process)
    assert process.returncode == code
    if number == signal.SIGINT:
        assert "interrupted · 4 of 12 puzzles answered and kept in batch 1" in errors
    assert bullseye.status("1")["state"] == "cancelled"
    eventually(lambda: not processes_of(bullseye))


@runners("pool")
def test_the_processes_of_a_solve_end_when_it_is_killed(bullseye: Bullseye, runner: str) -> None:
    with solving(bullseye, runner) as process:
        await_search(bullseye)
        process.kill()
        process.wait()
        eventually(lambda: not processes_of(bullseye))
