"""`bullseye priority`: changes the priority of a batch that is being solved."""

import click

from cli.options import command, database_option
from cli.parameters import BATCH, PRIORITY
from cli.streams import notify
from storage.values import BatchKey, Priority


@command
@click.argument("batch", type=BATCH)
@click.argument("share", type=PRIORITY, metavar="low|normal|high")
@database_option
def priority(batch: BatchKey, share: str, database: str | None) -> None:
    """Change the share of the workers that a batch gets while others wait.

    BATCH is a number, a name, or last. The shares of low, normal and high are
    as 1 to 4 to 16. Works without Redis.

    \b
    Examples:
      bullseye priority 7 high
      bullseye priority sunday low
    """
    from cli.database import connect, find_batch
    from storage.database import write
    from storage.outbox import steering

    with connect(database) as (_, engine):
        number = find_batch(engine, batch).id
        with write(engine) as connection:
            steering.set_priority(connection, number, Priority(share))
    notify(f"batch {number} has {share} priority")
