"""Plays the console blocks of a README in one session, as a user at a terminal would.

`python -m tests.readme.session` writes what the commands really print into README.md and
README.zh.md.
"""

import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.readme.reading import FILES, ROOT
from tests.services import free_port
from worker.local.redis_server import find_redis

#: the user of README.md
HOME = "/home/ada"
#: commands that run on in a terminal of their own
SERVERS = ("redis-server", "bullseye worker")
#: a stand-in for the `sqlite3` program, where there is none
SQLITE = """\
import sqlite3, sys
for found in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in found))
"""


@dataclass
class Session:
    """A home folder, the examples, a PATH with `bullseye`, and servers that end with it."""

    folder: Path
    port: int
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("BULLSEYE_")}
        for name in ("XDG_DATA_HOME", "COLUMNS", "LINES", "FORCE_COLOR"):
            kept.pop(name, None)
        return {
            **kept,
            "HOME": str(self.folder / "home"),
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "BULLSEYE_REDIS_URL": f"redis://127.0.0.1:{self.port}/0",
            "TERM": "dumb",
            "NO_COLOR": "1",
        }

    def prepare(self) -> None:
        """The folders and programs that the commands need."""
        for name in ("home", "bin"):
            (self.folder / name).mkdir()
        (self.folder / "tests").mkdir()
        for name in ("examples", "tests/data"):
            (self.folder / name).symlink_to(ROOT / name)
        redis = find_redis()
        assert redis is not None, "the test extra brings a Redis program, or PATH has one"
        self.program("bullseye", f"{sys.executable} -m cli.main")
        self.program("redis-server", f"{redis} --port {self.port} --dir {self.folder}")
        if shutil.which("sqlite3") is None:
            (self.folder / "sqlite.py").write_text(SQLITE)
            self.program("sqlite3", f"{sys.executable} {self.folder / 'sqlite.py'}")

    def program(self, name: str, command: str) -> None:
        """A program of this name on PATH."""
        path = self.folder / "bin" / name
        path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        path.chmod(0o755)

    def play(self, command: str) -> str:
        """What a command prints: stdout as on a terminal, then stderr."""
        if command.startswith(SERVERS):
            self.serve(command)
            return ""
        terminal, inside = pty.openpty()
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=inside,
            stderr=subprocess.PIPE,
            env=self.env,
            cwd=self.folder,
        )
        os.close(inside)
        printed = "".join(read(terminal)).replace("\r\n", "\n")
        _, said = process.communicate(timeout=120)
        return (printed + said.decode()).replace(str(self.folder / "home"), HOME)

    def serve(self, command: str) -> None:
        """Start a server, and return when it is there."""
        with (self.folder / "servers.log").open("ab") as log:
            process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command}"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.env,
                cwd=self.folder,
                process_group=0,
            )
        self.servers.append(process)
        while process.poll() is None and not self.is_up(command):
            time.sleep(0.05)

    def is_up(self, server: str) -> bool:
        """Whether Redis answers, or a worker has come."""
        if server.startswith("redis-server"):
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        return "none is listening" not in self.play("bullseye doctor")

    def close(self) -> None:
        """End the servers, the last one first."""
        for process in reversed(self.servers):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def read(terminal: int) -> Iterator[str]:
    """What comes out of a terminal until nobody writes to it any more."""
    with os.fdopen(terminal, "rb", buffering=0) as stream, suppress(OSError):
        while some := stream.read(65536):
            yield some.decode()


@contextmanager
def session() -> Iterator[Session]:
    """A session in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        one = Session(Path(folder), free_port())
        one.prepare()
        try:
            yield one
        finally:
            one.close()


def played(text: str) -> str:
    """The text with what its commands really print in its console blocks."""
    with session() as terminal:

        def again(found: re.Match[str]) -> str:
            commands = [line for line in found[1].splitlines() if line.startswith("$ ")]
            printed = [f"{line}\n{terminal.play(line[2:])}" for line in commands]
            return f"```console\n{''.join(printed)}```"

        return re.sub(r"^```console\n(.*?)^```$", again, text, flags=re.MULTILINE | re.DOTALL)


def masked(text: str) -> str:
    """The text without what differs from one run and machine to the next.

    >>> masked("solved in 0.41 s  ·  12 nodes")
    'solved in # s · # nodes'
    """
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


#: times, nodes and rates; what depends on them; the width of what stands beside them
MASKS = (
    (r"^.*[█▏▎▍▌▋▊▉].*\n", ""),
    (r"^ *[\d.,]+\n", ""),
    (r"^slowest .*\n.*", "slowest"),
    (r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "#"),
    (r"bullseye-\d+@\S+", "worker"),
    (r"\d[\d,.]* (ms|nodes?|puzzles/s)\b", r"# \1"),
    (r"[\d,.]+ +[1-9]{6,}…", "# …"),
    (r"p(\d+|max) [\d,]+(?= |$)", r"p\1 #"),
    (r"\d[\d,]*\.\d+|\b\d+:\d\d\b", "#"),
    (r" +", " "),
)


if __name__ == "__main__":
    for file in FILES:
        file.write_text(played(file.read_text()))
