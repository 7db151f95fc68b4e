"""Processes of this machine, read from Linux's /proc; the program `ps` may be missing."""

from pathlib import Path


def children(pid: int) -> list[int]:
    """Return the child processes of a process; none if it no longer exists."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in _text(task).split()]


def command_lines(group: int) -> list[str]:
    """Return the command lines of the processes of a group, as every user can see them."""
    processes = [path for path in Path("/proc").iterdir() if path.name.isdecimal()]
    lines = [_text(path / "cmdline") for path in processes if _group(path) == group]
    return [line.replace("\0", " ") for line in lines]


def _group(process: Path) -> int | None:
    fields = _text(process / "stat").rpartition(")")[2].split()
    return int(fields[2]) if fields else None


def _text(path: Path) -> str:
    """Return a file of a process, which may end meanwhile."""
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
