"""`bullseye pause`: lets workers leave a batch for a while."""

import click

from cli.options import command, database_option
from cli.parameters import BATCH
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@database_option
def pause(batch: BatchKey, database: str | None) -> None:
    """Stop solving a batch until resume, and keep its answers.

    BATCH is a number, a name, or last. Workers give back what they are solving
    within 2 s: long searches go on from there, other puzzles begin again.

    Works without Redis.

    \b
    Examples:
      bullseye pause 7
      bullseye pause sunday && bullseye submit --wait urgent.txt
    """
    from cli.database import connect, find_batch
    from storage.database import write
    from storage.outbox import steering

    with connect(database) as (_, engine):
        number = find_batch(engine, batch).id
        with write(engine) as connection:
            steering.pause(connection, number)
    notify(f"batch {number} paused · go on with it: bullseye resume {number}")
