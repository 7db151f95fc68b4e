"""`bullseye stats`: solving times, slowest puzzles and the work of each worker."""

from typing import TYPE_CHECKING

import click

from cli.options import Flag, command, database_option, json_option
from cli.parameters import BATCH, complete_file

if TYPE_CHECKING:
    from cli.report.data import Report


@command
@click.argument("batch", type=BATCH, required=False)
@click.option(Flag.AGAINST, type=BATCH, metavar="BATCH", help="Compare with another batch.")
@click.option(
    Flag.HTML,
    "page",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write an HTML page with charts; - is stdout.",
)
@json_option
@database_option
def stats(
    *,
    batch: int | None,
    against: int | None,
    page: str | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Show solving times, the slowest puzzles and the work of each worker.

    Times are solving times per puzzle, in milliseconds. Each line of the
    histogram starts at twice the time of the line before.

    \b
    Examples:
      bullseye stats 7
      bullseye stats 7 --against 6
      bullseye stats 7 --html sunday.html
      bullseye stats --json
    """
    _check_combination(batch, against, page, as_json=as_json)
    import json

    from cli.database import connect
    from cli.report import comparison, statistics
    from storage.database import read
    from storage.queries.stats import stats as read_stats

    with connect(database) as (_, engine), read(engine) as connection:
        if page is not None and batch is not None:
            from cli.report.data import read_report

            _write_page(read_report(connection, batch), page)
            return
        found = read_stats(connection, batch)
        other = read_stats(connection, against) if against is not None else None
    if as_json:
        compared = {"against": statistics.as_json(other)} if other else {}
        click.echo(json.dumps(statistics.as_json(found) | compared, indent=2))
    elif other:
        lines = comparison.comparison_lines(found, other, (str(batch), str(against)))
        click.echo("\n".join(lines))
    else:
        click.echo("\n".join(statistics.statistics_lines(found, batch)))


def _check_combination(
    batch: int | None, against: int | None, page: str | None, *, as_json: bool
) -> None:
    if against is not None and batch is None:
        raise click.UsageError(
            f"{Flag.AGAINST} compares two batches: bullseye stats BATCH {Flag.AGAINST} BATCH."
        )
    if page is not None and batch is None:
        raise click.UsageError(
            f"{Flag.HTML} describes one batch: bullseye stats BATCH {Flag.HTML} FILE."
        )
    if page is not None and (as_json or against is not None):
        raise click.UsageError(
            f"{Flag.HTML} cannot be combined with {Flag.JSON} or {Flag.AGAINST}."
        )


def _write_page(report: "Report", page: str) -> None:
    from datetime import UTC, datetime

    from cli.main import version
    from cli.output.destination import open_output
    from cli.report.page import render_page

    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with open_output(page) as out:
        out.write(render_page(report, version(), now))
