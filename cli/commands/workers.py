"""`bullseye workers`: all workers of the database, and what they do."""

import sys

import click

from cli.options import command, database_option, json_option, redis_option
from cli.streams import terminal_columns


@command
@json_option
@database_option
@redis_option
def workers(*, as_json: bool, database: str | None, redis: str | None) -> None:
    """List the workers of this database, with their chunks and rates.

    A busy worker has taken a chunk; a silent one has missed a renewal of its
    lease, and may have been killed; a stalled one consumes nothing although
    chunks wait. The rate covers the last minute. Without Redis only workers
    that have a chunk are known.

    \b
    Examples:
      bullseye workers
      bullseye workers --json
    """
    import json
    from contextlib import closing

    from cli.database import connect
    from cli.progress.workers import WorkerTable, list_workers
    from cli.progress.workers import as_json as to_json
    from storage.database import read
    from storage.queries.progress import active_leases, work
    from worker.queue.carrier import Carrier, presence
    from worker.queue.dispatch import queue_of

    with connect(database, redis) as (settings, engine):
        queue = queue_of(settings, engine)
        with read(engine) as connection:
            leases, done = active_leases(connection, queue), work(connection, queue)
        with closing(Carrier.connect(settings.redis_url, queue)) as carrier:
            known = presence(carrier)
        found = WorkerTable(settings.renewal).update(
            0.0, known.workers, done, leases, known.stalled
        )
    by_name = {one.worker: one for one in done}
    if as_json:
        values = [to_json(one, by_name.get(one.worker)) for one in found]
        click.echo(json.dumps({"workers": values, "redis": known.redis}, indent=2))
        return
    for line in list_workers(found, by_name, terminal_columns(sys.stdout), known.absence):
        click.echo(line)
    click.echo(f"redis: {known.redis}")
