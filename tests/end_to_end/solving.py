"""A `solve` with one runner, as a terminal starts it, and what is left of it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.end_to_end.load import execute
from tests.sudoku import grids

#: seconds within which `solve` ends after what must end it; on a busy machine, more than the 2 s
#: that are promised
END_SECONDS = 10.0
EASY, ENDLESS = list(islice(grids(9, 30), 4)), "." * 81
#: puzzles that are answered soon, and then some that no search ends
USUAL = (*EASY, *[ENDLESS] * 8)
TAKEN = "SELECT count(*) FROM chunk WHERE state = 'taken'"


@contextmanager
def solving(
    bullseye: Bullseye, runner: str, *options: str, puzzles: tuple[str, ...] = USUAL
) -> Iterator[subprocess.Popen[str]]:
    """Start a `solve` of puzzles; all solutions are wanted, for 100 s each unless `options`.

    However it ends, it must leave no temporary file.
    """
    temporary = bullseye.folder / "tmp"
    temporary.mkdir(exist_ok=True)
    (bullseye.folder / "puzzles.txt").write_text("\n".join(puzzles))
    command = (sys.executable, "-m", "tests.end_to_end.runner", runner, "solve", "-j", "2")
    with subprocess.Popen(
        [*command, "--limit", "all", "--timeout", "100", *options, "puzzles.txt"],
        env=environment(bullseye, temporary),
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
    eventually(lambda: not any(temporary.iterdir()))


def environment(bullseye: Bullseye, temporary: Path) -> dict[str, str]:
    """Return that of a command whose processes `processes_of` finds, with its temporary folder."""
    marked = {"MARK": str(bullseye.folder), "TMPDIR": str(temporary)}
    return {**bullseye.env, "PYTHONPATH": str(ROOT), **marked}


def await_search(bullseye: Bullseye) -> None:
    """Wait until the easy puzzles are answered, and a process searches for an endless one."""
    eventually(lambda: answered(bullseye) == len(EASY) and execute(bullseye, TAKEN) != [(0,)])


def answered(bullseye: Bullseye) -> int:
    return int(str(execute(bullseye, "SELECT count(*) FROM answers")[0][0]))


def end(process: subprocess.Popen[str]) -> str:
    """Return what the command writes to stderr until it ends."""
    out, errors = process.communicate(timeout=END_SECONDS)
    assert out == ""
    assert "Traceback" not in errors
    return errors


def processes_of(bullseye: Bullseye) -> dict[int, str]:
    """Return the commands of all processes that a `solve` of this installation has started."""
    mark = f"MARK={bullseye.folder}\0".encode()
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, PermissionError, ProcessLookupError):
            if mark in (process / "environ").read_bytes():
                command = (process / "cmdline").read_text().replace("\0", " ")
                found[int(process.name)] = command
    return found


def kill_a_solver(bullseye: Bullseye, runner: str) -> None:
    """Kill a process of the pool that solves, whether of the worker or of the command."""
    name = {"worker": "worker.serve", "pool": "spawn_main"}[runner]
    # The last one: the first of a worker is its main process.
    os.kill(max(pid for pid, one in processes_of(bullseye).items() if name in one), signal.SIGKILL)
