"""`solve`: a batch from beginning to end on this machine, with nothing set up.

The same way as on many machines: a Redis of our own carries the chunks to a Celery worker
of our own.  The batch has a queue to itself, swept by that worker only.
"""

from collections.abc import Callable

from sqlalchemy import Engine

from storage import batches
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.queries.progress import count_chunks
from storage.values import ChunkState
from worker.intake.submit import Spool, store
from worker.local.solvers import Solvers
from worker.options import Options
from worker.queue.backoff import retrying


def solve(
    solvers: Solvers,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    reuse: bool = False,
    watch: Callable[[Engine, Batch], None],
) -> Batch:
    """Store the spool as a batch and return when every puzzle of it is answered.

    `watch` is called while waiting.  On any exception, Ctrl-C included, the batch is cancelled
    with the answers it has.
    """
    engine = open_database(solvers.settings.database_url, migrate=True)
    try:
        batch = store(engine, spool, options, name=name, queue=solvers.settings.queue, reuse=reuse)
        _await(engine, batch, solvers, watch)
    finally:
        engine.dispose()
    return batch


def _await(
    engine: Engine, batch: Batch, solvers: Solvers, watch: Callable[[Engine, Batch], None]
) -> None:
    """Return when the batch is complete; cancel it if anything comes in between."""
    try:
        while not retrying(lambda: _complete(engine, batch)):
            solvers.step(engine)
            retrying(lambda: watch(engine, batch))
    except BaseException:
        with write(engine) as connection:
            batches.cancel(connection, batch.id)
        raise


def _complete(engine: Engine, batch: Batch) -> bool:
    with read(engine) as connection:
        states = count_chunks(connection, batch.id)
    return not any(count for state, count in states.items() if state is not ChunkState.DONE)
