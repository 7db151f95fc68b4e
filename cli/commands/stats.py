"""`bullseye stats`: solving times, hardest puzzles and the work of each worker."""

import click

from cli.options import command, database_option, json_option
from cli.parameters import BATCH, OUTPUT_FILE
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH, required=False)
@click.option("--against", type=BATCH, metavar="BATCH", help="Compare with another batch.")
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Write an HTML page with charts; - is stdout.",
)
@click.option("--exact", is_flag=True, help="Read all answers for exact percentiles.")
@json_option
@database_option
def stats(
    *,
    batch: BatchKey | None,
    against: BatchKey | None,
    page: str | None,
    exact: bool,
    as_json: bool,
    database: str | None,
) -> None:
    """Show solving times, the hardest puzzles and the work of each worker.

    BATCH is a number, a name, or last. Times are CPU times per puzzle, in
    milliseconds. Each line of the histogram starts at twice the time of the
    line before. The hardest puzzles have the most search nodes; a grid without
    search nodes needed no guess. Percentiles of more than 10,000 answers are
    within 1 %, unless --exact is given.

    \b
    Examples:
      bullseye stats 7
      bullseye stats 7 --against 6 --exact
      bullseye stats 7 --html sunday.html
      bullseye stats --json
    """
    _check_combination(batch, against, page, as_json=as_json)
    import json

    from cli.database import reading
    from cli.report import statistics
    from storage import batches
    from storage.queries.stats import stats as read_stats

    with reading(database, archived=True) as connection:
        number = None if batch is None else batches.find(connection, batch).id
        other_number = None if against is None else batches.find(connection, against).id
        if page is not None and number is not None:
            from cli.report.page import write_page

            write_page(connection, number, page, exact=exact)
            return
        found = read_stats(connection, number, exact=exact)
        other = other_number and read_stats(connection, other_number, exact=exact)
    if as_json:
        compared = {"against": statistics.as_json(other)} if other else {}
        click.echo(json.dumps(statistics.as_json(found) | compared, indent=2))
    elif other:
        click.echo("\n".join(statistics.comparison_lines(found, other, (number, other_number))))
    else:
        click.echo("\n".join(statistics.statistics_lines(found, number)))


def _check_combination(
    batch: BatchKey | None, against: BatchKey | None, page: str | None, *, as_json: bool
) -> None:
    if against is not None and batch is None:
        raise click.UsageError(
            "--against compares two batches: bullseye stats BATCH --against BATCH."
        )
    if page is not None and batch is None:
        raise click.UsageError("--html describes one batch: bullseye stats BATCH --html FILE.")
    if page is not None and (as_json or against is not None):
        raise click.UsageError("--html cannot be combined with --json or --against.")
