"""`bullseye status`: the progress of batches."""

import click

from cli.options import command, database_option, json_option, redis_option
from cli.parameters import BATCH, Integer
from storage.values import MAX_INTEGER, BatchKey


@command
@click.argument("batch", type=BATCH, required=False)
@click.option("-w", "--watch", is_flag=True, help="Follow BATCH and its workers to the end.")
@click.option(
    "--first",
    type=Integer(1, MAX_INTEGER),
    metavar="N",
    default=20,
    show_default=True,
    help="List at most N batches.",
)
@json_option
@database_option
@redis_option
def status(
    *,
    batch: BatchKey | None,
    watch: bool,
    first: int,
    as_json: bool,
    database: str | None,
    redis: str | None,
) -> None:
    """Show the progress of one batch; without BATCH, list batches, newest first.

    BATCH is a number, a name, or last. Works without Redis. With --watch it
    exits like submit --wait: with 1 if a puzzle failed, timed out or was
    invalid.

    \b
    Examples:
      bullseye status
      bullseye status 7 --watch
    """
    if watch and batch is None:
        raise click.UsageError("--watch needs a batch: bullseye status BATCH --watch.")

    from cli.database import connect, find_batch
    from cli.progress.status import print_status

    with connect(database, redis) as (settings, engine):
        found = None if batch is None else find_batch(engine, batch)
        if watch and found is not None:
            from cli.progress.wait import watch as follow

            follow(settings, engine, found)
        else:
            print_status(settings, engine, found, first, as_json=as_json)
