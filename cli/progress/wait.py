"""Shows the progress of a batch until it is over, and then its summary."""

import time
from collections.abc import Callable
from contextlib import closing

import click
from sqlalchemy import Engine

from cli.database import publish
from cli.errors import Exit
from cli.output.answers import answers_of
from cli.progress.display import ProgressDisplay
from cli.progress.summary import Tally, tally_of
from cli.progress.workers import WorkerTable, format_workers
from cli.streams import notify
from cli.verify import GivenSolutions
from storage.batches import Batch
from storage.database import read
from storage.queries.progress import Progress
from storage.signals import interruptible
from worker.outages import retrying
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox
from worker.settings import Settings
from worker.wait import PATIENCE_SECONDS, View, Wait


def follow(
    outbox: Outbox,
    batch_id: int,
    patience: float | None = PATIENCE_SECONDS,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Progress:
    """Show the progress of a batch of this queue until it is over, and return the last."""
    engine, carrier, settings = outbox.engine, outbox.carrier, outbox.settings
    table = WorkerTable(settings.renewal)

    def show(view: View) -> None:
        progress, held, alive, stalled = view
        workers = table.update(clock(), alive, progress.workers, held, stalled)
        display.update(progress, list(format_workers(workers, progress.batch.id)))

    def warn(text: str) -> None:
        notify(f"warning: {text}")

    with ProgressDisplay(clock) as display:
        wait = Wait(engine, settings, carrier, patience, show, warn, clock, sleep)
        return wait.until_over(batch_id)


def publish_and_wait(batch: Batch, outbox: Outbox, *, wait: bool) -> Progress | None:
    """Publish a batch and, with `wait`, return its progress when it is over.

    After Ctrl-C or SIGTERM print how to follow or cancel the batch.
    """
    try:
        with interruptible():
            if batch.options.get("reused") != batch.puzzles:
                publish(outbox)
            if not wait:
                return None
            return follow(outbox, batch.id)
    except (KeyboardInterrupt, SystemExit):
        notify(
            f"interrupted · batch {batch.id} goes on"
            f" · follow it with: bullseye status -w {batch.id}"
            f" · stop it with: bullseye cancel {batch.id}"
        )
        raise


def watch(settings: Settings, engine: Engine, batch: Batch) -> None:
    """Follow a batch to its end, however long no worker is alive, and `finish`."""
    with closing(Carrier.connect(settings.redis_url, batch.queue)) as carrier:
        last = follow(Outbox(engine, carrier, settings), batch.id, patience=None)
    finish(last, engine, settings)


def finish(
    last: Progress,
    engine: Engine,
    settings: Settings,
    expect: str | None = None,
    given: GivenSolutions | None = None,
) -> None:
    """Print the summary of a batch that is over; exit with 1 if cancelled, and as `conclude`."""
    batch = last.batch
    tally = retrying(lambda: _tally(engine, batch))  # the connection may have ended meanwhile
    tally.report(batch, last.seconds, settings)
    if batch.cancelled_at:
        notify(f"batch {batch.id} was cancelled; resume it with: bullseye retry {batch.id}")
    if given:
        with read(engine) as connection:
            for answer in answers_of(connection, batch):
                given.compare(answer)
    code = tally.conclude(batch.id, expect, given)
    if batch.cancelled_at or code:
        raise click.exceptions.Exit(Exit.SOME_FAILED)


def _tally(engine: Engine, batch: Batch) -> Tally:
    with read(engine) as connection:
        return tally_of(connection, batch)
