"""The messages that a worker accepts: Celery's JSON with the id of one chunk and nothing else.

Any program that can reach Redis can write into the queue.  Celery ends the worker on a line that
is not JSON, and some messages that it can decode end one worker after another because they are
redelivered.  Each message is therefore checked before Celery sees it, and rebuilt from the
ids of the task and the chunk, so that none of its other values takes effect.
"""

import base64
import json
import re
from typing import Any

from worker.errors import ForeignMessage

#: the name of the only task
TASK = "bullseye.solve_chunk"
#: the largest integer key of SQLite and PostgreSQL
MAX_CHUNK_ID = 2**63 - 1
#: headers that make Celery do anything other than run the task once, immediately
FORBIDDEN_HEADERS = (
    "eta",
    "expires",
    "group",
    "compression",
    "stamps",
    "stamped_headers",
    "shadow",
    "retries",
)
#: a task's id and a delivery tag
UUID = re.compile("[0-9a-f-]{36}")

#: the exceptions of code that reads a message from JSON of another shape
_WRONG_SHAPE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def decoded(line: bytes | str) -> Any:
    """Return the value of a JSON text; raises ForeignMessage if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ForeignMessage(f"it is not JSON: {error}") from error


def rebuilt(message: Any, queue: str) -> dict[str, Any]:
    """Return a new message with the task id, chunk id and delivery tag of `message`.

    Raises ForeignMessage if `message` is not a request for one chunk.
    """
    if reason := fault(message):
        raise ForeignMessage(reason)
    headers, properties = message["headers"], message["properties"]
    chunk_ids = _body(message)[0]
    redelivered = {"redelivered": True} if headers.get("redelivered") is True else {}
    return {
        "body": base64.b64encode(json.dumps([chunk_ids, {}, {}]).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"lang": "py", "task": TASK, "id": headers["id"], **redelivered},
        "properties": {
            "correlation_id": headers["id"],
            "delivery_tag": properties["delivery_tag"],
            "delivery_info": {"exchange": "", "routing_key": queue, **redelivered},
            "delivery_mode": 2,
            "priority": 0,
            "body_encoding": "base64",
        },
    }


def rebuilt_unacked(entry: Any) -> list[Any]:
    """Return a new entry for kombu's hash of unacknowledged messages: [message, exchange, queue].

    Raises ForeignMessage if `entry` does not hold a request for one chunk.
    """
    match entry:
        case [message, "", str(queue)]:
            return [rebuilt(message, queue), "", queue]
    raise ForeignMessage("an unacknowledged entry must be [message, exchange, queue]")


def accepted_control(message: Any) -> Any:
    """Return `message` itself; raises ForeignMessage if it is not a remote-control command."""
    if reason := control_fault(message):
        raise ForeignMessage(reason)
    return message


def fault(message: Any) -> str | None:
    """Return why a decoded message is not a request for one chunk; None if it is one."""
    try:
        headers = message["headers"]
        arguments, keywords, embedded = _body(message)
        is_complete = bool(UUID.fullmatch(headers["id"])) and _is_addressed(message["properties"])
        has_extras = (
            bool(keywords)
            or any(embedded.values())
            or any(headers.get("timelimit") or [])
            or any(headers.get(name) for name in FORBIDDEN_HEADERS)
        )
        task, kind = headers["task"], message["content-type"]
    except _WRONG_SHAPE:
        return "it is not a complete Celery message"
    if not is_complete:
        return "its id, delivery tag or address is missing or malformed"
    if kind != "application/json" or message.get("content-encoding") != "utf-8":
        return "its content type is not JSON in UTF-8"
    if task != TASK:
        return f"its task is not {TASK}"
    if has_extras:
        return "it has keyword arguments, callbacks or options of Celery"
    return None if _is_one_chunk(arguments) else "its argument is not the id of a chunk"


def control_fault(message: Any) -> str | None:
    """Return why a decoded message is not a remote-control command; None if it is one.

    Remote control is what `celery inspect`, `celery control` and Flower use.  Whether a command of
    that name exists is left to Celery.
    """
    try:
        command = _body(message)
        json.dumps([message, command], ensure_ascii=False).encode()  # fails on lone surrogates
        reply = command.get("reply_to") or {"exchange": "", "routing_key": ""}
        is_complete = (
            _is_addressed(message["properties"])
            and message["content-type"] == "application/json"
            and isinstance(message["headers"], dict)
            and isinstance(command["method"], str)
            and isinstance(command.get("arguments") or {}, dict)
            and isinstance(command.get("destination") or [], list)
            and isinstance(reply["exchange"], str)
            and isinstance(reply["routing_key"], str)
        )
    except _WRONG_SHAPE:
        is_complete = False
    return None if is_complete else "it is not a complete remote-control command"


def _body(message: Any) -> Any:
    return json.loads(base64.b64decode(message["body"], validate=True))


def _is_addressed(properties: dict[str, Any]) -> bool:
    return (
        bool(UUID.fullmatch(properties["delivery_tag"]))
        and properties["body_encoding"] == "base64"
        and {"exchange", "routing_key"} <= properties["delivery_info"].keys()
    )


def _is_one_chunk(arguments: Any) -> bool:
    return (
        isinstance(arguments, list)
        and len(arguments) == 1
        and type(arguments[0]) is int  # a bool is an int, too
        and 0 < arguments[0] <= MAX_CHUNK_ID
    )
