"""`bullseye results`: pick, sort and write answers."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cli.options import batch_type, command, database_option
from cli.output.destination import format_for, format_option, output_option, template_option
from cli.output.destination import opened as opened_output
from cli.parameters import Whole

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.batches import Batch

STATUSES = ("solved", "unique", "multiple", "none", "timeout", "invalid", "failed")


@command
@click.argument("batch", type=batch_type, required=False)
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(STATUSES),
    metavar="STATUS",
    help=f"Only {', '.join(STATUSES[:-1])} or {STATUSES[-1]}; may be given again.",
)
@click.option("--min-score", type=Whole(), metavar="N", help="Only scores from N.")
@click.option("--where", metavar="SQL", help="Only where this holds, such as 'clues = 17'.")
@click.option(
    "--sort", metavar="COLUMN", help="Sort by a column; -COLUMN begins with the greatest."
)
@click.option("--first", type=Whole(min=0), metavar="N", help="At most N answers.")
@format_option
@template_option
@output_option
@database_option
def results(
    *,
    batch: int | None,
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
    """Pick, sort and write the answers of a batch, or of all batches.

    Columns: id, batch, position, label, kind, size, clues, puzzle, status,
    solutions, complete, solution, score, bound, nodes, ms, worker, attempts,
    solved_at, detail. A table shows some of them; csv, jsonl and
    parquet all.

    \b
    Examples:
      bullseye results 7 --status multiple -f csv -o multiple.csv
      bullseye results --where 'clues = 17 and ms > 1' --sort -ms --first 20
      bullseye results 7 -f judge | diff - expected.out
      bullseye results 7 --template '{label}: {score}'
    """
    chosen = format_for(output_format, output, template)
    picked = bool(status or min_score is not None or where or sort or first is not None)
    if chosen == "judge" and picked:
        raise click.UsageError("-f judge writes a whole batch; it does not go with picking.")

    from cli.database import opened
    from cli.output.answers import begun, require_all, writer
    from cli.output.row import AnswerRow
    from storage.database import read
    from storage.queries.answers import select_answers

    with opened(database) as (_, engine), read(engine) as connection:
        whose = _batch(connection, batch, needed=chosen == "judge")
        if whose and chosen == "judge":
            require_all(connection, whose)
        found = select_answers(
            connection,
            batch=whose.id if whose else None,
            status=status,
            min_score=min_score,
            where=where,
            sort=sort,
            first=first,
        )
        with closing(found):  # before the connection, whatever happens to the file
            answers = begun(map(AnswerRow._make, found))
            with opened_output(output) as out:
                writer(chosen, whose, template)(answers, out)


def _batch(connection: "Connection", batch: int | None, *, needed: bool) -> "Batch | None":
    """The batch of that number; where one is needed and there is only one, that one."""
    from storage import batches

    if batch is not None:
        return batches.find(connection, batch)
    if not needed:
        return None
    there = batches.newest(connection, 2)
    if len(there) != 1:
        raise click.UsageError("-f judge answers one batch; say which: bullseye results BATCH.")
    return there[0]
