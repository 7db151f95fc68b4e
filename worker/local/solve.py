"""Solves a batch from beginning to end on this machine.

The batch is stored and solved like a submitted one, but through a private queue that only the
backend of this command serves.
"""

from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Engine

from storage import batches, removal
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.errors import NoSuchBatch
from storage.queries.progress import is_finished
from storage.signals import check, deferred, interruptible
from storage.values import UpgradeProgress
from worker.errors import BatchLost
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.local.backend import Backend
from worker.options import Options
from worker.outages import retrying


def solve(
    backend: Backend,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    reuse: bool = False,
    watch: Callable[[Engine, Batch], None],
    upgrade: UpgradeProgress | None = None,
) -> Batch:
    """Store the spool as a batch, and return it when each of its puzzles has an answer.

    Until then `watch` is called several times a second, and `upgrade` while the tables of an
    earlier release are upgraded.  On any exception, KeyboardInterrupt included, the batch is
    cancelled and keeps the answers that are stored.  Raises BatchLost.
    """
    settings = backend.settings
    engine = open_database(settings.database_url, migrate=True, progress=upgrade)
    given = (engine, spool, options)
    try:
        with deferred():
            batch = store(*given, name=name, queue=settings.queue, reuse=reuse, private=True)
            _await(engine, batch, backend, watch)
    finally:
        engine.dispose()
    return batch


def _await(
    engine: Engine, batch: Batch, backend: Backend, watch: Callable[[Engine, Batch], None]
) -> None:
    try:
        with interruptible():
            while not retrying(lambda: _is_complete(engine, batch)):
                check()
                retrying(lambda: watch(engine, batch))
                backend.step(engine)
    except NoSuchBatch:
        raise BatchLost("deleted") from None
    finally:
        _leave(engine, batch)


def _leave(engine: Engine, batch: Batch) -> None:
    """Cancel a batch that is not complete, unless it was queued for the workers."""
    with write(engine) as connection:
        removal.disown(connection, batch.id)
        with suppress(NoSuchBatch):
            if batches.find(connection, batch.id).queue == batch.queue:
                batches.cancel(connection, batch.id)


def _is_complete(engine: Engine, batch: Batch) -> bool:
    """Return whether all puzzles have an answer; raise BatchLost if this command must end."""
    with read(engine) as connection:
        found = batches.find(connection, batch.id)
        if found.queue != batch.queue:
            raise BatchLost("left to the workers")
        if found.cancelled_at is not None:
            raise BatchLost("cancelled")
        return is_finished(connection, batch.id)
