"""The backend of `bullseye solve`: a private Redis and worker, or a process pool.

A private worker takes longest to start, so it is started before the database, Redis' client or the
kernel are imported: this module, `private_worker` and what they import use none of them.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from worker.local.private_worker import private_worker
from worker.local.redis_server import find_redis
from worker.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine  # see above

#: seconds between two sweeps: nobody else publishes the chunks of a private queue
SWEEP_SECONDS = 0.2
#: the longest lease and renewal, in seconds: all processes run on this machine and are watched
MAX_LEASE_SECONDS = 10.0
MAX_RENEWAL_SECONDS = 2.0


class Backend(Protocol):
    """Processes that solve the chunks of one queue."""

    @property
    def settings(self) -> Settings:
        """The settings of the processes; `queue` is the queue that they serve."""

    def step(self, engine: "Engine") -> None:
        """Wait for a fraction of a second, and do what is due in this process."""


@contextmanager
def start_backend(
    settings: Settings, processes: int, notify: Callable[[str], None]
) -> Iterator[Backend]:
    """Start a backend with a queue of its own; it is killed at the end of the block.

    Without a Redis program it is a process pool, and `notify` is called with one sentence about it.
    """
    private = replace(
        settings,
        queue=f"solve-{secrets.token_hex(8)}",
        sweep=SWEEP_SECONDS,
        lease=min(settings.lease, MAX_LEASE_SECONDS),
        renewal=min(settings.renewal, MAX_RENEWAL_SECONDS),
    )
    program = find_redis(settings.redis_server)
    if program is None:
        from worker.local.pool import Pool  # noqa: PLC0415 # imports the kernel, see above

        notify("no Redis program found (redis-server or valkey-server): solving in a process pool")
        with closing(Pool(private, processes)) as pool:
            yield pool
    else:
        with private_worker(private, program, processes, notify) as worker:
            yield worker
