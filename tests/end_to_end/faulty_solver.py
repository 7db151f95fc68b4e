"""A solver that a puzzle kills: `-m tests.end_to_end.faulty_solver` is `-m worker.serve` with it.

The puzzle is in the environment variable FATAL; without it, the module changes nothing.
"""

import os
import signal
import sys
from collections.abc import Generator, Sequence
from typing import Any

from storage.values import Kind
from worker import solve
from worker.options import Options
from worker.outcome import Outcomes

usual = solve.search
FATAL = os.environ.get("FATAL")


def search(
    kind: Kind, texts: Sequence[str], options: Options, *arguments: Any, **budget: Any
) -> Generator[Outcomes]:
    """Solve puzzles as usual, until FATAL."""
    for text in texts:
        if text == FATAL:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from usual(kind, [text], options, *arguments, **budget)


if FATAL is not None:
    solve.search = search

if __name__ == "__main__":
    from worker.serve import serve_privately

    serve_privately(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
