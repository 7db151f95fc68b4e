"""Who solves for `solve`: a Redis and a Celery worker of our own, or a process pool.

They are started before anything else is loaded or read, because they take longest to be ready:
this module and `private` import neither database nor Redis nor kernel.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from worker.local.private import find_redis, private_queue
from worker.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine


class Solvers(Protocol):
    """Those who solve."""

    @property
    def settings(self) -> Settings:
        """The database and the queue that they serve, and nobody else."""

    def step(self, engine: "Engine") -> None:
        """Wait a moment, and do what is to be done meanwhile."""


@contextmanager
def solvers(settings: Settings, processes: int, tell: Callable[[str], None]) -> Iterator[Solvers]:
    """A private Redis and worker; a pool, said in one line, where no Redis can be had."""
    ours = replace(
        settings,
        queue=f"solve-{secrets.token_hex(8)}",
        sweep=0.2,
        lease=min(settings.lease, 10.0),
        renewal=min(settings.renewal, 2.0),
    )
    program = find_redis(settings.redis_server)
    if program is None:
        from worker.local.pool import Pool  # noqa: PLC0415 # loads the kernel, which others do for us

        tell("no Redis program found (redis-server or valkey-server): solving in a process pool")
        with closing(Pool(ours, processes)) as pool:
            yield pool
    else:
        with private_queue(ours, program, processes, tell) as worker:
            yield worker
