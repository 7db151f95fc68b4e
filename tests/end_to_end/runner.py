"""`bullseye` whose `solve` uses one runner only: `python -m tests.end_to_end.runner RUNNER ...`.

The runners are the command's own process (`own`), a private Redis and worker (`worker`), and the
process pool (`pool`).
"""

import os
import signal
import sys
from math import inf

signal.signal(signal.SIGINT, signal.SIG_DFL)  # as the program does while it starts

from cli.main import main  # noqa: E402
from worker.local import in_process  # noqa: E402

RUNNERS = ("own", "worker", "pool")


def use_only(runner: str) -> None:
    """Let this process solve everything, or nothing."""
    if runner == "own":
        in_process.START_SECONDS = in_process.HANDOVER_SECONDS = inf
    else:
        in_process.HANDOVER_SECONDS = -1.0
    if runner == "pool":
        os.environ["BULLSEYE_REDIS_SERVER"] = "none"


if __name__ == "__main__":
    use_only(sys.argv.pop(1))
    main()
