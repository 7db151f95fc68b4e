"""Messages as they lie in Redis: one of ours, and many that are not."""

import base64
import json
from typing import Any

#: as `app.send_chunk` writes it
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
    """The same message, but for what it asks."""
    return {**known, "body": base64.b64encode(json.dumps(body).encode()).decode()}


def with_header(known: dict[str, Any], **headers: object) -> dict[str, Any]:
    """The same message, but for its headers."""
    return {**known, "headers": {**known["headers"], **headers}}


def strange_ones(known: dict[str, Any]) -> dict[str, Any]:
    """What JSON can hold and is no message of ours, by what is wrong with it."""
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
        "text for a number": with_body(known, [["one"], {}, {}]),
        "nothing for a number": with_body(known, [[], {}, {}]),
        "three for one": with_body(known, [[1, 2, 3], {}, {}]),
        "a number too large": with_body(known, [[10**30], {}, {}]),
        "less than nothing": with_body(known, [[-1], {}, {}]),
        "true": with_body(known, [[True], {}, {}]),
        "a fraction": with_body(known, [[1.5], {}, {}]),
        "words": with_body(known, [[1], {"chunk_id": 1}, {}]),
        "a callback": with_body(known, [[1], {}, {"callbacks": [callback]}]),
        "a chain": with_body(known, [[1], {}, {"chain": [callback]}]),
        "another task": with_header(known, task="os.system"),
        "a task of Celery's own": with_header(known, task="celery.backend_cleanup"),
        "later": with_header(known, eta="2100-01-01T00:00:00+00:00"),
        "later, in words": with_header(known, eta="soon"),
        "too late": with_header(known, expires="yesterday"),
        "packed": with_header(known, compression="application/x-gzip"),
        "limited": with_header(known, timelimit=["x", 1]),
        "numbered": with_header(known, id=17),
        "of a strange kind": {**known, "content-type": "application/x-strange"},
        "in a strange code": {**known, "content-encoding": "utf-16"},
    }


def strange(known: dict[str, Any]) -> list[bytes]:
    """All of them as bytes, and what is no JSON at all."""
    told = [json.dumps(one).encode() for one in strange_ones(known).values()]
    uuid = b'{"__type__": "uuid", "__value__": 17}'  # kombu would make an object of it
    return [*told, b"\xff\xfe\x00garbage", b"hello", b"", told[-1][:200], b"[" * 100_000, uuid]
