"""`bullseye worker`: work on what was submitted."""

import os

import click

from cli.options import command, database_option, redis_option
from cli.parameters import Whole


@command
@click.option(
    "-c",
    "--concurrency",
    type=Whole(1, 4096),
    metavar="N",
    help="Processes.  [default: cores]",
)
@database_option
@redis_option
@click.argument("celery_options", nargs=-1, type=click.UNPROCESSED, metavar="[-- CELERY OPTIONS]")
def worker(
    concurrency: int | None,
    database: str | None,
    redis: str | None,
    celery_options: tuple[str, ...],
) -> None:
    """Work on what was submitted to the same database, until told to stop.

    Ctrl-C or SIGTERM gives unfinished chunks back. What comes after -- goes to
    Celery as it is.

    \b
    Examples:
      bullseye worker -c 4
      bullseye worker -- --loglevel info --logfile worker.log
    """
    from worker.serve import serve
    from worker.settings import Settings

    settings = Settings.from_env(database=database, redis=redis)
    serve(settings, concurrency or cores(), celery_options)


def cores() -> int:
    """How many processes this machine runs at a time for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
