"""`bullseye retry`: solve again what failed, timed out or was left."""

import click

from cli.options import Seconds, batch_type, command, database_option, redis_option


@command
@click.argument("batch", type=batch_type)
@click.option("--timeout", type=Seconds(), metavar="S", help="Another time limit, for each.")
@database_option
@redis_option
def retry(batch: int, timeout: float | None, database: str | None, redis: str | None) -> None:
    """Hand what failed, timed out or was left of a batch to the workers again.

    Answers that are there stay. Doing it twice adds nothing.

    \b
    Example:
      bullseye retry 7 --timeout 300
    """
    from cli.screen import count, say
    from cli.session import opened
    from worker.submit import retry as put_back

    with opened(database, redis, migrate=False) as (settings, engine):
        puzzles, warning = put_back(settings, engine, batch, timeout=timeout)
    say(
        f"batch {batch}: {count(puzzles, 'puzzle')} put back"
        if puzzles
        else f"batch {batch}: nothing is left to do"
    )
    if warning:
        say(warning)
