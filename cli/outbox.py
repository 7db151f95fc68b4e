"""Publishing stored chunks to the queue that the workers of a database serve."""

from sqlalchemy import Engine

from cli.terminal import notify
from storage.database import database_id, read
from worker.errors import RedisUnreachable
from worker.queue import dispatch
from worker.queue.carrier import Carrier, queue_name
from worker.queue.dispatch import Outbox
from worker.settings import Settings


def queue_of(settings: Settings, engine: Engine) -> str:
    """Return the name of the queue that workers on this database serve."""
    if settings.queue:
        return settings.queue
    with read(engine) as connection:
        return queue_name(database_id(connection))


def open_outbox(settings: Settings, engine: Engine, queue: str) -> Outbox:
    """Return an outbox that publishes chunks of this database into `queue`."""
    return Outbox(engine, Carrier.connect(settings.redis_url, queue), settings)


def publish(outbox: Outbox) -> None:
    """Publish as many chunks as fit; the sweep of a worker publishes the rest later."""
    try:
        dispatch.publish(outbox)
        if not outbox.carrier.workers():
            notify("no worker is running; start one with: bullseye worker")
    except RedisUnreachable as error:
        notify(
            f"warning: {error}\n         the batch is stored and will be solved when Redis is back"
        )
