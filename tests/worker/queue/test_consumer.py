"""How a worker's connection to a real Redis ends."""

import gc
import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing
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
from worker.local.backend import private_redis
from worker.local.process_group import process_group
from worker.outages import Outage
from worker.queue.carrier import presence
from worker.queue.consumer import Consumer as WorkerConsumer
from worker.queue.inbox import REDIS_ERRORS
from worker.settings import Settings


@pytest.fixture
def own_redis() -> Iterator[str]:
    """The URL of a Redis of this test alone."""
    program = services.redis_program()
    with process_group() as ours, private_redis(ours, program) as url:
        yield url


def open_files() -> int:
    """Return the number of files and sockets that this process has open."""
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.timeout(60)
def test_an_event_is_tried_once_while_redis_is_away(own_redis: str) -> None:
    app = Bullseye(Settings("sqlite://", own_redis), f"queue-{uuid4()}")
    with closing(Redis.from_url(own_redis)) as client, app.connection_for_write() as connection:
        dispatcher = app.events.Dispatcher(connection)
        dispatcher.send("worker-heartbeat", retry=True)
        os.kill(int(client.info()["process_id"]), signal.SIGKILL)
        dispatcher.send("worker-heartbeat", retry=True)  # as Celery does, for ever


def test_a_connection_is_closed_completely_while_redis_is_away(own_redis: str) -> None:
    app = Bullseye(Settings("sqlite://", own_redis), f"queue-{uuid4()}")
    with closing(Redis.from_url(own_redis)) as client:
        client.lpush(app.queue, json.dumps(OURS))
        server = int(client.info()["process_id"])
    before = open_files()
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
    assert open_files() <= before + 1  # the poller of `connection`


@pytest.fixture
def consumer(own_redis: str) -> WorkerConsumer:
    """The consumer of a worker that has not started."""
    app = Bullseye(Settings("sqlite://", own_redis), f"queue-{uuid4()}")
    made: WorkerConsumer = app.Worker(pool="solo", hostname="box-1").consumer
    return made


def reconnect(consumer: WorkerConsumer) -> None:
    """Connect, and lose the connection, without the pause before the next attempt."""
    consumer.outage = Outage("redis://")
    try:
        consumer.connection = consumer.connect()
    except REDIS_ERRORS as error:
        consumer.on_connection_error_before_connected(error)
    else:
        consumer.connection.default_channel.basic_qos(0, 1, False)
        consumer.on_connection_error_after_connected(ConnectionResetError())
    consumer.hub.reset()


@pytest.mark.parametrize("times", [50, pytest.param(1000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("maxmemory", [0, 1])
def test_reconnecting_leaves_nothing_open(
    own_redis: str, consumer: WorkerConsumer, maxmemory: int, times: int
) -> None:
    with closing(Redis.from_url(own_redis)) as client:
        client.config_set("maxmemory", maxmemory)
        reconnect(consumer)
        before, callbacks = open_files(), len(consumer.hub.on_tick)
        for _ in range(times):
            reconnect(consumer)
        assert open_files() <= before
        assert len(consumer.hub.on_tick) <= callbacks


def test_the_heartbeat_of_a_stalled_worker_says_so(consumer: WorkerConsumer) -> None:
    carrier = consumer.app.carrier
    consumer.beat()
    assert list(carrier.workers()) == [consumer.hostname]
    assert presence(carrier).stalled == []
    consumer.consumption.restart()
    consumer.beat()
    assert presence(carrier).stalled == [consumer.hostname]
    carrier.close()
