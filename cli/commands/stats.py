"""`bullseye stats`: how long solving took, which puzzles hurt, who did the work."""

from typing import TYPE_CHECKING

import click

from cli.options import batch_type, command, database_option, json_option
from cli.output.destination import opened as opened_output

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from cli.report.page import Found

#: puzzles that the page lists, and grids that its heat maps are made of
SLOWEST, BEST = 20, 100


@command
@click.argument("batch", type=batch_type, required=False)
@click.option(
    "--against", type=batch_type, metavar="BATCH", help="Beside another batch, line by line."
)
@click.option("--html", "page", metavar="FILE", help="Write a page with charts; - is stdout.")
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
    """Tell how long solving took, which puzzles hurt and who did the work.

    Times are those of the solver, puzzle by puzzle, in milliseconds; the
    histogram doubles from line to line.

    \b
    Examples:
      bullseye stats 7
      bullseye stats 7 --against 6
      bullseye stats 7 --html sunday.html
      bullseye stats --json
    """
    _refuse_contradictions(batch, against, page, as_json=as_json)
    import json

    from cli.database import opened
    from cli.report import comparison
    from cli.report import statistics as figures
    from storage.database import read
    from storage.queries.stats import stats as measure

    with opened(database) as (_, engine), read(engine) as connection:
        if page is not None and batch is not None:
            _write(_found(connection, batch), page)
            return
        found = measure(connection, batch)
        other = measure(connection, against) if against is not None else None
    if as_json:
        both = {"against": figures.as_json(other)} if other else {}
        click.echo(json.dumps(figures.as_json(found) | both, indent=2))
    elif other:
        click.echo("\n".join(comparison.told(found, other, (str(batch), str(against)))))
    else:
        click.echo("\n".join(figures.told(found, batch)))


def _refuse_contradictions(
    batch: int | None, against: int | None, page: str | None, *, as_json: bool
) -> None:
    if against is not None and batch is None:
        raise click.UsageError("--against compares two batches: bullseye stats BATCH --against B.")
    if page is not None and batch is None:
        raise click.UsageError("--html is about one batch: bullseye stats BATCH --html FILE.")
    if page is not None and (as_json or against is not None):
        raise click.UsageError("--html writes a page and nothing else: no --json, no --against.")


def _found(connection: "Connection", batch_id: int) -> "Found":
    from cli.output.row import AnswerRow
    from cli.report.page import Found
    from storage import batches
    from storage.queries.answers import select_answers
    from storage.queries.distributions import distributions
    from storage.queries.stats import stats as measure

    slowest = select_answers(connection, batch=batch_id, sort="-ms", first=SLOWEST)
    best = select_answers(connection, batch=batch_id, sort="-score", first=BEST)
    return Found(
        batches.find(connection, batch_id),
        measure(connection, batch_id),
        distributions(connection, batch_id),
        [one for one in map(AnswerRow._make, slowest) if one.ms is not None],
        [one for one in map(AnswerRow._make, best) if one.score is not None],
    )


def _write(found: "Found", page: str) -> None:
    from datetime import UTC, datetime

    from cli.main import version
    from cli.report.page import page as written

    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with opened_output(page) as out:
        out.write(written(found, version(), now))
