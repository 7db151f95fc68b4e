"""`bullseye status`: the progress of batches."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.options import command, database_option, json_option, redis_option
from cli.parameters import BATCH, Integer
from cli.streams import echo, terminal_columns
from storage.values import MAX_INTEGER, BatchKey

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from storage.batches import Batch
    from storage.queries.progress import Progress
    from worker.settings import Settings

#: batches that are listed by default
DEFAULT_BATCHES = 20


@command
@click.argument("batch", type=BATCH, required=False)
@click.option("-w", "--watch", is_flag=True, help="Follow BATCH and its workers to the end.")
@click.option(
    "--first",
    type=Integer(1, MAX_INTEGER),
    metavar="N",
    default=DEFAULT_BATCHES,
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

    with connect(database, redis) as (settings, engine):
        found = None if batch is None else find_batch(engine, batch)
        if watch and found is not None:
            _watch(settings, engine, found)
        else:
            number = found.id if found else None
            listed = _read_progress(engine, number, first)
            _print_status(settings, listed, number, as_json=as_json)


def _watch(settings: "Settings", engine: "Engine", batch: "Batch") -> None:
    from contextlib import closing

    from cli.progress.wait import finish, follow
    from worker.queue.carrier import Carrier

    with closing(Carrier.connect(settings.redis_url, batch.queue)) as carrier:
        last = follow(engine, settings, carrier, batch.id, patience=None)
    finish(last, engine, settings)


def _read_progress(engine: "Engine", batch_id: int | None, first: int) -> "list[Progress]":
    """Read one batch with its statuses, or the newest ones without them."""
    from storage import batches
    from storage.database import read
    from storage.queries.progress import read_progress

    with read(engine) as connection:
        if batch_id is not None:
            return [read_progress(connection, batch_id, tally=True)]
        newest = batches.newest(connection, first, being_stored=True)
        return [read_progress(connection, batch.id, tally=False) for batch in newest]


def _print_status(
    settings: "Settings", found: "Sequence[Progress]", batch_id: int | None, *, as_json: bool
) -> None:
    import json

    from cli.database import location
    from cli.progress.status import as_json as to_json
    from cli.progress.status import describe_batch, list_batches, redis_state

    redis = redis_state(settings)
    if as_json:
        values = [to_json(progress) for progress in found]
        answer = {"batches": values} if batch_id is None else values[0]
        click.echo(json.dumps({**answer, "redis": redis}, indent=2))
        return
    if batch_id:
        lines = describe_batch(found[0])
    else:
        lines = list_batches(found, location(settings), terminal_columns(sys.stdout))
    for line in lines:
        echo(line)
    echo(f"redis: {redis}")
