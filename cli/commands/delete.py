"""`bullseye delete`: deletes one batch."""

import click

from cli.options import command, database_option, redis_option, vacuum_option, yes_option
from cli.parameters import BATCH
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@yes_option
@vacuum_option
@database_option
@redis_option
def delete(
    batch: BatchKey, yes: bool, vacuum: bool, database: str | None, redis: str | None
) -> None:
    """Delete a batch with all its puzzles and answers.

    BATCH is a number, a name, or last. It must be finished or cancelled. Asks
    for confirmation on a terminal. Later answers use the space; --vacuum
    returns it to the file system.

    \b
    Examples:
      bullseye delete 7
      bullseye cancel 7 && bullseye delete 7 --yes --vacuum
    """
    from cli import deletion
    from cli.database import connect, find_batch
    from storage.database import read
    from storage.outbox.removal import check_finished, content

    with connect(database, redis) as (settings, engine):
        number = find_batch(engine, batch).id
        with read(engine) as connection:
            check_finished(connection, number)
            contents = [content(connection, number)]
        if deletion.confirm(contents, yes=yes):
            deletion.delete(settings, engine, contents)
            if vacuum:
                deletion.vacuum(engine)
