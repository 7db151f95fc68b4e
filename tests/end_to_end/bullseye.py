"""Bullseye as a user runs it: real processes, a real Redis and a real database."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import worker
from worker.queue.carrier import Carrier

ROOT = Path(worker.__file__).parent.parent
COMMAND = [sys.executable, "-m", "cli.main"]


@dataclass
class Bullseye:
    """An installation: a folder with a database, the URL of a Redis, and further settings."""

    folder: Path
    redis_url: str
    settings: dict[str, str] = field(default_factory=dict)
    #: the command that starts a worker
    program: tuple[str, ...] = (*COMMAND, "worker")

    @property
    def database(self) -> Path:
        return self.folder / "bullseye.db"

    @property
    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "BULLSEYE_DATABASE_URL": str(self.database),
            "BULLSEYE_REDIS_URL": self.redis_url,
            **self.settings,
        }

    def run(self, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, whatever its exit code."""
        return subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=self.env,
            cwd=self.folder,
            timeout=240,
            check=False,
        )

    def out(self, *arguments: str, stdin: str | None = None) -> str:
        """Run a command, which must succeed, and return its stdout."""
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def status(self, batch: str) -> dict[str, Any]:
        """Return the parsed output of `status --json` for a batch."""
        status: dict[str, Any] = json.loads(self.out("status", batch, "--json"))
        return status

    def live_workers(self) -> int:
        """Return the number of workers that report themselves as alive."""
        with closing(Carrier.connect(self.redis_url, "")) as carrier:
            lists = carrier.client.keys("bullseye-*:workers")
            return sum(carrier.client.zcard(workers) for workers in lists)

    def logs(self) -> str:
        """Return what all workers have logged."""
        return "".join(log.read_text() for log in sorted(self.folder.glob("worker-*.log")))

    def unprivileged(self) -> "Bullseye":
        """Return a copy whose workers cannot override file permissions, even if root runs them."""
        if os.geteuid():
            return self
        drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
        return replace(self, program=(*drop, *self.program))

    @contextmanager
    def worker(
        self, processes: int | None = 1, *arguments: str
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Start a worker in a process group of its own, and kill it at the end of the block.

        Without `processes`, it decides itself how many.
        """
        given = () if processes is None else ("-c", str(processes))
        log = self.folder / f"worker-{time.monotonic_ns()}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*self.program, *given, *arguments],
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.env,
                cwd=self.folder,
                process_group=0,
            )
        try:
            yield process
        finally:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker and all its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait()


def eventually(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait until the condition is true; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still false after {seconds} s"
        time.sleep(0.05)
