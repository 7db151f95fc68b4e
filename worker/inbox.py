"""The door of the queue: what is not a message of ours is refused, before Celery looks at it.

Celery ends, exit code 0, at the first thing in its queue that is no JSON; and there are messages
that it can read and cannot work with, which end one worker after the other, whenever they come
back.  Whoever else writes into our Redis, and whatever, is counted, told in the log, and dropped.
"""

import base64
import json
from collections.abc import Callable
from queue import Empty
from typing import Any

from kombu.transport import redis

#: what a worker is asked for besides chunks: `celery inspect`, `celery control`, Flower
CONTROL = ".pidbox"
#: the largest id that a database has
LARGEST = 2**63 - 1
#: what would make Celery do more than run one task once, now
MORE = ("eta", "expires", "group", "compression", "stamps", "stamped_headers", "shadow", "retries")

#: takes the reason, and what was refused
Refuse = Callable[[str, object], None]


class QoS(redis.QoS):
    """What was delivered and not acknowledged."""

    def restore_by_tag(self, tag: Any, client: Any = None, leftmost: bool = False) -> None:
        """Back into the queue; what cannot be read would stand in the way of all others."""
        try:
            super().restore_by_tag(tag, client, leftmost)  # type: ignore[no-untyped-call]
        except (ValueError, TypeError) as error:
            with self.channel.conn_or_acquire(client) as server, server.pipeline() as pipe:
                self._remove_from_indices(tag, pipe)  # type: ignore[no-untyped-call]
                pipe.execute()
            self.channel.connection.refuse(
                f"it was delivered, and cannot be put back: {error}", tag
            )


class Channel(redis.Channel):
    """Reads the queue."""

    QoS = QoS

    def _brpop_read(self, **options: Any) -> Any:
        """The next message; what fails before it was delivered could not be read."""
        self.connection.delivering = False
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except (*self.connection_errors, self.ResponseError, Empty):
            raise
        except Exception as error:
            if self.connection.delivering:
                raise
            self.connection.refuse("it is no JSON", str(error))
            raise Empty from error


class Transport(redis.Transport):
    """Delivers what passes."""

    Channel = Channel
    delivering = False
    task = ""
    refuse: Refuse

    def _deliver(self, message: Any, queue: str) -> None:
        self.delivering = True
        control = queue.endswith(CONTROL)
        why = fault_of_control(message) if control else fault(message, self.task)
        if why is None:
            super()._deliver(message, queue)  # type: ignore[no-untyped-call]
        else:
            self.refuse(why, message)


def guarded(task: str, refuse: Refuse) -> type[Transport]:
    """A transport for messages that name this task and a chunk; the others go to `refuse`."""
    return type("Guarded", (Transport,), {"task": task, "refuse": staticmethod(refuse)})


def fault(message: Any, task: str) -> str | None:
    """Why this is not a message of ours; None if it is."""
    try:
        headers, kind = message["headers"], message["content-type"]
        args, kwargs, rest = json.loads(base64.b64decode(message["body"], validate=True))
        named, more = headers["task"], any(headers.get(name) for name in MORE)
        limits = headers.get("timelimit") or [None, None]
        asked = any(rest.values()) or any(limits) or bool(kwargs)
        whole = isinstance(headers["id"], str) and _is_addressed(message["properties"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return "it is no message of Celery's, or not whole"
    if not whole:
        return "it is not whole"
    if kind != "application/json" or message.get("content-encoding") != "utf-8":
        return "it is not written in JSON"
    if named != task:
        return "it asks for another task"
    if more or asked:
        return "it asks for more than a chunk"
    return None if _is_chunk(args) else "it does not name a chunk"


def fault_of_control(message: Any) -> str | None:
    """The same, of a message to all workers: Celery looks at what it asks for by itself."""
    try:
        return None if _is_addressed(message["properties"]) else "it is not whole"
    except (TypeError, KeyError, AttributeError):
        return "it is no message of Celery's, or not whole"


def _is_addressed(properties: dict[str, Any]) -> bool:
    return (
        isinstance(properties["delivery_tag"], str)
        and properties["body_encoding"] == "base64"
        and {"exchange", "routing_key"} <= properties["delivery_info"].keys()
    )


def _is_chunk(args: Any) -> bool:
    return (
        isinstance(args, list)
        and len(args) == 1
        and type(args[0]) is int
        and 0 < args[0] <= LARGEST
    )
