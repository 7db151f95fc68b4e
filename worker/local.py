"""`solve`: a batch from beginning to end on this machine, with nothing set up.

The same way as on many machines: a Redis of our own carries the chunks to a Celery worker
of our own.  The batch has a queue to itself, swept by that worker only.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Protocol

from sqlalchemy import Engine

from storage import batches, chunks
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.values import ChunkState
from worker.private import find_redis, private_queue
from worker.puzzles.options import Options
from worker.settings import Settings
from worker.submit import Spool, store


def solve(
    settings: Settings,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    processes: int,
    tell: Callable[[str], None],
    watch: Callable[[Engine, Batch], None],
) -> Batch:
    """Store the spool as a batch and return when every puzzle of it is answered.

    `tell` gets a line where Redis has to be done without; `watch` is called while waiting.
    On any exception, Ctrl-C included, the batch is cancelled with the answers it has.
    """
    ours = replace(
        settings,
        queue=f"solve-{secrets.token_hex(8)}",
        sweep=0.2,
        lease=min(settings.lease, 10.0),
        renewal=min(settings.renewal, 2.0),
    )
    # The worker starts first: while it loads, the batch is stored.
    with _solvers(ours, processes, tell) as solvers:
        engine = open_database(settings.database_url, migrate=True)
        try:
            batch = store(engine, spool, options, name=name, queue=ours.queue)
            _await(engine, batch, solvers, watch)
        finally:
            engine.dispose()
    return batch


def _await(
    engine: Engine, batch: Batch, solvers: "Solvers", watch: Callable[[Engine, Batch], None]
) -> None:
    """Return when the batch is complete; cancel it if anything comes in between."""
    try:
        while not _complete(engine, batch):
            solvers.step(engine)
            watch(engine, batch)
    except BaseException:
        with write(engine) as connection:
            batches.cancel(connection, batch.id)
        raise


class Solvers(Protocol):
    """Those who solve: a private worker, or a process pool."""

    def step(self, engine: Engine) -> None:
        """Wait a moment, and do what is to be done meanwhile."""


@contextmanager
def _solvers(settings: Settings, processes: int, tell: Callable[[str], None]) -> Iterator[Solvers]:
    """A private Redis and worker; a pool, said in one line, where no Redis can be had."""
    program = find_redis(settings.redis_server)
    if program is None:
        from worker.pool import Pool  # noqa: PLC0415 # loads the kernel, which others do for us

        tell("no Redis program found (redis-server or valkey-server): solving in a process pool")
        with closing(Pool(settings, processes)) as pool:
            yield pool
    else:
        with private_queue(settings, program, processes) as worker:
            yield worker


def _complete(engine: Engine, batch: Batch) -> bool:
    with read(engine) as connection:
        states = chunks.states(connection, batch.id)
    return not any(count for state, count in states.items() if state is not ChunkState.DONE)
