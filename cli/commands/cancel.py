"""`bullseye cancel`: stops a batch."""

import click

from cli.options import command, database_option, redis_option
from cli.parameters import BATCH


@command
@click.argument("batch", type=BATCH)
@database_option
@redis_option
def cancel(batch: int, database: str | None, redis: str | None) -> None:
    """Stop a batch and keep its answers; `retry` resumes it.

    Works without Redis: workers see the change in the database within 2 s.

    \b
    Examples:
      bullseye cancel 7
      bullseye cancel 7 && bullseye results 7 -o so-far.csv
    """
    from cli.database import connect
    from cli.formatting import count
    from cli.terminal import notify
    from storage import batches
    from storage.database import read, write
    from storage.queries.progress import read_progress

    with connect(database, redis) as (_, engine):
        with write(engine) as connection:
            cancelled = batches.cancel(connection, batch)
        with read(engine) as connection:
            progress = read_progress(connection, batch)
    done = f"{count(progress.answered)} of {count(progress.batch.puzzles, 'puzzle')} answered"
    if cancelled:
        notify(f"batch {batch} cancelled · {done} · resume it with: bullseye retry {batch}")
    else:
        notify(f"batch {batch} has already finished · {done}")
