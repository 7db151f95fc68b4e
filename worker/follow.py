"""Follow a batch until it is complete: read from the database, sweep on the way."""

import time
from collections.abc import Callable, Iterator

from sqlalchemy import Engine

from storage.database import read
from storage.queries import Progress, progress
from worker import dispatch
from worker.dispatch import Outbox
from worker.errors import NoWorker, RedisUnreachable

#: seconds without a live worker after which waiting makes no sense
PATIENCE = 60.0


def follow(
    engine: Engine,
    batch_id: int,
    outbox: Outbox | None,
    *,
    pause: float = 0.5,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Progress]:
    """The batch's progress every `pause` seconds, the last one complete or cancelled.

    With an outbox it sweeps, and raises NoWorker when for `patience` seconds no worker gave
    a sign of life and no answer came.  Redis may come and go meanwhile.
    """
    alive, swept, answered = clock(), float("-inf"), -1
    while True:
        with read(engine) as connection:
            now = progress(connection, batch_id)
        yield now
        if now.complete or now.batch.cancelled_at is not None:
            return
        if now.answered > answered:
            alive, answered = clock(), now.answered
        if outbox is not None and clock() - swept >= outbox.settings.sweep:
            swept = clock()
            if _sweep(outbox):
                alive = clock()
        if outbox is not None and clock() - alive > patience:
            raise NoWorker(
                f"no worker has answered for {patience:.0f} s; the batch waits: start one with "
                f"bullseye worker, then see bullseye status {batch_id}"
            )
        sleep(pause)


def _sweep(outbox: Outbox) -> bool:
    """One sweep; is any worker alive?"""
    try:
        dispatch.sweep(outbox)
        return bool(outbox.carrier.workers())
    except RedisUnreachable:
        return False
