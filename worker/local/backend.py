"""The backend of `bullseye solve`: a private Redis and worker, or a process pool.

Starting the private worker takes longest, so it is started before this process imports SQLAlchemy,
redis-py or the kernel: neither this module nor `private_worker` imports any of them.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from worker.local.private_worker import NO_REDIS, PROGRAMS, find_redis, private_worker
from worker.settings import PREFIX, Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine  # not at run time, as explained above

#: seconds between two sweeps; short, because no other process publishes for a private queue
SWEEP_INTERVAL_SECONDS = 0.2
#: the longest time between two commits of a long chunk, in seconds
MAX_RENEWAL_SECONDS = 2.0


class Backend(Protocol):
    """Processes that solve the chunks of one queue."""

    @property
    def settings(self) -> Settings:
        """The settings of the processes; `queue` is the queue that they serve."""

    def step(self, engine: "Engine") -> None:
        """Wait for a fraction of a second, and do the periodic work of this process."""


@contextmanager
def start_backend(
    settings: Settings, processes: int, notify: Callable[[str], None]
) -> Iterator[Backend]:
    """Start processes that serve `settings.queue`; they are killed at the end of the block.

    Without a Redis program it is a process pool, and `notify` is called with one sentence about it.
    """
    program = find_redis(settings.redis_server)
    if program is None:
        from worker.local.pool import Pool  # noqa: PLC0415 # it imports the kernel

        notify(f"{_why_no_redis(settings.redis_server)}: solving in a process pool")
        with closing(Pool(settings, processes, notify)) as pool:
            yield pool
    else:
        with private_worker(settings, program, processes, notify) as worker:
            yield worker


def private(settings: Settings) -> Settings:
    """Return the settings of a backend, with a queue that nothing else serves."""
    return replace(
        settings,
        queue=f"solve-{secrets.token_hex(8)}",
        sweep=SWEEP_INTERVAL_SECONDS,
        lease=None,
        renewal=min(settings.renewal, MAX_RENEWAL_SECONDS),
    )


def _why_no_redis(wanted: str) -> str:
    """Return why there is no Redis program, given the setting that names one."""
    if not wanted:
        return f"no Redis program found ({' or '.join(PROGRAMS)})"
    setting = f"{PREFIX}REDIS_SERVER"
    return f"{setting} is {wanted}" if wanted == NO_REDIS else f"{setting}: no program {wanted!r}"
