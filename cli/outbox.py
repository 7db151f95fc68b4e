"""Publishing stored chunks to the queue that the workers of a database serve."""

from cli.terminal import notify
from storage.errors import StorageError
from worker.errors import RedisUnreachable
from worker.queue import dispatch
from worker.queue.dispatch import Outbox
from worker.queue.presence import presence


def publish(outbox: Outbox) -> None:
    """Publish as many chunks as fit; the sweep of a worker publishes the rest later."""
    try:
        dispatch.publish(outbox)
        known = presence(outbox.carrier)
        if known.fault:
            raise known.fault
        if known.absence:
            notify(known.absence)
    except (RedisUnreachable, StorageError) as error:
        notify("warning: " + dispatch.postponed(error).replace("\n", "\n         "))
