"""`bullseye results`: filters, sorts and exports answers."""

import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import click

from cli.options import (
    COLUMN_FORMATS,
    command,
    database_option,
    format_option,
    output_option,
    template_option,
)
from cli.parameters import BATCH, Integer, column_names, complete_columns
from cli.streams import is_terminal
from storage.values import BatchKey

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
    "--where", metavar="SQL", help="Only rows that match a condition, such as 'clues = 17'."
)
@click.option(
    "--sort",
    multiple=True,
    metavar="COLUMN",
    shell_complete=complete_columns,
    help="Sort by a column; -COLUMN sorts descending. A second one sorts equal answers.",
)
@click.option("--first", type=Integer(min=0), metavar="N", help="At most N answers.")
@click.option("--offset", type=Integer(min=0), metavar="N", help="Skip N answers.")
@click.option(
    "--columns",
    callback=column_names,
    metavar="NAMES",
    shell_complete=complete_columns,
    help="Only these columns, such as id,label,score.",
)
@click.option(
    "--lists",
    is_flag=True,
    help="Write grids as lists of numbers, and all kept solutions as the list `kept`.",
)
@click.option(
    "--cells",
    is_flag=True,
    help="Add a letter for each cell: g if given, d if the same in all solutions, else a.",
)
@click.option(
    "--distinct",
    is_flag=True,
    help="Of these, only the first of each class of puzzles up to symmetry; needs --classes.",
)
@click.option("--count", "only_count", is_flag=True, help="Print only the number of answers.")
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
    sort: tuple[str, ...],
    first: int | None,
    offset: int | None,
    columns: tuple[str, ...] | None,
    lists: bool,
    cells: bool,
    distinct: bool,
    only_count: bool,
    output_format: str | None,
    template: str | None,
    output: str | None,
    database: str | None,
) -> None:
    """Filter, sort and export the answers of a batch, or of all batches.

    BATCH is a number, a name, or last. Columns: id, batch, position, label,
    kind, size, clues, puzzle, status, solutions, complete, solution, score,
    bound, nodes, ms, worker, attempts, solved_at, detail, batch_name,
    solutions_text, option_counts, extra, source, line, class, canonical,
    grid_class, automorphisms, minimal, redundant, placed, candidates, depth,
    backdoor. The last six need --facts, the four before --classes. Further columns
    of the input are in extra; its members can be used as extra.rating.
    A table shows some columns; csv, json and parquet have all. On a terminal, a
    long table goes through $PAGER.

    \b
    Examples:
      bullseye results 7 --status multiple -f csv -o multiple.csv
      bullseye results --where 'clues = 17 and ms > 1' --sort -ms --first 20
      bullseye results last --columns label,score --sort -score --sort label
      bullseye results sunday --status none --count
      bullseye results 7 -f judge | diff - expected.out
      bullseye results 7 --template '{label}: {score}'
    """
    from cli.database import reading
    from cli.output.answers import Counted, begin, report_count, selected_batch
    from cli.output.destination import choose_format, open_output
    from cli.output.shapes import Shape
    from cli.output.writers import find_writer
    from cli.signals import awaited, waiting
    from storage.queries.answers import count_answers
    from storage.queries.guard import FETCH_SECONDS

    distinct_ = distinct or None
    conditions = _given(status=status, min_score=min_score, where=where, distinct=distinct_)
    order = _given(sort=sort, first=first, offset=offset)
    shape = _given(
        columns=columns,
        lists=lists or None,
        cells=cells or None,
        format=output_format,
        template=template,
        file=output,
    )
    if only_count and (order or shape):
        raise click.UsageError("--count prints one number; combine it with filters only.")
    chosen = choose_format(output_format, output, template)
    _check_format(chosen, columns, filtered=bool(conditions or order))
    if (lists or cells) and chosen not in COLUMN_FORMATS:
        raise click.UsageError(f"--lists and --cells do not go with -f {chosen}.")

    with reading(database, archived=True) as connection:
        found = selected_batch(connection, batch, for_judge=chosen == "judge")
        conditions["batch"] = found.id if found else None
        if only_count:
            with waiting(FETCH_SECONDS):
                number = count_answers(connection, **conditions)
            click.echo(number)
            return
        on_terminal = output is None and is_terminal(sys.stdout)
        writer = find_writer(
            connection,
            chosen,
            found,
            template=template,
            columns=columns,
            as_rows=on_terminal,
            ahead=where is None,
            shape=Shape(lists, cells),
        )
        with waiting(FETCH_SECONDS):
            selected = writer.read(**conditions, **order)
        # Closed before its connection, even if writing fails.
        with closing(awaited(selected, FETCH_SECONDS)) as each:
            answers = begin(each)
            counted = Counted(answers) if on_terminal else None
            with open_output(output) as out:
                writer.write(counted or answers, out)
        if counted:
            report_count(connection, found, counted)


def _given(**options: Any) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def _check_format(chosen: str, columns: Sequence[str] | None, *, filtered: bool) -> None:
    if columns and chosen not in COLUMN_FORMATS:
        raise click.UsageError(
            f"--columns works with -f {', '.join(COLUMN_FORMATS)}, not {chosen}."
        )
    if chosen == "judge" and filtered:
        raise click.UsageError("-f judge writes a whole batch and cannot be combined with filters.")
