"""The way to the workers: Redis, and the queue that this database's workers serve."""

from sqlalchemy import Engine

from cli.formatting import notify
from storage.database import database_id, read
from worker.app import Bullseye, queue_name
from worker.errors import RedisUnreachable
from worker.queue import dispatch
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox
from worker.settings import Settings


def queue_of(settings: Settings, engine: Engine) -> str:
    """The queue that workers on this database serve."""
    if settings.queue:
        return settings.queue
    with read(engine) as connection:
        return queue_name(database_id(connection))


def outbox_of(settings: Settings, engine: Engine, queue: str) -> Outbox:
    """What publishing into `queue` needs."""
    app = Bullseye(settings, queue)
    carrier = Carrier.connect(settings.redis_url, queue)
    return Outbox(engine, carrier, app.send_chunk, settings)


def published(outbox: Outbox) -> None:
    """Send what fits; what cannot be sent now, the workers' sweep sends later."""
    try:
        dispatch.publish(outbox)
        if not outbox.carrier.workers():
            notify("no worker is listening; start one: bullseye worker")
    except RedisUnreachable as error:
        notify(f"warning: {error}\n         all is stored; workers take it up when Redis is back")
