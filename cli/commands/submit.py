"""`bullseye submit`: queues puzzles for the workers."""

import click

from cli.input.request import Request, input_options
from cli.options import command, database_option, expect_option, redis_option, verify_option
from cli.parameters import PRIORITY
from storage.values import Priority


@command
@input_options
@click.option(
    "--priority",
    type=PRIORITY,
    metavar="low|normal|high",
    default=Priority.NORMAL.value,
    show_default=True,
    help="Share of the workers, compared with other batches: as 1 to 4 to 16.",
)
@click.option("--wait", is_flag=True, help="Follow the batch until every puzzle is answered.")
@expect_option
@verify_option
@database_option
@redis_option
def submit(
    *,
    request: Request,
    priority: str,
    wait: bool,
    database: str | None,
    redis: str | None,
) -> None:
    """Queue puzzle files for the workers and print the batch number.

    FILE is a path, a folder, a pattern in quotes, - for stdin, or a puzzle
    written as one line. In a pipe stdout gets only the number.

    \b
    Examples:
      bullseye submit 17clue.txt hard.txt --name sunday
      bullseye submit --priority low --wait all.txt
      batch=$(bullseye submit puzzles.txt) && bullseye status -w $batch
    """
    from cli.input.files import dry_run

    for flag, needs_answers in (("--expect", request.expect), ("--verify", request.verify)):
        if needs_answers and not wait:
            raise click.UsageError(f"{flag} needs --wait, to have the answers.")
    if request.dry_run:
        dry_run(request)
        return

    from worker.queue.carrier import require_redis
    from worker.settings import Settings

    require_redis(Settings.from_env(database=database, redis=redis).redis_url)

    from cli.database import connect
    from cli.input.files import spooled
    from cli.progress.summary import print_number
    from cli.progress.wait import finish, publish_and_wait
    from cli.verify import given_solutions
    from storage.signals import deferred
    from worker.intake.submit import store
    from worker.queue.dispatch import open_outbox

    with (
        given_solutions(request.verify, request.options) as given,
        spooled(request, "submit", given) as spool,
        connect(database, redis, migrate=True) as (settings, engine),
    ):
        with deferred():  # from here to the end of the block, the batch goes on
            outbox = open_outbox(settings, engine)
            batch = store(
                engine,
                spool,
                request.options,
                name=request.name,
                queue=outbox.carrier.queue,
                reuse=request.reuse,
                priority=Priority(priority),
            )
            print_number(batch, settings)
            last = publish_and_wait(batch, outbox, wait=wait)
        if last:
            finish(last, engine, settings, request.expect, given)
