"""How a worker's connection to a real Redis ends."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from kombu.entity import Exchange, Queue
from kombu.messaging import Consumer
from redis import Redis

from tests import services
from tests.worker.queue.messages import OURS
from worker.app import Bullseye
from worker.local.process_group import process_group
from worker.local.redis_server import find_redis, private_redis
from worker.settings import Settings


@pytest.fixture
def own_redis() -> Iterator[str]:
    """The URL of a Redis of this test alone."""
    program = find_redis() or services.missing("redis-server")
    with process_group() as ours, private_redis(ours, program) as url:
        yield url


def open_sockets() -> set[str]:
    """Return the names of this process's sockets."""
    found = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one that lists the folder
            found.add(str(descriptor.readlink()))
    return {name for name in found if name.startswith("socket:")}


def test_a_connection_is_closed_completely_while_redis_is_away(own_redis: str) -> None:
    app = Bullseye(Settings("sqlite://", own_redis), f"queue-{uuid4()}")
    with closing(Redis.from_url(own_redis)) as client:
        client.lpush(app.queue, json.dumps(OURS))
        server = int(client.info()["process_id"])
    before = open_sockets()
    delivered: list[Any] = []
    mailbox = Queue(f"{uuid4()}.pidbox", Exchange("pidbox", type="fanout"), auto_delete=True)
    connection = app.connection_for_read()
    Consumer(connection, [Queue(app.queue)], on_message=delivered.append).consume()
    Consumer(connection.channel(), [mailbox], on_message=delivered.append).consume()
    with pytest.raises(TimeoutError):
        while True:  # until the message is delivered and the next BRPOP is pending
            connection.drain_events(timeout=0.2)
    assert len(delivered) == 1
    os.kill(server, signal.SIGKILL)
    # Celery does both when it has lost a connection.
    connection.collect()
    connection.close()
    assert open_sockets() <= before
