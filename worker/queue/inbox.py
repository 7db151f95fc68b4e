"""A kombu transport that delivers only messages that `message` or `monitoring` accepts.

Messages reach a worker through three Redis replies: of BRPOP (new messages, and replies to its own
remote-control commands), of HGET (messages that were not acknowledged in time) and of a
subscription (remote-control commands and events).  Each is checked where redis-py returns it to
kombu; a rejected one is replaced by the reply for "no message".  Only public names of kombu and
redis-py are used; `tests/worker/queue/test_inbox.py` checks on a real Redis that kombu still reads
through them.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import redis
from celery.utils.dispatch import Signal
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES
from kombu.transport import redis as kombu_redis
from redis.client import PubSub

from worker.errors import ForeignMessage
from worker.queue import message, monitoring

#: the name under which kombu finds the transport; it appears in logs and in `celery inspect stats`
ALIAS = "bullseye-redis"
#: the option of a connection that tells whether it delivers commands that do more than read
OBEY = "obey_commands"
#: the end of the names of channels on which remote-control commands are published
COMMAND_CHANNEL = b".pidbox"
#: what a command raises if Redis is away or refuses it
REDIS_ERRORS = kombu_redis.Transport.connection_errors + kombu_redis.Transport.channel_errors
#: the end of the names of lists that hold replies to remote-control commands
REPLY_LIST = ".reply.celery.pidbox"

#: sent for each rejected message, with the `reason` and the `line` that was read
rejected = Signal(name="rejected", providing_args={"reason", "line"})
#: sent for each reply to BRPOP without a message to deliver: the queue is empty
polled = Signal(name="polled", providing_args=set())


def check_messages(connection: Connection, *, obey: bool) -> None:
    """Make an unopened connection deliver only messages that `message` accepts.

    Remote-control commands that do more than read are delivered only with `obey`.
    """
    TRANSPORT_ALIASES[ALIAS] = f"{__name__}:Transport"
    connection.transport_cls = ALIAS
    connection.transport_options = {**(connection.transport_options or {}), OBEY: obey}


class CheckedPubSub(PubSub):
    """A subscription that passes on accepted remote-control commands and events."""

    def __init__(self, *arguments: Any, obey: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._rebuilt_command = partial(monitoring.rebuilt_command, obey=obey)

    def parse_response(self, block: bool = True, timeout: float = 0) -> Any:
        """Return the next reply; a rejected message has no data, so that kombu skips it."""
        reply = super().parse_response(block, timeout)  # type: ignore[no-untyped-call] # redis-py's
        match reply:
            case [b"pmessage" | b"message", *_, channel, data] if data:
                is_command = channel.endswith(COMMAND_CHANNEL)
                rebuilt = self._rebuilt_command if is_command else monitoring.rebuilt_event
                return [*reply[:-1], _accepted(data, rebuilt) or b""]
        return reply


class CheckedRedis(redis.Redis):
    """A client whose replies to BRPOP and HGET hold accepted messages or nothing."""

    def __init__(self, *, obey: bool, **options: Any) -> None:
        super().__init__(**options)
        self._obey = obey
        self.set_response_callback("BRPOP", _checked_pop)
        self.set_response_callback("HGET", _checked_unacked)

    def pubsub(self, **options: Any) -> CheckedPubSub:
        """Return a subscription on a connection of this client's pool."""
        return CheckedPubSub(self.connection_pool, obey=self._obey, **options)


class Channel(kombu_redis.Channel):
    """A channel that reads with `CheckedRedis`, and that can be closed while Redis is away."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # type: ignore[no-untyped-call] # kombu's
        self.Client = partial(CheckedRedis, obey=self.connection.client.transport_options[OBEY])
        # kombu has made the first client already, for a PING.
        self.client = self.Client(connection_pool=self.async_pool)

    def close(self) -> None:
        """Close the channel; unacknowledged messages that Redis does not take back are redelivered.

        kombu first reads the reply to a pending BRPOP.  If that fails, it leaves all channels of
        the connection open, and Celery, which then closes them again after it has detached them,
        ends the worker with an AttributeError.
        """
        for _ in ("the reply to a pending BRPOP", "the rest"):
            with suppress(*REDIS_ERRORS):
                super().close()  # type: ignore[no-untyped-call] # kombu's


class Transport(kombu_redis.Transport):
    """kombu's Redis transport with checked channels."""

    Channel = Channel


def _checked_pop(reply: Any, **_: Any) -> tuple[bytes, str] | None:
    """Return (list, line) with the message rebuilt; None, as after a timeout, if it is rejected."""
    if reply is None:
        polled.send(sender=None)
        return None
    key, line = reply
    queue = key.decode().rsplit(Channel.sep, 1)[0]
    if queue.endswith(REPLY_LIST):
        popped = _accepted(line, monitoring.rebuilt_reply)
    else:
        popped = _accepted(line, lambda value: message.rebuilt(value, queue))
    return None if popped is None else (key, popped)


def _checked_unacked(reply: Any, **_: Any) -> str | None:
    """Return the entry with its message rebuilt; None, as if it were missing, if it is rejected."""
    return None if reply is None else _accepted(reply, message.rebuilt_unacked)


def _accepted(line: bytes, accept: Callable[[Any], Any]) -> str | None:
    """Return the JSON of the value that `accept` returns for a line; None if it is rejected."""
    try:
        return json.dumps(accept(message.decoded(line)))
    except ForeignMessage as error:
        rejected.send(sender=None, reason=str(error), line=line)
        return None
