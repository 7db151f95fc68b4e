"""CPU time and peak memory of processes, read from Linux's /proc."""

import os
import resource
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TICK = 1.0 / os.sysconf("SC_CLK_TCK")
#: seconds between two readings of a program's memory
POLL_SECONDS = 0.05


class Cost(NamedTuple):
    """CPU time in seconds, and peak memory in MB."""

    cpu: float
    peak: float


def cost(pid: int) -> Cost:
    """Return the cost of a process up to now; zeros if it no longer exists."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return Cost(0.0, 0.0)
    peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0")
    user, system = fields[11:13]
    return Cost((int(user) + int(system)) * TICK, int(peak) / 1024)


def forget_peaks(pids: Iterable[int]) -> None:
    """Reset the peak memory of processes."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def run(command: list[str], output: Path, env: dict[str, str], folder: Path) -> Cost:
    """Run a program to its end, with its output in a file; RuntimeError if it fails."""
    before = _ended_children()
    peak = 0.0
    with output.open("wb") as stdout:
        program = subprocess.Popen(command, stdout=stdout, stderr=stdout, env=env, cwd=folder)
    while program.poll() is None:
        # The peak that Linux reports for an exited child includes its parent's before exec.
        peak = max(peak, cost(program.pid).peak)
        time.sleep(POLL_SECONDS)
    if program.returncode:
        raise RuntimeError(f"{command} exited with {program.returncode}: {output.read_text()}")
    return Cost(_ended_children() - before, peak)


def _ended_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
