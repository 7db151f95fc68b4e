"""A build of the solver with a fault in it: `... -m tests.end_to_end.deadly FAULT PUZZLE -c N`.

A worker like any other, but one puzzle is too much for it.
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
    """Take all there is; a limit stands in for the machine's end."""
    size = 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    hoard = [np.empty(size // 16, np.uint8) for _ in range(17)]
    raise AssertionError(f"{len(hoard)} pieces fitted in")


def stuck() -> None:
    """As a kernel without an end: it never lets go of Python."""
    ctypes.PyDLL(None).sleep(3600)


FAULTS: dict[str, Callable[[], None]] = {"kill": kill, "memory": memory, "stuck": stuck}


def main(fault: str, deadly: str, processes: int) -> None:
    """Serve what `BULLSEYE_*` say."""
    search = solver.search

    def faulty(kind: Kind, texts: Sequence[str], options: Options) -> Generator[Outcomes]:
        for text in texts:
            if text == deadly:
                FAULTS[fault]()
            yield from search(kind, [text], options)

    solver.search = faulty  # type: ignore[assignment] # without the length of a slice
    from worker.serve import serve  # noqa: PLC0415 # everybody else must find the faulty one

    serve(Settings.from_env(), processes)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[4]))
