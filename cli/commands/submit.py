"""`bullseye submit`: hand puzzles to the workers."""

import sys
from typing import TYPE_CHECKING

import click

from cli.options import Request, command, database_option, input_options, redis_option
from cli.verify.expect import expect_option, refuse_what_cannot_be_expected, verify_option

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from cli.verify.given_solutions import GivenSolutions
    from storage.batches import Batch
    from worker.intake.spool import Spool
    from worker.settings import Settings


@command
@input_options
@click.option("--wait", is_flag=True, help="Follow until all is answered.")
@expect_option
@verify_option
@database_option
@redis_option
def submit(
    *,
    asked: Request,
    wait: bool,
    expect: str | None,
    verify: bool,
    database: str | None,
    redis: str | None,
) -> None:
    """Hand puzzle files to the workers, and print the number of the batch.

    FILE is a path, - for stdin, or a literal puzzle in one line. In a pipe
    stdout gets the number alone.

    \b
    Examples:
      bullseye submit 17clue.txt hard.txt --name sunday
      bullseye submit --wait --expect unique new.txt
      batch=$(bullseye submit puzzles.txt) && bullseye status -w $batch
    """
    from cli.input.dry_run import dry_run

    refuse_what_cannot_be_expected(expect, asked.options)
    if expect and not wait:
        raise click.UsageError("--expect needs --wait: who does not wait cannot know.")
    if verify and not wait:
        raise click.UsageError("--verify needs --wait: who does not wait cannot know.")
    if asked.dry_run:
        dry_run(asked, verify=verify)
        return
    from cli.database import opened
    from cli.input.spool import spooled
    from cli.verify.given_solutions import given_by
    from worker.queue.carrier import require
    from worker.settings import Settings

    require(Settings.from_env(database=database, redis=redis).redis_url)
    with (
        given_by(verify, asked.options) as given,
        spooled(asked, "submit", given) as spool,
        opened(database, redis, migrate=True) as (settings, engine),
    ):
        _submit(asked, spool, settings, engine, wait=wait, expect=expect, given=given)


def _submit(
    asked: Request,
    spool: "Spool",
    settings: "Settings",
    engine: "Engine",
    *,
    wait: bool,
    expect: str | None,
    given: "GivenSolutions | None",
) -> None:
    from cli.outbox import outbox_of, published, queue_of
    from cli.progress.wait import Wait, finish
    from worker.intake.submit import store

    queue = queue_of(settings, engine)
    batch = store(engine, spool, asked.options, name=asked.name, queue=queue, reuse=asked.reuse)
    _announce(batch, settings)
    outbox = outbox_of(settings, engine, queue)
    if batch.options.get("reused") != batch.puzzles:
        published(outbox)
    if wait:
        finish(Wait(engine, outbox).until_over(batch.id), engine, settings, expect, given)


def _announce(batch: "Batch", settings: "Settings") -> None:
    """The number: alone for a program, with words for a person."""
    from cli.database import place
    from cli.formatting import count
    from cli.output.destination import is_terminal
    from cli.progress.summary import reused

    if is_terminal(sys.stdout):
        name = f" {batch.name}" if batch.name else ""
        again = f" ({reused(batch)})" if reused(batch) else ""
        puzzles = count(batch.puzzles, "puzzle") + again
        click.echo(f"batch {batch.id}{name}: {puzzles} in {place(settings)}")
    else:
        click.echo(batch.id)
