"""The settings, the database and the queue of a command."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from cli.streams import can_draw, notify
from storage import batches
from storage.batches import Batch
from storage.database import opened, read
from storage.errors import StorageError
from storage.values import BatchKey, UpgradeProgress
from worker.errors import RedisUnreachable
from worker.settings import Settings

if TYPE_CHECKING:
    from worker.queue.dispatch import Outbox

#: what is shown while the tables of an earlier release are upgraded
UPGRADING = "upgrading the database"


@contextmanager
def connect(
    database: str | None, redis: str | None = None, *, migrate: bool = False
) -> Iterator[tuple[Settings, Engine]]:
    """Yield the settings, options before environment, and an engine on the database.

    `migrate` creates or upgrades the tables.  Raises SettingsError and the errors of `opened`.
    """
    settings = Settings.from_env(database=database, redis=redis)
    with (
        upgrade_display() as progress,
        opened(settings.database_url, migrate=migrate, progress=progress) as engine,
    ):
        yield settings, engine


@contextmanager
def reading(database: str | None, *, archived: bool = False) -> Iterator[Connection]:
    """Yield a connection that only reads; with `archived`, the answers of archived batches, too."""
    with connect(database) as (_, engine), read(engine, archived=archived) as connection:
        yield connection


def find_batch(engine: Engine, key: BatchKey) -> Batch:
    """Return the batch of a number, a name or `last`; raise NoSuchBatch or AmbiguousName."""
    with read(engine) as connection:
        return batches.find(connection, key)


@contextmanager
def upgrade_display() -> Iterator[UpgradeProgress]:
    """Yield a function that shows on stderr how much of an upgrade is done: a bar, or one line.

    The bar disappears when all is done, or at the end of the block.
    """
    with ExitStack() as stack:
        shown: list[UpgradeProgress] = []

        def show(done: int, steps: int) -> None:
            if not shown:
                shown.append(_begin(stack, steps))
            shown[0](done, steps)

        yield show


def _begin(stack: ExitStack, steps: int) -> UpgradeProgress:
    if not can_draw(sys.stderr):
        notify(UPGRADING)
        return lambda _done, _steps: None
    from cli.progress.bar import ProgressBar

    bar = stack.enter_context(ProgressBar())
    task = bar.add_task(UPGRADING, total=steps, details="")

    def draw(done: int, steps: int) -> None:
        bar.update(task, completed=done)
        if done == steps:
            stack.close()  # the batch that follows has a bar of its own

    return draw


def publish(outbox: "Outbox") -> None:
    """Publish as many chunks as fit; the sweep of a worker publishes the rest later."""
    from worker.queue import dispatch
    from worker.queue.carrier import presence

    try:
        dispatch.publish(outbox)
        known = presence(outbox.carrier)
        if known.fault:
            raise known.fault
        if known.absence:
            notify(known.absence)
    except (RedisUnreachable, StorageError) as error:
        notify("warning: " + dispatch.postponed(error).replace("\n", "\n         "))
