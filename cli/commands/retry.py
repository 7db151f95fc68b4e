"""`bullseye retry`: re-runs puzzles without a proper answer."""

import click

from cli.formatting import count
from cli.options import command, database_option, redis_option
from cli.parameters import BATCH, Timeout
from cli.streams import notify
from storage.values import BatchKey


@command
@click.argument("batch", type=BATCH)
@click.option(
    "--timeout", type=Timeout(), metavar="S", help="New time limit per puzzle, in seconds."
)
@database_option
@redis_option
def retry(batch: BatchKey, timeout: float | None, database: str | None, redis: str | None) -> None:
    """Re-run puzzles that failed, timed out or were not answered.

    BATCH is a number, a name, or last. Other answers are kept. Running it again adds nothing.

    \b
    Examples:
      bullseye retry 7
      bullseye retry 7 --timeout 300 && bullseye status -w 7
    """
    from cli.again import solve_again
    from cli.database import connect, find_batch, publish
    from worker.queue.carrier import require_redis
    from worker.queue.dispatch import open_outbox

    with connect(database, redis) as (settings, engine):
        require_redis(settings.redis_url)
        outbox = open_outbox(settings, engine)
        number = find_batch(engine, batch).id
        puzzles = solve_again(engine, number, outbox.carrier.queue, timeout)
        if not puzzles:
            notify(f"batch {number}: nothing to re-run")
            return
        paused = find_batch(engine, number).paused
        go_on = f" · it is paused; go on with it: bullseye resume {number}" if paused else ""
        notify(f"batch {number}: {count(puzzles, 'puzzle')} queued again{go_on}")
        publish(outbox)
