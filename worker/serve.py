"""Start a Celery worker in this process, for `bullseye worker` and for `bullseye solve`."""

import os
import sys
from collections.abc import Sequence

from worker.queue.carrier import require
from worker.settings import Settings


def serve(settings: Settings, processes: int, options: Sequence[str] = ()) -> None:
    """Run a worker until it is stopped; `options` are Celery's and override the defaults.

    Raises RedisUnreachable if Redis does not answer at the start.  Later the worker waits for it.
    """
    require(settings.redis_url)
    # Celery reads this while it is imported: SIGTERM then means a soft shutdown.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")
    from worker.app import worker_app  # noqa: PLC0415 # only after REMAP_SIGTERM is set

    worker_app(settings).worker_main(worker_arguments(processes, options))


def worker_arguments(processes: int, options: Sequence[str] = ()) -> list[str]:
    """The command line of `celery worker` for this process."""
    name = f"bullseye-{os.getpid()}@%h"
    # Nothing uses gossip and mingle, and they double the time to start.
    defaults = ["-c", str(processes), "-n", name, "--without-gossip", "--without-mingle"]
    return ["worker", *defaults, *options]


if __name__ == "__main__":
    serve(Settings.from_env(), int(sys.argv[1]), sys.argv[2:])
