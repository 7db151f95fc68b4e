"""A private Celery worker on a private Redis, as child processes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from worker.errors import LocalWorkerDied
from worker.local.process_group import ProcessGroup, last_line, process_group
from worker.local.redis_server import private_redis
from worker.local.waiting import WaitReport
from worker.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine  # takes 0.1 s to import, which delays the start of the worker

#: seconds that the first step waits, and the longest
STEP_SECONDS, MAX_STEP_SECONDS = 0.05, 0.25
#: the fraction of the time since the start that a step waits: querying the batch more often would
#: take time from a search that occupies all cores
STEP_FRACTION = 0.02
LOG = "worker.log"


@dataclass(frozen=True, slots=True)
class PrivateWorker:
    """A running private worker."""

    settings: Settings
    process: subprocess.Popen[bytes]
    log: Path
    waiting: WaitReport
    began: float = field(default_factory=time.monotonic)

    def step(self, _engine: "Engine") -> None:
        """Report why the worker waits, and sleep for MAX_STEP_SECONDS at most.

        Raises LocalWorkerDied, with the last line of the worker's log, if the worker has ended.
        """
        self.waiting.update()
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
        waiting = WaitReport(reader, notify)
        yield PrivateWorker(private, process, group.folder / LOG, waiting)


def _start(
    group: ProcessGroup, settings: Settings, processes: int, notices: int
) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, **settings.to_env(), "PYTHONPATH": path}
    arguments = [str(processes), str(notices), "-l", "warning"]
    command = [sys.executable, "-m", "worker.serve", *arguments]
    return group.start(command, LOG, env=env, pass_fds=[notices])
