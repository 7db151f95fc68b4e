import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.queue.messages import OURS, foreign_messages, with_body, with_header
from worker.errors import ForeignMessage
from worker.queue.message import (
    TASK,
    decoded,
    fault,
    rebuilt,
    rebuilt_unacked,
    request,
)

REBUILT = {
    "body": with_body({}, [[8], {}, {}])["body"],
    "content-type": "application/json",
    "content-encoding": "utf-8",
    "headers": {"lang": "py", "task": TASK, "id": OURS["headers"]["id"], "version": 1},
    "properties": {
        "correlation_id": OURS["headers"]["id"],
        "delivery_tag": OURS["properties"]["delivery_tag"],
        "delivery_info": {"exchange": "", "routing_key": "queue"},
        "delivery_mode": 2,
        "priority": 0,
        "body_encoding": "base64",
    },
}


def test_our_own_message_is_accepted() -> None:
    assert fault(OURS) is None


def test_a_request_is_the_message_that_celery_writes() -> None:
    made = decoded(request(8, "queue"))
    assert rebuilt(made, "queue") == made
    headers, properties = made["headers"], made["properties"]
    own = {"id": headers["id"], "delivery_tag": properties["delivery_tag"]}
    same = {**OURS, "headers": {**OURS["headers"], "id": own["id"]}}
    same["properties"] = {**OURS["properties"], "delivery_tag": own["delivery_tag"]}
    assert rebuilt(same, "queue") == made
    assert decoded(request(8, "queue"))["headers"]["id"] != own["id"]


@pytest.mark.attack
def test_a_message_of_another_release_with_one_more_header_is_accepted() -> None:
    assert fault(with_header(OURS, version=1, urgency="high")) is None


@pytest.mark.attack
def test_a_message_with_another_meaning_is_rejected_with_its_version() -> None:
    assert fault(with_header(OURS, version=2)) == "it is of another release of Bullseye (version 2)"


def test_a_redelivered_message_is_accepted() -> None:
    assert fault(with_header(OURS, redelivered=True)) is None


@pytest.mark.parametrize("chunk", [1, 2**63 - 1])
def test_every_possible_chunk_id_is_accepted(chunk: int) -> None:
    assert fault(with_body(OURS, [[chunk], {}, {}])) is None


@pytest.mark.parametrize("name", foreign_messages(OURS))
def test_a_foreign_message_is_rejected(name: str) -> None:
    assert fault(foreign_messages(OURS)[name])


def test_a_message_is_rebuilt_from_task_id_chunk_id_and_delivery_tag() -> None:
    assert rebuilt(OURS, "queue") == REBUILT
    assert fault(REBUILT) is None
    assert rebuilt(with_header(OURS, origin="\ud800"), "queue") == REBUILT


def test_a_rebuilt_message_is_still_marked_as_redelivered() -> None:
    again = rebuilt(with_header(OURS, redelivered=True), "queue")
    assert again["headers"]["redelivered"] is True
    assert again["properties"]["delivery_info"]["redelivered"] is True


def test_an_unacknowledged_entry_is_rebuilt() -> None:
    assert rebuilt_unacked([OURS, "", "queue"]) == [REBUILT, "", "queue"]


@pytest.mark.parametrize("entry", [17, [1], [OURS, "", 17], [OURS, "fanout", "x"], [{}, "", "x"]])
def test_a_foreign_unacknowledged_entry_is_rejected(entry: Any) -> None:
    with pytest.raises(ForeignMessage):
        rebuilt_unacked(entry)


@pytest.mark.parametrize("line", [b"", b"hello", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_line_that_is_not_json_is_rejected(line: bytes) -> None:
    with pytest.raises(ForeignMessage, match="it is not JSON"):
        decoded(line)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(ANY)
def test_any_json_is_rejected_without_another_error(message: Any) -> None:
    assert fault(message)


PLACES = [(top,) for top in OURS] + [
    (top, name) for top in ("headers", "properties") for name in OURS[top]
]


@given(st.sampled_from(PLACES), ANY)
def test_a_changed_value_is_rejected_or_has_no_effect(place: tuple[str, ...], value: Any) -> None:
    message = json.loads(json.dumps(OURS))
    part = message if len(place) == 1 else message[place[0]]
    if place in {("headers", "id"), ("properties", "delivery_tag")}:
        value = json.dumps(value)  # another id of the right form would be another message
    part[place[-1]] = value
    if fault(message) is None:
        assert rebuilt(message, "queue") == REBUILT
