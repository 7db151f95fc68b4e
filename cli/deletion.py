"""Deleting batches: the question before, the messages in Redis, and the report after."""

import sys
from collections.abc import Sequence
from contextlib import closing

import click
from rich.filesize import decimal as size
from sqlalchemy import Engine

from cli.formatting import count
from cli.streams import is_terminal, notify
from storage.batches import Batch
from storage.outbox import removal
from storage.outbox.removal import Content
from worker.errors import BadUsage, RedisUnreachable
from worker.queue.carrier import Carrier
from worker.queue.dispatch import queue_of
from worker.settings import Settings


def confirm(contents: Sequence[Content], *, yes: bool) -> bool:
    """Ask whether to delete batches, unless `yes`; raise BadUsage if there is no terminal."""
    if yes:
        return True
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise BadUsage("deleting needs a confirmation; without a terminal, add --yes")
    describe(contents)
    if click.confirm(f"delete {count(len(contents), 'batch', 'batches')}?", err=True):
        return True
    notify("nothing was deleted")
    return False


def describe(contents: Sequence[Content]) -> None:
    """Print on stderr what would be deleted."""
    for one in contents:
        notify(_described(one))


def delete(settings: Settings, engine: Engine, contents: Sequence[Content]) -> None:
    """Delete batches with their messages in Redis, and report it; may raise BatchUnfinished."""
    for one in contents:
        sent = removal.delete_batch(engine, one.batch.id)
        if sent and one.batch.queue == queue_of(settings, engine):
            # The private queue of a `solve` ended with it.
            _remove_messages(settings, one.batch, sent)
        notify(f"deleted {_described(one)}")


def _remove_messages(settings: Settings, batch: Batch, chunk_ids: Sequence[int]) -> None:
    try:
        with closing(Carrier.connect(settings.redis_url, batch.queue)) as carrier:
            carrier.remove(set(chunk_ids))
    except RedisUnreachable as error:
        left = count(len(chunk_ids), "message")
        notify(f"warning: {error}\n         up to {left} there will be ignored by the workers")


def vacuum(engine: Engine) -> None:
    """Return free space to the file system, and report it on stderr."""
    before, after = removal.vacuum(engine)
    notify(f"database: {size(before)} before, {size(after)} after the vacuum")


def _described(one: Content) -> str:
    batch = one.batch.title
    if one.folder:
        return f"{batch} · its answers in {one.folder} remain there"
    return f"{batch} · {count(one.answers, 'answer')} · about {size(one.bytes)}"
