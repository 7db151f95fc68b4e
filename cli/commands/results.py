"""`bullseye results`: filters, sorts and exports answers."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cli.options import (
    Flag,
    command,
    database_option,
    format_option,
    output_option,
    template_option,
)
from cli.parameters import BATCH, Integer
from storage.values import BatchKey

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.batches import Batch

#: the values of `--status`: the stored statuses, and the two kinds of `solved`
STATUS_FILTERS = ("solved", "unique", "multiple", "none", "timeout", "invalid", "failed")


@command
@click.argument("batch", type=BATCH, required=False)
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(STATUS_FILTERS),
    metavar="STATUS",
    help=f"Only {', '.join(STATUS_FILTERS[:-1])} or {STATUS_FILTERS[-1]}; may be repeated.",
)
@click.option("--min-score", type=Integer(), metavar="N", help="Only scores of N or more.")
@click.option(
    Flag.WHERE, metavar="SQL", help="Only rows that match a condition, such as 'clues = 17'."
)
@click.option("--sort", metavar="COLUMN", help="Sort by a column; -COLUMN sorts descending.")
@click.option("--first", type=Integer(min=0), metavar="N", help="At most N answers.")
@format_option
@template_option
@output_option
@database_option
def results(
    *,
    batch: BatchKey | None,
    status: tuple[str, ...],
    min_score: int | None,
    where: str | None,
    sort: str | None,
    first: int | None,
    output_format: str | None,
    template: str | None,
    output: str | None,
    database: str | None,
) -> None:
    """Filter, sort and export the answers of a batch, or of all batches.

    BATCH is a number, a name, or last. Columns: id, batch, position, label,
    kind, size, clues, puzzle, status, solutions, complete, solution, score,
    bound, nodes, ms, worker, attempts, solved_at, detail, batch_name. A table
    shows some of them; csv, json and parquet have all. On a terminal, a long
    table goes through $PAGER.

    \b
    Examples:
      bullseye results 7 --status multiple -f csv -o multiple.csv
      bullseye results --where 'clues = 17 and ms > 1' --sort -ms --first 20
      bullseye results 7 -f judge | diff - expected.out
      bullseye results 7 --template '{label}: {score}'
    """
    from cli.database import connect
    from cli.output.answers import begin, rows_of
    from cli.output.destination import open_output
    from cli.output.formats import choose_format
    from cli.output.writers import find_writer
    from storage.database import read
    from storage.queries.answers import select_answers

    chosen = choose_format(output_format, output, template)
    filtered = bool(status or min_score is not None or where or sort or first is not None)
    if chosen == "judge" and filtered:
        raise click.UsageError(
            f"{Flag.FORMAT} judge writes a whole batch and cannot be combined with filters."
        )

    with connect(database) as (_, engine), read(engine) as connection:
        found = _find_batch(connection, batch, for_judge=chosen == "judge")
        rows = select_answers(
            connection,
            batch=found.id if found else None,
            status=status,
            min_score=min_score,
            where=where,
            sort=sort,
            first=first,
        )
        with closing(rows):  # before its connection is closed, even if writing fails
            answers = begin(rows_of(connection, rows))
            with open_output(output) as out:
                find_writer(chosen, found, template)(answers, out)


def _find_batch(
    connection: "Connection", batch: BatchKey | None, *, for_judge: bool
) -> "Batch | None":
    """Return the batch, None for all batches; judge output needs one that is complete.

    Without a number it is the only batch of the database.
    """
    from cli.output.answers import require_all_answers
    from storage import batches

    if not for_judge:
        return None if batch is None else batches.find(connection, batch)
    found = batches.newest(connection, 2) if batch is None else [batches.find(connection, batch)]
    if len(found) != 1:
        raise click.UsageError(
            f"{Flag.FORMAT} judge needs a batch: bullseye results BATCH {Flag.FORMAT} judge."
        )
    require_all_answers(connection, found[0])
    return found[0]
