"""`bullseye retry`: solve again what failed, timed out or was left."""

import click

from cli.options import batch_type, command, database_option, redis_option, seconds
from cli.parameters import Real

#: puzzles in a chunk of what nobody began; what failed or timed out goes one by one
LEFT = 256


@command
@click.argument("batch", type=batch_type)
@click.option(
    "--timeout", type=Real(), callback=seconds, metavar="S", help="Another time limit, for each."
)
@database_option
@redis_option
def retry(batch: int, timeout: float | None, database: str | None, redis: str | None) -> None:
    """Hand what failed, timed out or was left of a batch to the workers again.

    Answers that are there stay. Doing it twice adds nothing.

    \b
    Examples:
      bullseye retry 7
      bullseye retry 7 --timeout 300 && bullseye status -w 7
    """
    from cli.database import opened
    from cli.formatting import count, notify
    from cli.outbox import outbox_of, published, queue_of
    from storage.database import read, write
    from storage.outbox import recovery
    from storage.queries.progress import read_progress
    from worker.queue.carrier import require

    with opened(database, redis) as (settings, engine):
        require(settings.redis_url)
        queue = queue_of(settings, engine)
        with read(engine) as connection:
            progress = read_progress(connection, batch)
        left = progress.batch.puzzles - progress.answered
        with write(engine) as connection:
            puzzles = recovery.retry(
                connection, batch, queue=queue, timeout=timeout, chunk_puzzles=LEFT if left else 1
            )
        if not puzzles:
            notify(f"batch {batch}: nothing is left to do")
            return
        notify(f"batch {batch}: {count(puzzles, 'puzzle')} put back")
        published(outbox_of(settings, engine, queue))
