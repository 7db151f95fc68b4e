"""A worker whose solver has a fault: `-m tests.end_to_end.faulty_worker FAULT PUZZLE -c N`.

The fault happens when the search reaches PUZZLE; all other puzzles are solved.
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable, Generator, Sequence

import numpy as np

from storage.values import Kind
from worker import solve as solver
from worker.options import Options
from worker.outcome import Outcomes
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


def main(fault: str, deadly: str, processes: int) -> None:
    """Serve the database and Redis that `BULLSEYE_*` name."""
    search = solver.search

    def faulty(kind: Kind, texts: Sequence[str], options: Options) -> Generator[Outcomes]:
        for text in texts:
            if text == deadly:
                FAULTS[fault]()
            yield from search(kind, [text], options)

    solver.search = faulty  # type: ignore[assignment] # without the length of a slice
    from worker.serve import serve  # noqa: PLC0415 # it imports the search, which must be the faulty one

    serve(Settings.from_env(), processes)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[4]))
