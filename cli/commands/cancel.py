"""`bullseye cancel`: stop a batch."""

import click

from cli.options import batch_type, command, database_option, redis_option


@command
@click.argument("batch", type=batch_type)
@database_option
@redis_option
def cancel(batch: int, database: str | None, redis: str | None) -> None:
    """Stop a batch; what is answered stays, and `retry` takes up the rest.

    Works without Redis: workers see it in the database within a second or so.

    \b
    Examples:
      bullseye cancel 7
      bullseye cancel 7 && bullseye results 7 -o so-far.csv
    """
    from cli.database import opened
    from cli.formatting import count, notify
    from storage import batches
    from storage.database import read, write
    from storage.queries.progress import read_progress

    with opened(database, redis) as (_, engine):
        with write(engine) as connection:
            stopped = batches.cancel(connection, batch)
        with read(engine) as connection:
            progress = read_progress(connection, batch)
    done = f"{count(progress.answered)} of {count(progress.batch.puzzles, 'puzzle')} answered"
    if stopped:
        notify(f"batch {batch} cancelled · {done} · go on with: bullseye retry {batch}")
    else:
        notify(f"batch {batch} was over already · {done}")
