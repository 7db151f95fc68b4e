"""`bullseye doctor`: checks the installation and its services."""

import sys

import click

from cli.options import command, database_option, json_option, redis_option
from cli.streams import echo, has_colour


@command
@click.option(
    "--deep", is_flag=True, help="Also read all answers, and compare them with what is counted."
)
@json_option
@database_option
@redis_option
def doctor(*, deep: bool, as_json: bool, database: str | None, redis: str | None) -> None:
    """Check Python, packages, database, Redis and workers.

    Prints a line for each check; a line that is not ok ends with a fix. Changes
    nothing. Exits with 1 if a check fails, with 69 if the database or Redis
    cannot be reached.

    With --deep it proves that each puzzle of each batch has exactly one answer
    or waits for it, and that summaries and progress equal a scan.

    \b
    Examples:
      bullseye doctor
      bullseye doctor --deep
      bullseye doctor --redis redis://redis.example:6379/0
    """
    import json

    from cli.doctor.checks import run_checks
    from cli.doctor.finding import TEXT_COLUMN
    from worker.settings import Settings

    settings = Settings.from_env(database=database, redis=redis)
    findings = list(run_checks(settings, deep=deep))
    if as_json:
        click.echo(json.dumps([finding.as_json() for finding in findings], indent=2))
    else:
        for finding in findings:
            echo(finding.line(in_colour=has_colour(sys.stdout)), indent=TEXT_COLUMN)
    worst = max(finding.exit for finding in findings)
    if worst:
        raise click.exceptions.Exit(worst)
