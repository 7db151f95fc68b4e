"""Starts real PostgreSQL and Redis servers in a temporary folder, on a free port."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable

from worker.local.backend import find_redis
from worker.local.process_group import ProcessGroup, process_group

#: seconds that a server may take to start
STARTUP_SECONDS = 30.0
PASSWORD = "open/sesame"  # with a character that must be escaped in a URL


def missing(program: str, install: str = "apt-get install {0} or brew install {0}") -> NoReturn:
    """Skip the test because a program is missing; fail it in CI."""
    reason = f"{program} is not installed ({install.format(program)})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def redis_program() -> Path:
    """Return the Redis program: the one on PATH, else the bundled one."""
    return find_redis() or missing("redis-server")


def find_postgresql() -> Path | None:
    """Return the folder with initdb and postgres: from PATH, else the newest Debian package."""
    on_path = shutil.which("initdb")
    if on_path and shutil.which("postgres"):
        return Path(on_path).parent
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(installed, key=lambda path: int(path.parts[-3]), default=None)
    return newest.parent if newest else None


@dataclass
class Postgresql:
    """A PostgreSQL server; it can be stopped and started again."""

    home: ProcessGroup
    programs: Path
    port: int
    address: str
    durable: bool = False  #: commits wait until they are on the disk, as in production
    inside: tuple[str, ...] = ()  #: the command prefix that runs a program on its host
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The URL of the database `postgres`."""
        quoted = PASSWORD.replace("/", "%2F")
        return f"postgresql+psycopg://postgres:{quoted}@{self.address}:{self.port}/postgres"

    @property
    def data(self) -> Path:
        return self.home.folder / "data"

    def make(self) -> None:
        user = unprivileged()
        self.data.mkdir()
        if user:
            self.home.folder.chmod(0o755)
            shutil.chown(self.data, user)
        (self.home.folder / "password").write_text(PASSWORD)
        command = _initdb(self.programs, self.data)
        subprocess.run(command, user=user, check=True, stdout=subprocess.DEVNULL)
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write(f"host all all {self.address}/24 scram-sha-256\n")

    def start(self) -> None:
        command = [str(self.programs / "postgres"), "-D", str(self.data), *self._options()]
        self.process = server = _start(self.home, command, unprivileged(), self.inside)
        eventually(self._answers, server)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)  # immediate shutdown; frees the shared memory
            self.process.wait(STARTUP_SECONDS)

    def _options(self) -> list[str]:
        listen = (f"listen_addresses={self.address}", f"port={self.port}")
        quick = () if self.durable else ("fsync=off", "full_page_writes=off")
        settings = (*listen, "unix_socket_directories=", *quick)
        return [part for setting in settings for part in ("-c", setting)]

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url.replace("+psycopg", "")).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgresql(
    programs: Path,
    address: str = "127.0.0.1",
    *,
    durable: bool = False,
    inside: tuple[str, ...] = (),
) -> Iterator[Postgresql]:
    """Start a server for the block."""
    with process_group() as ours:
        server = Postgresql(ours, programs, free_port(), address, durable, inside)
        server.make()
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def redis_server(
    program: Path,
    home: ProcessGroup,
    address: str,
    port: int | None = None,
    *,
    inside: tuple[str, ...] = (),
) -> Iterator[str]:
    """Start a Redis with a password on `address` for the block; yield its URL."""
    port = port or free_port()
    options = ("--bind", address, "--port", str(port), "--requirepass", "sesame", "--save", "")
    process = home.start([*inside, str(program), *options], "redis.log")
    try:
        with closing(Redis(address, port, password="sesame")) as client:
            eventually(lambda: _pings(client), process)
        yield f"redis://:sesame@{address}:{port}/0"
    finally:
        process.kill()
        process.wait()


def _pings(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except Unreachable:
        return False


def unprivileged() -> str | None:
    """Return the user that runs PostgreSQL if we are root, which it rejects; else None."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _initdb(programs: Path, data: Path) -> list[str]:
    password = f"--pwfile={data.parent / 'password'}"
    quick = ["--no-sync", "--no-locale", "--encoding=UTF8"]
    known = ["--username=postgres", "--auth=scram-sha-256", password]
    return [str(programs / "initdb"), f"--pgdata={data}", *known, *quick]


def _start(
    ours: ProcessGroup, command: list[str], user: str | None, inside: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    """Start a program as a user; only root may enter a host, and drops its rights there."""
    if inside and user:
        command, user = ["setpriv", f"--reuid={user}", "--clear-groups", *command], None
    command = [*inside, *command]
    with (ours.folder / "postgres.log").open("wb") as output:
        return subprocess.Popen(
            command,
            user=user,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=ours.id,
        )


def free_port() -> int:
    """Return a TCP port that is free at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def eventually(condition: Callable[[], bool], server: subprocess.Popen[bytes]) -> None:
    """Wait until a condition holds; AssertionError if the server exits or the time is up."""
    deadline = time.monotonic() + STARTUP_SECONDS
    while not condition():
        assert server.poll() is None, f"{server.args!r} exited with {server.returncode}"
        assert time.monotonic() < deadline, f"{server.args!r} did not start in {STARTUP_SECONDS} s"
        time.sleep(0.05)
