"""`bullseye cancel`: stops a batch."""

import click

from cli.formatting import count
from cli.options import command, database_option, redis_option
from cli.parameters import BATCH
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@database_option
@redis_option
def cancel(batch: BatchKey, database: str | None, redis: str | None) -> None:
    """Stop a batch and keep its answers; `retry` resumes it.

    BATCH is a number, a name, or last.

    Works without Redis: workers see the change in the database within 2 s.

    \b
    Examples:
      bullseye cancel 7
      bullseye cancel 7 && bullseye results 7 -o so-far.csv
    """
    from cli.database import connect, find_batch
    from storage import batches
    from storage.database import read, write
    from storage.queries.progress import read_progress

    with connect(database, redis) as (_, engine):
        number = find_batch(engine, batch).id
        with write(engine) as connection:
            cancelled = batches.cancel(connection, number)
        with read(engine) as connection:
            progress = read_progress(connection, number)
    done = f"{count(progress.answered)} of {count(progress.batch.puzzles, 'puzzle')} answered"
    if cancelled and not progress.batch.ready:
        notify(f"batch {number} cancelled while it was stored · nothing of it is kept")
    elif cancelled:
        notify(f"batch {number} cancelled · {done} · resume it with: bullseye retry {number}")
    else:
        notify(f"batch {number} has already finished · {done}")
