"""Executes the console blocks of a document in one session, as a user at a terminal would.

A console block without a command shows what the shell block before it prints.

`python -m tests.readme.session` updates README.md and docs/ with the real output.
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.compiling import compile_all
from tests.end_to_end.bullseye import Bullseye
from tests.readme.reading import PAGES, ROOT
from tests.services import eventually, free_port, redis_program

#: the home folder shown in the documents
HOME = "/home/ada"
#: commands that keep running in their own terminal
SERVERS = ("redis-server", "bullseye worker")
#: used as the `sqlite3` program where it is not installed
SQLITE = """\
import sqlite3, sys
for found in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in found))
"""


@dataclass
class Session:
    """A temporary home folder with the examples, `bullseye` on PATH, and running servers."""

    folder: Path
    port: int
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def redis_url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

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
            "BULLSEYE_REDIS_URL": self.redis_url,
            "TERM": "dumb",
            "NO_COLOR": "1",
        }

    def prepare(self) -> None:
        """Create the folders and programs that the commands use."""
        for name in ("home", "bin"):
            (self.folder / name).mkdir()
        (self.folder / "tests").mkdir()
        for name in ("examples", "tests/data"):
            (self.folder / name).symlink_to(ROOT / name)
        redis = redis_program()
        self.program("bullseye", f"{sys.executable} -m cli.main")
        self.install()
        self.program("python", sys.executable)
        self.program("redis-server", f"{redis} --port {self.port} --dir {self.folder}")
        if shutil.which("sqlite3") is None:
            (self.folder / "sqlite.py").write_text(SQLITE)
            self.program("sqlite3", f"{sys.executable} {self.folder / 'sqlite.py'}")

    def install(self) -> None:
        """Prepare the environment that a quick start creates; .ci/run tests the installation."""
        (self.folder / ".venv").mkdir()
        (self.folder / ".venv" / "bin").symlink_to(self.folder / "bin")
        for name in ("python3", "pip", "pytest"):
            self.program(name, "true")

    def program(self, name: str, command: str) -> None:
        """Put a program of this name on PATH."""
        path = self.folder / "bin" / name
        path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        path.chmod(0o755)

    def execute(self, command: str) -> str:
        """Run a command on a pseudo-terminal; return its stdout, then its stderr.

        A server is started, and the output is empty.
        """
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
        _, errors = process.communicate(timeout=120)
        return (printed + errors.decode()).replace(str(self.folder / "home"), HOME)

    def serve(self, command: str) -> None:
        """Start a server, and return when it is ready."""
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
        eventually(lambda: self.is_ready(command), process)

    def is_ready(self, server: str) -> bool:
        """Whether Redis accepts connections, or a worker has registered with it."""
        if server.startswith("redis-server"):
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        return Bullseye(self.folder, self.redis_url).live_workers() > 0

    def close(self) -> None:
        """Kill the servers, the last one first."""
        for process in reversed(self.servers):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def read(terminal: int) -> Iterator[str]:
    """Yield the output of a pseudo-terminal until its last writer closes it."""
    with os.fdopen(terminal, "rb", buffering=0) as stream, suppress(OSError):
        while some := stream.read(65536):
            yield some.decode()


@contextmanager
def session() -> Iterator[Session]:
    """Open a session in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        one = Session(Path(folder), free_port())
        one.prepare()
        try:
            yield one
        finally:
            one.close()


def executed(text: str) -> str:
    """Return the document with the real output in its console blocks.

    A block whose new output differs only in what `masked` removes is left as it is.
    """
    shell: list[str] = []
    with session() as terminal:

        def renewed(found: re.Match[str]) -> str:
            language, lines = found[1], found[2].splitlines()
            if language == "sh":
                shell[:] = lines
                return found[0]
            commands = [line for line in lines if line.startswith("$ ")]
            printed = [f"{line}\n{terminal.execute(line[2:])}" for line in commands]
            printed = printed or [terminal.execute(line) for line in shell]
            block = f"```console\n{''.join(printed)}```"
            return found[0] if masked(found[0]) == masked(block) else block

        return re.sub(r"^```(sh|console)\n(.*?)^```$", renewed, text, flags=re.M | re.S)


def masked(text: str) -> str:
    """Return the text without what differs between two runs or machines.

    >>> masked("solved in 0.41 s  ·  12 nodes")
    'solved in # s · # nodes'
    """
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


#: times, nodes, rates, what is sorted by them, the padding next to them, and the progress that a
#: busy machine reports
MASKS = (
    (r"^.*[█▏▎▍▌▋▊▉].*\n", ""),
    (r"^(batch \d+: \d+ %|  puzzle \d+ · ).*\n", ""),
    (r"^ *[\d.,]{1,12}\n", ""),
    (r"^ *\d+ +[\d,]+ +([\d.]+|(0|\d*\.\d+)  .*)\n", ""),
    (r"[\d.,]+–[\d.,]+( × 10[⁰¹²³⁴⁵⁶⁷⁸⁹]+)? (ms|s|min|h|days|years)\b", "# time"),
    (r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "#"),
    (r"bullseye-\d+@\S+", "worker"),
    (r"\d[\d,.]* (ms|nodes?|puzzles/s)\b", r"# \1"),
    (r"[\d,.]+ +[1-9]{6,}…", "# …"),
    (r"p(\d+|max) [\d,]+(?= |$)", r"p\1 #"),
    (r"\d[\d,]*\.\d+|\b\d+:\d\d\b", "#"),
    (r" +", " "),
)


if __name__ == "__main__":
    compile_all()
    for page in PAGES:
        page.write_text(executed(page.read_text()))
