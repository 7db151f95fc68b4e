"""Messages as they are stored in Redis: one written by Bullseye, and many foreign ones."""

import base64
import json
from typing import Any

#: as Celery's `send_task` writes it, for chunk 8
OURS: dict[str, Any] = {
    "body": "W1s4XSwge30sIHsiY2FsbGJhY2tzIjogbnVsbCwgImVycmJhY2tzIjogbnVsbCwgImNoYWluIjogbnVsbCwg"
    "ImNob3JkIjogbnVsbH1d",
    "content-encoding": "utf-8",
    "content-type": "application/json",
    "headers": {
        "lang": "py",
        "task": "bullseye.solve_chunk",
        "id": "0c963b33-59ff-41c6-b3f2-391221ccefdb",
        "shadow": None,
        "eta": None,
        "expires": None,
        "group": None,
        "group_index": None,
        "retries": 0,
        "timelimit": [None, None],
        "root_id": "0c963b33-59ff-41c6-b3f2-391221ccefdb",
        "parent_id": None,
        "argsrepr": "",
        "kwargsrepr": "{}",
        "origin": "gen16058@vm",
        "ignore_result": None,
        "replaced_task_nesting": 0,
        "stamped_headers": None,
        "stamps": {},
    },
    "properties": {
        "correlation_id": "0c963b33-59ff-41c6-b3f2-391221ccefdb",
        "reply_to": "613bcb43-8990-3522-b60e-2a84dde1f02c",
        "delivery_mode": 2,
        "delivery_info": {"exchange": "", "routing_key": "bullseye-7a32191b2eb28ecd"},
        "priority": 0,
        "body_encoding": "base64",
        "delivery_tag": "d840edfb-ab0e-43ff-8817-42701331c7b6",
    },
}


def with_body(known: dict[str, Any], body: object) -> dict[str, Any]:
    """A copy of `known` with another body."""
    return {**known, "body": base64.b64encode(json.dumps(body).encode()).decode()}


def with_header(known: dict[str, Any], **headers: object) -> dict[str, Any]:
    """A copy of `known` with more or other headers."""
    return {**known, "headers": {**known["headers"], **headers}}


#: as `celery inspect ping` publishes it
PING = with_body(OURS, {"method": "ping", "arguments": {}, "reply_to": None, "destination": None})
#: as a worker replies to it
PONG = with_header(with_body(OURS, {"a@host": {"ok": "pong"}}), ticket="1", clock=7)
#: fields of the events that `celery worker -E` publishes
HEARTBEAT: dict[str, Any] = {
    "hostname": "a@host",
    "utcoffset": 0.0,
    "pid": 12460,
    "clock": 95,
    "freq": 2.0,
    "active": 0,
    "processed": 0,
    "loadavg": [0.86, 1.34, 1.64],
    "sw_ident": "py-celery",
    "sw_ver": "5.7.0",
    "sw_sys": "Linux",
    "timestamp": 1795331034.4644716,
    "type": "worker-heartbeat",
}
SUCCESS: dict[str, Any] = {
    "hostname": "a@host",
    "utcoffset": 0.0,
    "pid": 12460,
    "clock": 96,
    "uuid": OURS["headers"]["id"],
    "result": "None",
    "runtime": 0.014,
    "timestamp": 1795331034.5,
    "type": "task-succeeded",
}


def event(*events: dict[str, Any], **changes: object) -> dict[str, Any]:
    """The message of one event, with some fields changed, or of a list of events."""
    body = [*events] if len(events) > 1 else {**events[0], **changes}
    return {**with_body(OURS, body), "headers": {"hostname": events[0]["hostname"]}}


def foreign_events() -> dict[str, Any]:
    """Messages that Celery reads as events and that are malformed or hostile, by their fault."""
    election = {"type": "worker-elect", "id": "1", "topic": "task", "cver": 1}
    return {
        "no type": event({key: HEARTBEAT[key] for key in ("hostname", "timestamp")}),
        "an election of the worker that sends a task": event(HEARTBEAT, **election),
        "an unknown type": event(HEARTBEAT, type="worker-" + "x" * 9),
        "a type that is not text": event(HEARTBEAT, type=["worker-heartbeat"]),
        "no host": event(HEARTBEAT, hostname=None) | {"headers": {}},
        "a host that cannot be hashed": event(HEARTBEAT, hostname={}),
        "no time": event(HEARTBEAT, timestamp=None),
        "a time that is not a number": event(HEARTBEAT, timestamp="now"),
        "an infinite time": event(HEARTBEAT, timestamp=float("inf")),
        "not a time": event(HEARTBEAT, timestamp=float("nan")),
        "a time after the year 9999": event(HEARTBEAT, timestamp=10**12),
        "an offset of thousands of digits": event(HEARTBEAT, utcoffset=10**4000),
        "a load that is not a list": event(HEARTBEAT, loadavg=1),
        "a frequency that is not a number": event(HEARTBEAT, freq=[2]),
        "a lone surrogate": event(HEARTBEAT, sw_sys="\ud800"),
        "a task without id": event(SUCCESS, uuid=None),
        "a task whose id cannot be hashed": event(SUCCESS, uuid=[1]),
        "a list with an event of a worker": event(SUCCESS, HEARTBEAT),
        "no delivery tag": {**event(HEARTBEAT), "properties": {}},
        "another content type": {**event(HEARTBEAT), "content-type": "application/x-yaml"},
    }


def foreign_messages(known: dict[str, Any]) -> dict[str, Any]:
    """JSON values that are not messages of Bullseye, by the name of their fault."""
    callback = {"task": "celery.backend_cleanup", "args": [], "kwargs": {}}
    return {
        "list": [1, 2, 3],
        "null": None,
        "number": 17,
        "empty": {},
        "no properties": {k: v for k, v in known.items() if k != "properties"},
        "no delivery": {**known, "properties": {"body_encoding": "base64"}},
        "no headers": {**known, "headers": {}},
        "body not base64": {**known, "body": "%%%"},
        "body not JSON": {**known, "body": "bm9wZQ=="},
        "body an object": with_body(known, {"a": 1}),
        "body too deep": {**known, "body": base64.b64encode(b"[" * 100_000).decode()},
        "a chunk id as text": with_body(known, [["one"], {}, {}]),
        "no chunk id": with_body(known, [[], {}, {}]),
        "three chunk ids": with_body(known, [[1, 2, 3], {}, {}]),
        "a chunk id too large": with_body(known, [[10**30], {}, {}]),
        "a negative chunk id": with_body(known, [[-1], {}, {}]),
        "a boolean chunk id": with_body(known, [[True], {}, {}]),
        "a fractional chunk id": with_body(known, [[1.5], {}, {}]),
        "keyword arguments": with_body(known, [[1], {"chunk_id": 1}, {}]),
        "a callback": with_body(known, [[1], {}, {"callbacks": [callback]}]),
        "a chain": with_body(known, [[1], {}, {"chain": [callback]}]),
        "another task": with_header(known, task="os.system"),
        "a task of Celery's own": with_header(known, task="celery.backend_cleanup"),
        "an eta": with_header(known, eta="2100-01-01T00:00:00+00:00"),
        "an eta that is not a time": with_header(known, eta="soon"),
        "an expiry that is not a time": with_header(known, expires="yesterday"),
        "compressed": with_header(known, compression="application/x-gzip"),
        "a time limit that is not a number": with_header(known, timelimit=["x", 1]),
        "a numeric id": with_header(known, id=17),
        "an unknown content type": {**known, "content-type": "application/x-strange"},
        "another encoding": {**known, "content-encoding": "utf-16"},
    }


def foreign_lines(known: dict[str, Any]) -> list[bytes]:
    """The foreign messages as JSON, and lines that are not JSON."""
    messages = [json.dumps(message).encode() for message in foreign_messages(known).values()]
    uuid = b'{"__type__": "uuid", "__value__": 17}'  # kombu's own decoder fails on it
    cut = messages[-1][:200]
    return [*messages, b"\xff\xfe\x00garbage", b"hello", b"", cut, b"[" * 100_000, uuid]
