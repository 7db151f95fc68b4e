"""`bullseye resume`: ends the pause of a batch."""

import click

from cli.options import command, database_option
from cli.parameters import BATCH
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@database_option
def resume(batch: BatchKey, database: str | None) -> None:
    """Go on solving a batch that was paused.

    BATCH is a number, a name, or last. Works without Redis: workers see the
    change in the database within 5 s. A batch that was cancelled is resumed by
    retry.

    \b
    Examples:
      bullseye resume 7
      bullseye resume 7 && bullseye status -w 7
    """
    from cli.database import connect, find_batch
    from storage.database import write
    from storage.outbox import steering

    with connect(database) as (_, engine):
        number = find_batch(engine, batch).id
        with write(engine) as connection:
            resumed = steering.resume(connection, number)
    notify(f"batch {number} {'resumed' if resumed else 'is not paused'}")
