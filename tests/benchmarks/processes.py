"""What processes cost: their CPU time and the most memory they had, as Linux tells."""

import os
import resource
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
#: seconds between two looks at a program's memory
LOOK = 0.05


class Cost(NamedTuple):
    """Seconds of CPU, and the most memory in MB."""

    cpu: float
    peak: float


def cost(pid: int) -> Cost:
    """What a process cost up to now; nothing if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return Cost(0.0, 0.0)
    peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0")
    user, system = fields[11:13]
    return Cost((int(user) + int(system)) * TICK, int(peak) / 1024)


def children(pid: int) -> list[int]:
    """The processes that it started and that still run."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def forget_peaks(pids: Iterable[int]) -> None:
    """Count peak memory from now on."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def run(command: list[str], output: Path, env: dict[str, str], folder: Path) -> Cost:
    """Run a program to its end; what it says goes to `output`."""
    before = _ended_children()
    peak = 0.0
    with output.open("wb") as stdout:
        program = subprocess.Popen(command, stdout=stdout, stderr=stdout, env=env, cwd=folder)
    while program.poll() is None:
        # What the kernel says of a program that ended holds the memory of who started it, too.
        peak = max(peak, cost(program.pid).peak)
        time.sleep(LOOK)
    if program.returncode:
        raise RuntimeError(f"{command} ended with {program.returncode}: {output.read_text()}")
    return Cost(_ended_children() - before, peak)


def _ended_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
