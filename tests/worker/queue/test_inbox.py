"""What kombu reads through the checked transport, from a real Redis."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from kombu.connection import Connection
from kombu.entity import Exchange, Queue
from kombu.messaging import Consumer
from redis import Redis

from tests.worker.queue.messages import (
    HEARTBEAT,
    OURS,
    PING,
    PONG,
    event,
    foreign_events,
    foreign_lines,
)
from worker.app import Bullseye
from worker.queue import inbox
from worker.queue.carrier import Carrier
from worker.queue.message import fault
from worker.settings import Settings

PIDBOX = "celery.pidbox"


@pytest.fixture
def app(redis_url: str) -> Bullseye:
    return Bullseye(Settings("sqlite://", redis_url), f"queue-{uuid4()}")


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with closing(Redis.from_url(redis_url)) as client:
        yield client


@pytest.fixture
def connection(app: Bullseye) -> Iterator[Connection]:
    with app.connection_for_read() as connection:
        yield connection


@pytest.fixture
def rejected() -> Iterator[list[str]]:
    """The reasons of all rejections during the test."""
    reasons: list[str] = []

    def note(reason: str, **_: object) -> None:
        reasons.append(reason)

    inbox.rejected.connect(note)
    yield reasons
    inbox.rejected.disconnect(note)


def drain(connection: Connection, seconds: float) -> None:
    """Handle replies until none has arrived for `seconds`."""
    with pytest.raises(TimeoutError):
        while True:
            connection.drain_events(timeout=seconds)


def test_only_our_messages_are_delivered_from_the_queue(
    app: Bullseye, redis: Redis, connection: Connection, rejected: list[str]
) -> None:
    delivered: list[Any] = []
    foreign, ours = foreign_lines(OURS), json.dumps(OURS)
    redis.lpush(app.queue, ours, *foreign, ours)
    with Consumer(connection, [Queue(app.queue)], on_message=delivered.append, no_ack=True):
        drain(connection, 2)
    assert [message.headers["id"] for message in delivered] == [OURS["headers"]["id"]] * 2
    assert len(rejected) == len(foreign)
    assert redis.llen(app.queue) == 0


def test_celery_takes_what_was_sent_behind_after_all_others(
    app: Bullseye, redis_url: str, connection: Connection
) -> None:
    delivered: list[Any] = []
    with closing(Carrier.connect(redis_url, app.queue)) as carrier:
        carrier.send({1: "large", 2: "small", 3: "large", 4: "small"}, behind=[1, 3])
        with Consumer(connection, [Queue(app.queue)], on_message=delivered.append, no_ack=True):
            drain(connection, 2)
        assert [json.loads(message.body)[0] for message in delivered] == [[2], [4], [1], [3]]
        assert carrier.waiting() == 0


def test_only_remote_control_commands_are_delivered_from_a_subscription(
    redis: Redis, connection: Connection, rejected: list[str]
) -> None:
    delivered: list[Any] = []
    mailbox = Queue(f"{uuid4()}.{PIDBOX}", Exchange(PIDBOX, type="fanout"), auto_delete=True)
    foreign = foreign_lines(OURS)
    with Consumer(connection, [mailbox], on_message=delivered.append, no_ack=True):
        drain(connection, 0.5)  # subscribes
        for line in [*foreign, json.dumps(PING).encode()]:
            assert redis.publish(f"/0.{PIDBOX}", line) == 1
        drain(connection, 2)
    assert [message.decode()["method"] for message in delivered] == ["ping"]
    assert len(rejected) == len([line for line in foreign if line])  # kombu ignores an empty one


def test_only_well_formed_events_are_delivered_from_a_subscription(
    redis: Redis, connection: Connection, rejected: list[str]
) -> None:
    delivered: list[Any] = []
    exchange = Exchange("celeryev", type="fanout")
    queue = Queue(f"celeryev.{uuid4()}", exchange, routing_key="worker.#", auto_delete=True)
    foreign = [json.dumps(message).encode() for message in foreign_events().values()]
    with Consumer(connection, [queue], on_message=delivered.append, no_ack=True):
        drain(connection, 0.5)  # subscribes
        for line in [*foreign, *foreign_lines(OURS), json.dumps(event(HEARTBEAT)).encode()]:
            assert redis.publish("/0.celeryev/worker.heartbeat", line) == 1
        drain(connection, 1)
    assert [message.decode()["type"] for message in delivered] == ["worker-heartbeat"]
    assert len(rejected) == len([line for line in [*foreign, *foreign_lines(OURS)] if line])


def test_only_replies_are_delivered_from_the_mailbox_of_a_remote_control_command(
    redis: Redis, connection: Connection, rejected: list[str]
) -> None:
    delivered: list[Any] = []
    mailbox = Queue(f"{uuid4()}.reply.{PIDBOX}", auto_delete=True)
    with Consumer(connection, [mailbox], on_message=delivered.append, no_ack=True):
        redis.lpush(mailbox.name, *foreign_lines(OURS), json.dumps(PONG))
        drain(connection, 1)
    assert [message.decode() for message in delivered] == [{"a@host": {"ok": "pong"}}]
    assert len(rejected) == len(foreign_lines(OURS))


def test_foreign_unacknowledged_entries_do_not_block_the_redelivery_of_ours(
    app: Bullseye, redis: Redis, connection: Connection, rejected: list[str]
) -> None:
    entries: dict[Any, Any] = {"a": b"garbage", "b": b"[1]", "c": b"17"}
    entries |= {f"foreign-{i}": line for i, line in enumerate(foreign_lines(OURS)) if line}
    entries["ours"] = json.dumps([OURS, "", app.queue]).encode()
    redis.hset(f"{app.queue}:unacked", mapping=entries)
    redis.zadd(f"{app.queue}:unacked_index", {tag: i for i, tag in enumerate(entries, start=1)})
    connection.default_channel.qos.restore_visible(num=len(entries))
    (line,) = redis.lrange(app.queue, 0, -1)
    assert fault(json.loads(line)) is None
    assert len(rejected) == len(entries) - 1
    assert redis.exists(f"{app.queue}:unacked", f"{app.queue}:unacked_index") == 0


def test_the_address_of_the_connection_is_a_text(connection: Connection) -> None:
    assert connection.as_uri().startswith(("bullseye-redis://", "redis+socket://"))
    assert json.dumps(connection.info())
