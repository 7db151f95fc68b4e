"""`bullseye doctor`: is everything there that is needed, and what cures what is not."""

import click

from cli.options import command, database_option, json_option, redis_option


@command
@json_option
@database_option
@redis_option
def doctor(as_json: bool, database: str | None, redis: str | None) -> None:
    """Check Python, packages, database, Redis and workers.

    A line for each check; a line that is not ok ends with its cure. Nothing is
    changed. Exits with 1 if a check failed, 69 if database or Redis is away.

    \b
    Examples:
      bullseye doctor
      bullseye doctor --redis redis://redis.example:6379/0
    """
    import json

    from cli.doctor.run import examine
    from worker.settings import Settings

    found = list(examine(Settings.from_env(database=database, redis=redis)))
    if as_json:
        click.echo(json.dumps([check.as_json() for check in found], indent=2))
    else:
        for check in found:
            click.echo(check.line())
    worst = max(check.exit for check in found)
    if worst:
        raise click.exceptions.Exit(worst)
