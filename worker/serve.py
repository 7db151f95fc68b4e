"""Start a Celery worker in this process: behind `bullseye worker` and behind `solve`."""

import os
import sys
from collections.abc import Sequence

from worker.queue.carrier import require
from worker.settings import Settings


def serve(settings: Settings, processes: int, arguments: Sequence[str] = ()) -> None:
    """Work until told to stop; `arguments` are Celery's own and win over ours.

    RedisUnreachable if there is none to begin with; one that comes and goes later is awaited.
    """
    require(settings.redis_url)
    # Celery reads this while it is imported: SIGTERM then means a soft shutdown.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")
    from worker.app import worker_app  # noqa: PLC0415 # only after REMAP_SIGTERM is set

    name = f"bullseye-{os.getpid()}@%h"
    # Gossip and mingle serve nothing here and double the time to start.
    ours = ["worker", "-c", str(processes), "-n", name, "--without-gossip", "--without-mingle"]
    worker_app(settings).worker_main([*ours, *arguments])


if __name__ == "__main__":
    serve(Settings.from_env(), int(sys.argv[1]), sys.argv[2:])
