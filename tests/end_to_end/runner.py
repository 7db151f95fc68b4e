"""`bullseye` whose `solve` uses one runner only: `python -m tests.end_to_end.runner RUNNER ...`.

The runners are the command's own process (`own`), a private Redis and worker (`worker`), and the
process pool (`pool`).
"""

import os
import signal
import sys
from math import inf

RUNNERS = ("own", "worker", "pool")
#: the module that runs the private worker
PROGRAM = "worker.serve"

if "FATAL" in os.environ:  # also in the processes of the pool, which import this module
    from tests.end_to_end import faulty_solver

    PROGRAM = faulty_solver.__name__


def use_only(runner: str) -> None:
    """Let this process solve everything, or nothing."""
    from worker.local import backend, solve  # noqa: PLC0415 # after the handler is set

    if runner == "own":
        solve.START_SECONDS = solve.HANDOVER_SECONDS = inf
    else:
        solve.HANDOVER_SECONDS = -1.0
    if runner == "pool":
        os.environ["BULLSEYE_REDIS_SERVER"] = "none"
    if runner == "worker":
        backend.PROGRAM = PROGRAM


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as the program does while it starts
    use_only(sys.argv.pop(1))
    from cli.main import main

    main()
