"""What Celery's own tools write to Redis: remote-control commands, their replies, and events.

`celery inspect`, `celery events` and Flower use them, and so do workers that look for each other
(Celery calls this gossip and mingle).  Each one is rebuilt from the values that its reader needs,
so that none of its other values takes effect.  Logical clocks are left out: they only order events,
and one of thousands of digits would keep every worker from answering.
"""

import re
from collections.abc import Callable
from typing import Any

from worker.errors import ForeignMessage
from worker.queue.message import WRONG_SHAPE, body_of, envelope, is_addressed

#: the remote-control commands that only read, which Celery calls `inspect`, and the two by which
#: monitors ask for events, each with the arguments that are kept of it
READING: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            *("active", "active_queues", "clock", "ping", "registered", "report", "reserved"),
            *("revoked", "scheduled", "stats", "enable_events", "heartbeat"),
        ),
        frozenset(),
    ),
    "conf": frozenset({"with_defaults"}),
    "hello": frozenset({"from_node"}),
    "query_task": frozenset({"ids"}),
}
#: the types of events; `worker-elect` is left out, because it makes a worker send any task
EVENT_TYPE = re.compile("worker-(online|heartbeat|offline)|task-[a-z]+")
#: the fields of events that are texts; see "Event Reference" in Celery's documentation
EVENT_TEXTS = {
    *("type", "hostname", "sw_ident", "sw_ver", "sw_sys"),
    *("uuid", "name", "args", "kwargs", "eta", "expires", "queue", "exchange", "routing_key"),
    *("root_id", "parent_id", "result", "exception", "traceback"),
}
#: the fields of events that are numbers or truth values
EVENT_NUMBERS = {
    *("timestamp", "utcoffset", "pid", "freq", "active", "processed", "retries", "runtime"),
    *("signum", "terminated", "expired", "requeue"),
}
#: every number of an event is smaller; Celery fails on times after the year 9999
MAX_EVENT_NUMBER = 1e11

#: what is kept of a message: its body, its headers, and the routing key, which is read for events
Content = tuple[Any, dict[str, Any], str]


def rebuilt_command(message: Any, *, obey: bool) -> dict[str, Any]:
    """Return a new message with the remote-control command of `message`.

    Raises ForeignMessage if `message` holds no command of Celery's, or, unless `obey`, one that is
    not in READING: whoever reaches Redis could end workers with it, or let them start processes.
    """
    return _rebuilt(
        message, lambda body, headers: _command(body, headers, obey), "remote-control command"
    )


def rebuilt_reply(message: Any) -> dict[str, Any]:
    """Return a new message with the reply of `message`; raises ForeignMessage if it has none."""
    return _rebuilt(message, _reply, "reply to a remote-control command")


def rebuilt_event(message: Any) -> dict[str, Any]:
    """Return a new message with the event, or the list of task events, of `message`.

    Only fields that Celery documents are kept.  Raises ForeignMessage if one of them has another
    type, or if `message` holds no event.
    """
    return _rebuilt(message, _events, "event")


def _rebuilt(message: Any, read: Callable[[Any, Any], Content], kind: str) -> dict[str, Any]:
    try:
        _require(message["content-type"] == "application/json")
        _require(is_addressed(message["properties"]))
        body, headers, routing_key = read(body_of(message), message["headers"])
        address = {
            "delivery_tag": message["properties"]["delivery_tag"],
            "delivery_info": {"exchange": "", "routing_key": routing_key},
        }
        return envelope(body, headers, address)
    except WRONG_SHAPE:
        raise ForeignMessage(f"it is not a complete {kind}") from None


def _command(body: Any, headers: Any, obey: bool) -> Content:
    reply = body.get("reply_to") or {"exchange": "", "routing_key": ""}
    name, arguments = body["method"], body.get("arguments") or {}
    _require(isinstance(headers, dict))
    _require(isinstance(name, str))
    _require(isinstance(arguments, dict))
    _require(isinstance(body.get("destination") or [], list))
    _require(isinstance(reply["exchange"], str) and isinstance(reply["routing_key"], str))
    from celery.worker.control import Panel  # noqa: PLC0415 # only a worker has read it already

    if name not in (Panel.data if obey else READING):
        raise ForeignMessage(f"Celery's command {name[:40]!r} is not obeyed (BULLSEYE_CONTROL)")
    if obey:
        return body, {}, ""
    kept = {key: arguments[key] for key in READING[name] & arguments.keys()}
    return {**body, "arguments": kept}, {}, ""


def _reply(body: Any, headers: Any) -> Content:
    _require(isinstance(body, dict) and isinstance(headers["ticket"], str))
    return body, {"ticket": headers["ticket"]}, ""


def _events(body: Any, _headers: Any) -> Content:
    if isinstance(body, list):
        events = [_event(event) for event in body]
        _require(all(event["type"].startswith("task-") for event in events))
        return events, {}, "task.multi"
    event = _event(body)
    return event, {"hostname": event["hostname"]}, event["type"].replace("-", ".")


def _event(given: dict[str, Any]) -> dict[str, Any]:
    """Return the standard fields of an event; raises one of WRONG_SHAPE if a value is wrong."""
    event = {name: value for name, value in given.items() if value is not None}
    texts = {name: event[name] for name in EVENT_TEXTS & event.keys()}
    numbers = {name: event[name] for name in EVENT_NUMBERS & event.keys()}
    load = event.get("loadavg", [])
    _require(all(isinstance(text, str) for text in texts.values()))
    _require(all(-MAX_EVENT_NUMBER < n < MAX_EVENT_NUMBER for n in [*numbers.values(), *load]))
    _require(EVENT_TYPE.fullmatch(texts["type"]) is not None)
    _require({"hostname", "timestamp"} <= event.keys())
    _require("uuid" in texts or texts["type"].startswith("worker-"))
    return {**texts, **numbers, **({"loadavg": list(load)} if load else {})}


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError
