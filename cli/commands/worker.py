"""`bullseye worker`: solves queued puzzles."""

import click

from cli.options import command, database_option, processors, redis_option
from cli.parameters import MAX_PROCESSES, Integer
from worker.settings import LOG_FORMATS


@command
@click.option(
    "-c",
    "--concurrency",
    type=Integer(1, MAX_PROCESSES),
    metavar="N",
    help=(
        "Number of processes.  [default: number of cores; two to four times as many if Redis and"
        " the database are 5 ms away or more]"
    ),
)
@database_option
@redis_option
@click.option(
    "--wait",
    is_flag=True,
    help="Wait until Redis and the database can be reached, instead of exiting with 69.",
)
@click.option(
    "--log-format",
    type=click.Choice(LOG_FORMATS),
    metavar="FORMAT",
    help="text, or json, an object per line.  [default: $BULLSEYE_LOG_FORMAT, else text]",
)
@click.argument("celery_options", nargs=-1, type=click.UNPROCESSED, metavar="[-- CELERY OPTIONS]")
def worker(
    concurrency: int | None,
    database: str | None,
    redis: str | None,
    wait: bool,
    log_format: str | None,
    celery_options: tuple[str, ...],
) -> None:
    """Solve the puzzles queued on this database until stopped.

    It logs one line when it is ready. Ctrl-C or SIGTERM returns unfinished
    chunks to the queue. Options after -- are passed to Celery.

    \b
    Examples:
      bullseye worker -c 4
      bullseye worker --wait
      bullseye worker -- --loglevel info --logfile worker.log
    """
    from dataclasses import replace

    from cli import signals
    from worker.serve import serve
    from worker.settings import Settings

    signals.end_at_once()  # Celery has its own
    settings = Settings.from_env(database=database, redis=redis)
    if log_format:
        settings = replace(settings, log_format=log_format)
    serve(settings, concurrency, celery_options, cores=processors(), wait=wait)
