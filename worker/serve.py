"""Runs a Celery worker in this process, for `bullseye worker` and for `bullseye solve`."""

import operator
import os
import sys
from collections.abc import Sequence

from storage.errors import StorageError
from worker.errors import WorkerError
from worker.outages import retrying
from worker.queue.carrier import require_redis
from worker.queue.distance import processes_for, round_trip
from worker.queue.notices import send_notices
from worker.semaphores import require_semaphores
from worker.settings import Settings


def serve(
    settings: Settings,
    processes: int | None,
    options: Sequence[str] = (),
    *,
    cores: int = 1,
    wait: bool = False,
) -> None:
    """Run a worker until it is stopped; `options` are Celery's and override the defaults.

    Without `processes`, as many are started as keep the cores busy at this distance from Redis and
    the database.
    With `wait`, it waits for Redis and the database; without, RedisUnreachable or an error of
    `open_database` is raised at the start.  Later the worker waits for both.  Raises NoSemaphores.
    """
    require_semaphores()
    # Celery reads this while it is imported: SIGTERM then means a soft shutdown.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")
    from worker.app import worker_app  # noqa: PLC0415 # only after REMAP_SIGTERM is set

    persist = retrying if wait else operator.call
    persist(lambda: require_redis(settings.redis_url))
    app = persist(lambda: worker_app(settings))
    if processes is None:
        away = persist(lambda: round_trip(settings.redis_url, app.engine))
        app.engine.dispose()  # the processes have connections of their own
        processes = processes_for(cores, away)
    app.worker_main(worker_arguments(processes, options))


def worker_arguments(processes: int, options: Sequence[str] = ()) -> list[str]:
    """Return the arguments of `celery` for a worker in this process."""
    name = f"bullseye-{os.getpid()}@%h"
    # Nothing here uses gossip and mingle, which double the time to start.
    defaults = ["-c", str(processes), "-n", name, "--without-gossip", "--without-mingle"]
    # The banner is left out: `worker.app` logs one line when the worker is ready.
    return ["--quiet", "worker", *defaults, *options]


def serve_privately(processes: int, notices: int, options: Sequence[str]) -> None:
    """Run the private worker of `bullseye solve`, with the settings of the environment.

    `notices` is the file descriptor of a pipe to the process that waits for the worker; it waits
    also if the database is locked, full or unreachable when the worker starts.
    """
    send_notices(notices)
    serve(Settings.from_env(), processes, options, wait=True)


if __name__ == "__main__":
    try:
        serve_privately(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    except (StorageError, WorkerError) as error:  # `solve` reports the last line
        sys.exit(str(error))
