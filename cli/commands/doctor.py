"""`bullseye doctor`: checks the installation and its services."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from cli.errors import Exit
from cli.options import command, database_option, json_option, redis_option
from cli.streams import echo, has_colour

if TYPE_CHECKING:
    from cli.doctor.finding import Finding
    from worker.settings import Settings

#: packages whose versions are listed
PACKAGES = ("bullseye", "celery", "kombu", "redis", "sqlalchemy", "alembic", "numba", "numpy")


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


def run_checks(settings: "Settings", *, deep: bool = False) -> "Iterator[Finding]":
    """Yield the findings; a check whose service is missing ends with one that fails.

    If `deep`, all answers are read.
    """
    from redis import RedisError

    from cli.doctor import database_checks, redis_checks
    from cli.doctor.finding import Finding
    from storage.database import open_database
    from storage.errors import ActionableError, StorageError

    yield from _installation()
    engine = None
    try:
        engine = open_database(settings.database_url, busy_seconds=1.0)
        yield from database_checks.check_database(settings, engine)
        if deep:
            yield from database_checks.check_all_answers(engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    try:
        yield from redis_checks.check_redis(settings, engine)
    except StorageError as error:
        yield database_checks.unusable(settings, error)
    except ActionableError as error:
        yield Finding.of_error("redis", error, Exit.UNREACHABLE)
    except RedisError as error:
        fix = "check --redis or BULLSEYE_REDIS_URL"
        yield Finding.fail("redis", str(error), fix, Exit.UNREACHABLE)
    finally:
        if engine is not None:
            engine.dispose()


def _installation() -> "Iterator[Finding]":
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from cli.doctor.finding import Finding

    yield Finding.ok("python", f"{platform.python_version()} at {sys.executable}")
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed)")
    yield Finding.ok("packages", ", ".join(found))
