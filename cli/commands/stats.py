"""`bullseye stats`: solving times, hardest puzzles and the work of each worker."""

from typing import Any

import click

from cli.options import command, database_option, json_option
from cli.parameters import BATCH, OUTPUT_FILE, Integer, column_names, complete_columns
from storage.values import BatchKey

#: puzzles that `--hardest` lists at most
MAX_HARDEST = 10_000


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
@click.option(
    "--hardest",
    type=Integer(1, MAX_HARDEST),
    metavar="N",
    help="List N of the hardest puzzles.  [default: 5, in a page 20]",
)
@click.option(
    "--by",
    callback=column_names,
    metavar="COLUMNS",
    shell_complete=complete_columns,
    help="Group by columns of results, such as clues or extra.source.",
)
@click.option("--exact", is_flag=True, help="Read all answers for exact percentiles.")
@json_option
@database_option
def stats(
    *,
    batch: BatchKey | None,
    against: BatchKey | None,
    page: str | None,
    hardest: int | None,
    by: tuple[str, ...] | None,
    exact: bool,
    as_json: bool,
    database: str | None,
) -> None:
    """Show solving times, the hardest puzzles and the work of each worker.

    BATCH is a number, a name, or last. Times are CPU times per puzzle, in
    milliseconds. Each line of the histogram starts at twice the time of the
    line before. The hardest puzzles have the most search nodes; a grid without
    search nodes needed no guess. Percentiles of more than 10,000 answers are
    within 1 %, unless --exact is given. Solved puzzles are unique, multiple if
    all of their solutions were counted, or capped if the limit ended the search.
    --by reads all answers and shows up to 1,000 groups, those with most puzzles.

    \b
    Examples:
      bullseye stats 7
      bullseye stats 7 --against 6 --exact
      bullseye stats 7 --against 6 --html sunday.html
      bullseye stats 7 --by extra.source
      bullseye stats --json
    """
    _check_combination(batch, against, page, by=by, as_json=as_json)
    import json

    from cli.database import reading
    from cli.report import statistics
    from storage import batches
    from storage.queries.answers import groups as read_groups
    from storage.queries.stats import stats as read_stats
    from storage.summaries.summary import HARDEST_PUZZLES

    with reading(database, archived=True) as connection:
        number = None if batch is None else batches.find(connection, batch).id
        other_number = None if against is None else batches.find(connection, against).id
        other = other_number and read_stats(connection, other_number, exact=exact)
        if page is not None and number is not None:
            from cli.report.page import write_page

            given = (connection, number, page)
            write_page(*given, exact=exact, hardest=hardest, against=other or None)
            return
        listed = hardest or HARDEST_PUZZLES
        found = read_stats(connection, number, exact=exact, hardest=listed)
        groups = read_groups(connection, number, by) if by else []
    if as_json:
        more: dict[str, Any] = {"against": statistics.as_json(other)} if other else {}
        if by:
            more["groups"] = statistics.groups_as_json(by, groups)
        click.echo(json.dumps(statistics.as_json(found) | more, indent=2))
    elif by:
        click.echo("\n".join(statistics.group_lines(found, by, groups)))
    elif other:
        click.echo("\n".join(statistics.comparison_lines(found, other)))
    else:
        click.echo("\n".join(statistics.statistics_lines(found)))


def _check_combination(
    batch: BatchKey | None,
    against: BatchKey | None,
    page: str | None,
    *,
    by: tuple[str, ...] | None,
    as_json: bool,
) -> None:
    if by and (against or page):
        raise click.UsageError("--by cannot be combined with --against and --html.")
    if against is not None and batch is None:
        raise click.UsageError(
            "--against compares two batches: bullseye stats BATCH --against BATCH."
        )
    if page is not None and batch is None:
        raise click.UsageError("--html describes one batch: bullseye stats BATCH --html FILE.")
    if page is not None and as_json:
        raise click.UsageError("--html cannot be combined with --json.")
