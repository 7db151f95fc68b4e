"""A worker whose solver has a fault: `-m tests.end_to_end.faulty_worker FAULT PUZZLE -c N`.

The fault happens when the search reaches PUZZLE; all other puzzles are solved.
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

# Celery reads this while it is imported; `worker.serve` sets it in the same way.
os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")

from storage.values import Kind
from worker import solve
from worker.app import worker_app
from worker.options import Options
from worker.outcome import Outcomes
from worker.serve import worker_arguments
from worker.settings import Settings


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def memory() -> None:
    """Allocate more than an address-space limit allows, which stands for the machine's memory."""
    size = 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    arrays = [np.empty(size // 16, np.uint8) for _ in range(17)]
    raise AssertionError(f"{len(arrays)} arrays were allocated")


def stuck() -> None:
    """Block as a kernel does that never returns: no other Python code can run meanwhile."""
    ctypes.PyDLL(None).sleep(3600)


FAULTS: dict[str, Callable[[], None]] = {"kill": kill, "memory": memory, "stuck": stuck}


def main(fault: str, fatal: str, processes: int) -> None:
    """Serve the database and Redis that `BULLSEYE_*` name."""
    usual = solve.search

    def faulty(
        kind: Kind, texts: Sequence[str], options: Options, *_: Any, **__: Any
    ) -> Generator[Outcomes]:
        for text in texts:
            if text == fatal:
                FAULTS[fault]()
            yield from usual(kind, [text], options)

    solve.search = faulty  # before the tasks are imported
    app = worker_app(Settings.from_env())
    app.worker_main(worker_arguments(processes))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[4]))
