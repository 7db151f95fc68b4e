"""What is written into Redis: messages, Celery's JSON with the id of one chunk, and heartbeats.

Any program that can reach Redis can write into the queue.  Celery ends the worker on a line that
is not JSON, and some messages that it can decode end one worker after another because they are
redelivered.  Each message is therefore checked before Celery sees it, and rebuilt from the
ids of the task and the chunk, so that none of its other values takes effect.
"""

import base64
import json
import re
import uuid
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, Self

from storage.tables import REVISION
from worker.errors import ForeignMessage

#: the name of the only task
TASK = "bullseye.solve_chunk"
#: the version of messages, in a header of that name; those of releases before it have none.  It is
#: one more when a message gets another meaning: a header that is added does not change it
VERSION = 1
#: the version of heartbeats: one more when a field gets another meaning.  Fields that are added do
#: not change it, because readers leave out what they do not know
HEARTBEAT_VERSION = 1
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
WRONG_SHAPE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def decoded(line: bytes | str) -> Any:
    """Return the value of a JSON text; raises ForeignMessage if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ForeignMessage(f"it is not JSON: {error}") from error


def request(chunk_id: int, queue: str) -> str:
    """Return a new message that requests one chunk, as Celery's `send_task` puts it into a queue.

    Written here, several messages and their puzzles take one round trip; kombu's producer takes one
    for each message.
    """
    id_, tag = str(uuid.uuid4()), str(uuid.uuid4())
    return json.dumps(_request([chunk_id], id_, tag, queue))


def rebuilt(message: Any, queue: str) -> dict[str, Any]:
    """Return a new message with the task id, chunk id and delivery tag of `message`.

    Raises ForeignMessage if `message` is not a request for one chunk.
    """
    if reason := fault(message):
        raise ForeignMessage(reason)
    headers, tag = message["headers"], message["properties"]["delivery_tag"]
    redelivered = headers.get("redelivered") is True
    return _request(body_of(message)[0], headers["id"], tag, queue, redelivered=redelivered)


def _request(
    chunk_ids: list[int], id_: str, tag: str, queue: str, *, redelivered: bool = False
) -> dict[str, Any]:
    mark = {"redelivered": True} if redelivered else {}
    return envelope(
        [chunk_ids, {}, {}],
        {"lang": "py", "task": TASK, "id": id_, "version": VERSION, **mark},
        {
            "correlation_id": id_,
            "delivery_tag": tag,
            "delivery_info": {"exchange": "", "routing_key": queue, **mark},
            "delivery_mode": 2,
        },
    )


def rebuilt_unacked(entry: Any) -> list[Any]:
    """Return a new entry for kombu's hash of unacknowledged messages: [message, exchange, queue].

    Raises ForeignMessage if `entry` does not hold a request for one chunk.
    """
    match entry:
        case [message, "", str(queue)]:
            return [rebuilt(message, queue), "", queue]
    raise ForeignMessage("an unacknowledged entry must be [message, exchange, queue]")


def requested_chunk(line: bytes | str) -> int | None:
    """Return the id of the chunk that a message requests; None if it is not such a message."""
    try:
        message = decoded(line)
    except ForeignMessage:
        return None
    return None if fault(message) else int(body_of(message)[0][0])


def fault(message: Any) -> str | None:
    """Return why a decoded message is not a request for one chunk; None if it is one."""
    try:
        return _fault(message, message["headers"])
    except WRONG_SHAPE:
        return "it is not a complete Celery message"


def _fault(message: Any, headers: Any) -> str | None:
    version = headers.get("version", VERSION)
    if version != VERSION:  # the rest may have another shape
        return f"it is of another release of Bullseye (version {str(version)[:10]})"
    arguments, keywords, embedded = body_of(message)
    has_extras = (
        bool(keywords)
        or any(embedded.values())
        or any(headers.get("timelimit") or [])
        or any(headers.get(name) for name in FORBIDDEN_HEADERS)
    )
    if not UUID.fullmatch(headers["id"]) or not is_addressed(message["properties"]):
        return "its id, delivery tag or address is missing or malformed"
    if message["content-type"] != "application/json" or message.get("content-encoding") != "utf-8":
        return "its content type is not JSON in UTF-8"
    if headers["task"] != TASK:
        return f"its task is not {TASK}"
    if has_extras:
        return "it has keyword arguments, callbacks or options of Celery"
    return None if _is_one_chunk(arguments) else "its argument is not the id of a chunk"


def body_of(message: Any) -> Any:
    """Return the decoded body of a decoded message; raises one of WRONG_SHAPE if it has none."""
    return json.loads(base64.b64decode(message["body"], validate=True))


def envelope(body: Any, headers: dict[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """Return a message of Celery in JSON; raises ValueError if `body` holds a lone surrogate."""
    text = json.dumps(body, ensure_ascii=False).encode()
    return {
        "body": base64.b64encode(text).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": headers,
        "properties": {"priority": 0, "body_encoding": "base64", **properties},
    }


def is_addressed(properties: dict[str, Any]) -> bool:
    """Return whether the properties of a message hold what kombu needs to deliver it."""
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


@lru_cache(maxsize=1)
def release() -> str:
    """Return version and schema revision, such as `0.1.0, schema 0001`."""
    try:
        number = version("bullseye")
    except PackageNotFoundError:
        number = "of a checkout"
    return f"{number}, schema {REVISION}"


class WorkerInfo(NamedTuple):
    """What a worker stores about itself with each heartbeat."""

    release: str = "of an unknown release"
    ahead: float = 0.0  #: seconds by which its clock is ahead of the clock of Redis
    busy: int = 0  #: processes that have a chunk
    consumed: float = 0.0  #: seconds since it received a message or found the queue empty
    stalled: bool = False  #: messages wait, a process is free, and it consumes nothing
    processes: int = 1  #: processes that solve chunks
    process: str = ""  #: the name of its main process; see `storage.outbox.removal`

    def encode(self) -> str:
        """Return the JSON text that `decode` reads."""
        return json.dumps({"version": HEARTBEAT_VERSION, **self._asdict()})

    @classmethod
    def decode(cls, text: str | None) -> Self:
        """Return what a worker of any release stored; what cannot be read has its default.

        >>> WorkerInfo.decode('{"version": 9, "release": "9.0", "busy": 2, "colour": "red"}').busy
        2
        >>> WorkerInfo.decode("[]").release
        'of an unknown release'
        """
        try:
            found = json.loads(text or "")
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):  # the values in this order, as before version 1
            found = dict(zip(cls._fields, found, strict=False))
        usual, given = cls(), found if isinstance(found, dict) else {}
        return usual._replace(
            **{
                name: given[name]
                for name in cls._fields
                if name in given and _is_like(given[name], getattr(usual, name))
            }
        )


def _is_like(value: object, usual: object) -> bool:
    """Return whether a value from JSON can take the place of the usual one; a bool is no int."""
    return type(value) is type(usual) or (type(value) is int and type(usual) is float)
