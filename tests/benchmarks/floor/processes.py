"""CPU time of whole trees of processes, read from Linux's /proc."""

from pathlib import Path

from tests.benchmarks.pipeline.processes import TICK
from tests.processes import children


def cpu(root: int) -> float:
    """Return the seconds of CPU of a process and all its children, ended ones included."""
    return _own(root) + sum(map(cpu, children(root)))


def _own(pid: int) -> float:
    """Return the seconds of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) * TICK
