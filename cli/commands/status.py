"""`bullseye status`: how far the batches are."""

from typing import TYPE_CHECKING

import click

from cli.options import batch_type, command, database_option, json_option, redis_option
from cli.parameters import MOST, Whole

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from worker.settings import Settings

#: batches that are listed without a wish
LISTED = 20


@command
@click.argument("batch", type=batch_type, required=False)
@click.option("-w", "--watch", is_flag=True, help="Follow BATCH and its workers until it is over.")
@click.option(
    "--first",
    type=Whole(1, MOST),
    metavar="N",
    default=LISTED,
    show_default=True,
    help="List at most N batches.",
)
@json_option
@database_option
@redis_option
def status(
    *,
    batch: int | None,
    watch: bool,
    first: int,
    as_json: bool,
    database: str | None,
    redis: str | None,
) -> None:
    """Tell how far a batch is; without BATCH, list the batches, newest first.

    Works without Redis. With --watch it exits like submit --wait: 1 if something
    failed, timed out or was invalid.

    \b
    Examples:
      bullseye status
      bullseye status 7 --watch
    """
    if watch and batch is None:
        raise click.UsageError("--watch follows one batch; say which: bullseye status -w BATCH.")

    from cli.database import opened

    with opened(database, redis) as (settings, engine):
        if watch and batch is not None:
            _follow(settings, engine, batch)
        else:
            _tell(settings, engine, batch, first, as_json=as_json)


def _follow(settings: "Settings", engine: "Engine", batch_id: int) -> None:
    from cli.outbox import outbox_of
    from cli.progress.wait import Wait, finish
    from storage import batches
    from storage.database import read

    with read(engine) as connection:
        queue = batches.find(connection, batch_id).queue
    wait = Wait(engine, outbox_of(settings, engine, queue), patience=None)
    finish(wait.until_over(batch_id), engine, settings)


def _tell(
    settings: "Settings", engine: "Engine", batch_id: int | None, first: int, *, as_json: bool
) -> None:
    import json

    from cli.database import place
    from cli.progress import status as progress
    from storage import batches
    from storage.database import read
    from storage.queries.progress import read_progress

    with read(engine) as connection:
        if batch_id is None:
            ids = [batch.id for batch in batches.newest(connection, first)]
        else:
            ids = [batch_id]
        found = [read_progress(connection, number, tally=batch_id == number) for number in ids]
    redis = progress.redis_state(settings)
    if as_json:
        told = [progress.as_json(one) for one in found]
        answer = {"batches": told} if batch_id is None else told[0]
        click.echo(json.dumps({**answer, "redis": redis}, indent=2))
        return
    lines = progress.told(found[0]) if batch_id else progress.listed(found, place(settings))
    for line in lines:
        click.echo(line)
    click.echo(f"redis: {redis}")
