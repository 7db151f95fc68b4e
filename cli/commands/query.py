"""`bullseye query`: runs SQL that only reads."""

import sys
from contextlib import closing

import click

from cli.options import (
    COLUMN_FORMATS,
    command,
    database_option,
    row_format_option,
    row_output_option,
)
from cli.streams import is_terminal, notify
from worker.errors import BadUsage


@command
@click.argument("sql", metavar="SQL")
@row_format_option
@row_output_option
@database_option
def query(sql: str, output_format: str | None, output: str | None, database: str | None) -> None:
    """Run one SELECT over the view answers and the tables, and print its rows.

    SQL is a query, or - to read it from stdin. It is checked to read
    Bullseye's tables only, and stopped if it finds nothing for a minute.
    storage/README.md documents the tables, with ten examples.

    \b
    Examples:
      bullseye query "SELECT status, count(*) FROM answers GROUP BY status"
      bullseye query "SELECT id, name FROM batch" -f csv -o batches.csv
      bullseye query - < report.sql
    """
    from cli.database import reading
    from cli.output.answers import Counted
    from cli.output.destination import choose_format, open_output
    from cli.output.writers import find_row_writer
    from cli.signals import awaited, waiting
    from storage.queries.guard import FETCH_SECONDS, run_query

    chosen = choose_format(output_format, output)
    if chosen not in COLUMN_FORMATS:
        raise BadUsage(f"the rows of a query cannot be written as {chosen}; see -f")
    text = sys.stdin.read() if sql == "-" else sql
    with reading(database, archived=True) as connection:
        with waiting(FETCH_SECONDS):
            found = run_query(connection, text)
        with closing(found.rows):  # before their connection, if writing fails
            rows = Counted(awaited(found.rows, FETCH_SECONDS))
            with open_output(output) as out:
                find_row_writer(chosen)(rows, out, found.columns)
    if output is None and is_terminal(sys.stdout) and not rows.number:
        notify("0 rows")
