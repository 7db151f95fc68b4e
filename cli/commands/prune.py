"""`bullseye prune`: deletes old batches."""

import click

from cli.options import command, database_option, redis_option, vacuum_option, yes_option
from cli.parameters import AGE
from cli.streams import notify


@command
@click.option(
    "--older-than",
    "age",
    type=AGE,
    metavar="AGE",
    required=True,
    help="Batches submitted at least this long ago, such as 12h, 30d or 8w.",
)
@click.option("-n", "--dry-run", is_flag=True, help="Only list what would be deleted.")
@yes_option
@vacuum_option
@database_option
@redis_option
def prune(
    age: float, dry_run: bool, yes: bool, vacuum: bool, database: str | None, redis: str | None
) -> None:
    """Delete all batches that are old, and finished or cancelled.

    Asks for confirmation on a terminal. Later answers use the space; --vacuum
    returns it to the file system.

    \b
    Examples:
      bullseye prune --older-than 30d --dry-run
      bullseye prune --older-than 8w --yes --vacuum
    """
    from cli import deletion
    from cli.database import connect
    from storage.database import read
    from storage.outbox.removal import content, is_unfinished, older_than

    with connect(database, redis) as (settings, engine):
        with read(engine) as connection:
            old = older_than(connection, age)
            kept = [batch.id for batch in old if is_unfinished(connection, batch.id)]
            contents = [content(connection, batch.id) for batch in old if batch.id not in kept]
        if kept:
            notify(f"kept, because not finished: batch {', '.join(map(str, kept))}")
        if not contents:
            notify("no finished batch is that old")
        elif dry_run:
            deletion.describe(contents)
        elif deletion.confirm(contents, yes=yes):
            deletion.delete(settings, engine, contents)
        if vacuum and not dry_run:
            deletion.vacuum(engine)
