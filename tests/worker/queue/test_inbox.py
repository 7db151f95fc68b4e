import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.queue.messages import OURS, strange_ones, with_body, with_header
from worker.app import TASK
from worker.queue.inbox import anew, fault, fault_of_control


def test_a_message_of_ours_passes() -> None:
    assert fault(OURS, TASK) is None


def test_a_message_that_comes_again_passes() -> None:
    assert fault(with_header(OURS, redelivered=True), TASK) is None


@pytest.mark.parametrize("chunk", [1, 2**63 - 1])
def test_every_number_that_a_chunk_may_have_passes(chunk: int) -> None:
    assert fault(with_body(OURS, [[chunk], {}, {}]), TASK) is None


@pytest.mark.parametrize("name", strange_ones(OURS))
def test_what_is_not_ours_does_not_pass(name: str) -> None:
    assert fault(strange_ones(OURS)[name], TASK)


def test_what_passes_is_written_anew() -> None:
    assert fault(anew(OURS, "queue"), TASK) is None
    assert anew(with_header(OURS, origin="\ud800", redelivered=True), "queue") == {
        "body": with_body({}, [[8], {}, {}])["body"],
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {
            "lang": "py",
            "task": TASK,
            "id": OURS["headers"]["id"],
            "redelivered": True,
        },
        "properties": {
            "correlation_id": OURS["headers"]["id"],
            "delivery_tag": OURS["properties"]["delivery_tag"],
            "delivery_info": {"exchange": "", "routing_key": "queue", "redelivered": True},
            "delivery_mode": 2,
            "priority": 0,
            "body_encoding": "base64",
        },
    }


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(ANY)
def test_any_json_is_looked_at_without_an_error(message: Any) -> None:
    assert fault(message, TASK)
    assert fault_of_control(message)


PLACES = [(top,) for top in OURS] + [
    (top, name) for top in ("headers", "properties") for name in OURS[top]
]


@given(st.sampled_from(PLACES), ANY)
def test_a_message_changed_in_any_place_is_refused_or_as_good_as_ours(
    place: tuple[str, ...], value: Any
) -> None:
    message = json.loads(json.dumps(OURS))
    part = message if len(place) == 1 else message[place[0]]
    if place in {("headers", "id"), ("properties", "delivery_tag")}:
        value = json.dumps(value)  # another name is another message
    part[place[-1]] = value
    if fault(message, TASK) is None:
        assert anew(message, "queue") == anew(OURS, "queue")


PING = with_body(OURS, {"method": "ping", "arguments": {}, "reply_to": None, "destination": None})


def test_what_is_asked_of_all_workers_passes_if_it_is_whole() -> None:
    assert fault_of_control(PING) is None


@pytest.mark.parametrize(
    "message",
    [
        *strange_ones(OURS).values(),
        with_body(PING, {"method": ["ping"]}),
        with_body(PING, {"method": "ping", "arguments": "all"}),
        with_body(PING, {"method": "ping", "destination": 17}),
        with_body(PING, {"method": "ping", "reply_to": {"exchange": 17, "routing_key": "x"}}),
        with_body(PING, {"method": "\ud800"}),
        {**PING, "headers": 17},
        {**PING, "properties": {}},
    ],
)
def test_what_asks_nothing_of_all_workers_does_not_pass(message: Any) -> None:
    assert fault_of_control(message)
