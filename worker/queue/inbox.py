"""The door of the queue: what is not a message of ours is refused, before Celery looks at it.

Celery ends, exit code 0, at the first thing in its queue that is no JSON; and there are messages
that it can read and cannot work with, which end one worker after the other, whenever they come
back.  Whoever else writes into our Redis, and whatever, is counted, told in the log, and dropped.
What passes is written anew, so that nothing of it reaches Celery but names and a chunk's number.
"""

import base64
import json
import re
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

#: of a task, and of a delivery
NAME = re.compile("[0-9a-f-]{36}")

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
    """Reads the queue, and what is asked of all workers."""

    QoS = QoS

    def _brpop_read(self, **options: Any) -> Any:
        return self._guard(super()._brpop_read, **options)

    def _receive(self) -> Any:
        return self._guard(super()._receive)

    def _guard(self, read: Callable[..., Any], **options: Any) -> Any:
        """The next message; what fails before it was delivered could not be read."""
        self.connection.delivering = False
        try:
            return read(**options)
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
            passed = message if control else anew(message, queue)
            super()._deliver(passed, queue)  # type: ignore[no-untyped-call]
        else:
            self.refuse(why, message)
        self.delivering = False


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
        whole = bool(NAME.fullmatch(headers["id"])) and _is_addressed(message["properties"])
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


def anew(message: dict[str, Any], queue: str) -> dict[str, Any]:
    """The same message, as we would have written it."""
    headers, properties = message["headers"], message["properties"]
    args = json.loads(base64.b64decode(message["body"]))[0]
    again = {"redelivered": True} if headers.get("redelivered") is True else {}
    return {
        "body": base64.b64encode(json.dumps([args, {}, {}]).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"lang": "py", "task": headers["task"], "id": headers["id"], **again},
        "properties": {
            "correlation_id": headers["id"],
            "delivery_tag": properties["delivery_tag"],
            "delivery_info": {"exchange": "", "routing_key": queue, **again},
            "delivery_mode": 2,
            "priority": 0,
            "body_encoding": "base64",
        },
    }


def fault_of_control(message: Any) -> str | None:
    """The same, of a message to all workers; whether there is such a command is Celery's to say."""
    try:
        asked = json.loads(base64.b64decode(message["body"], validate=True))
        json.dumps([message, asked], ensure_ascii=False).encode()  # for half of a character
        reply = asked.get("reply_to") or {"exchange": "", "routing_key": ""}
        whole = (
            _is_addressed(message["properties"])
            and message["content-type"] == "application/json"
            and isinstance(message["headers"], dict)
            and isinstance(asked["method"], str)
            and isinstance(asked.get("arguments") or {}, dict)
            and isinstance(asked.get("destination") or [], list)
            and isinstance(reply["exchange"], str)
            and isinstance(reply["routing_key"], str)
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        whole = False
    return None if whole else "it asks nothing of all workers"


def _is_addressed(properties: dict[str, Any]) -> bool:
    return (
        bool(NAME.fullmatch(properties["delivery_tag"]))
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
