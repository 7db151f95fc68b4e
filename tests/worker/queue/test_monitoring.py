import json
from functools import partial
from typing import Any

import pytest
from celery.worker.control import Panel
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.queue.messages import (
    HEARTBEAT,
    OURS,
    PING,
    PONG,
    SUCCESS,
    event,
    foreign_events,
    foreign_messages,
    with_body,
    with_header,
)
from tests.worker.queue.test_message import ANY
from worker.errors import ForeignMessage
from worker.queue.message import body_of
from worker.queue.monitoring import READING, rebuilt_command, rebuilt_event, rebuilt_reply

READERS = (partial(rebuilt_command, obey=True), rebuilt_reply, rebuilt_event)


def without_clock(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "clock"}


def test_a_remote_control_command_keeps_its_body_and_no_header() -> None:
    rebuilt = rebuilt_command(with_header(PING, clock=10**4000, expires="never"), obey=False)
    assert body_of(rebuilt) == body_of(PING)
    assert rebuilt["headers"] == {}
    assert rebuilt["properties"]["delivery_tag"] == OURS["properties"]["delivery_tag"]


@pytest.mark.parametrize(
    "message",
    [
        *foreign_messages(OURS).values(),
        with_body(PING, {"method": ["ping"]}),
        with_body(PING, {"method": "ping", "arguments": "all"}),
        with_body(PING, {"method": "ping", "destination": 17}),
        with_body(PING, {"method": "ping", "reply_to": {"exchange": 17, "routing_key": "x"}}),
        with_body(PING, {"method": "\ud800"}),
        {**PING, "headers": 17},
        {**PING, "properties": {}},
    ],
)
def test_what_is_not_a_remote_control_command_is_rejected(message: Any) -> None:
    with pytest.raises(ForeignMessage):
        rebuilt_command(message, obey=True)


def command(name: str, **arguments: object) -> dict[str, Any]:
    """The message of a remote-control command."""
    return with_body(PING, {**body_of(PING), "method": name, "arguments": arguments})


@pytest.mark.attack
@pytest.mark.parametrize("name", sorted(set(Panel.data) - set(READING)))
def test_a_command_that_does_more_than_read_is_rejected_unless_a_setting_allows_it(
    name: str,
) -> None:
    with pytest.raises(ForeignMessage, match="BULLSEYE_CONTROL"):
        rebuilt_command(command(name, n=500), obey=False)
    assert body_of(rebuilt_command(command(name, n=500), obey=True))["arguments"] == {"n": 500}


@pytest.mark.attack
@pytest.mark.parametrize("obey", [False, True])
def test_a_command_that_celery_does_not_know_is_rejected(obey: bool) -> None:
    with pytest.raises(ForeignMessage, match="'bogus'"):
        rebuilt_command(command("bogus"), obey=obey)


@pytest.mark.attack
@pytest.mark.parametrize("name", sorted(READING))
def test_a_command_that_reads_keeps_only_the_arguments_that_it_needs(name: str) -> None:
    arguments = {"n": 500, "with_defaults": True, "from_node": "a@b", "ids": [], "revoked": ["1"]}
    kept = body_of(rebuilt_command(command(name, **arguments), obey=False))["arguments"]
    assert set(kept) == READING[name]
    assert name in Panel.data


def test_a_reply_keeps_its_body_and_its_ticket() -> None:
    rebuilt = rebuilt_reply(PONG)
    assert body_of(rebuilt) == body_of(PONG)
    assert rebuilt["headers"] == {"ticket": "1"}


@pytest.mark.parametrize(
    "message",
    [PING, with_body(PONG, ["pong"]), with_header(PONG, ticket=1), {**PONG, "headers": None}],
)
def test_what_is_not_a_reply_is_rejected(message: Any) -> None:
    with pytest.raises(ForeignMessage):
        rebuilt_reply(message)


@pytest.mark.parametrize(
    ("fields", "routing_key"),
    [(HEARTBEAT, "worker.heartbeat"), (SUCCESS, "task.succeeded")],
)
def test_an_event_keeps_all_that_celery_documents_but_its_clock(
    fields: dict[str, Any], routing_key: str
) -> None:
    rebuilt = rebuilt_event(event(fields, unknown="field", heartbeats=1, event="x"))
    assert body_of(rebuilt) == without_clock(fields)
    assert rebuilt["headers"] == {"hostname": "a@host"}
    assert rebuilt["properties"]["delivery_info"]["routing_key"] == routing_key


def test_a_list_of_task_events_is_accepted() -> None:
    rebuilt = rebuilt_event(event(SUCCESS, SUCCESS))
    assert body_of(rebuilt) == [without_clock(SUCCESS)] * 2
    assert rebuilt["properties"]["delivery_info"]["routing_key"] == "task.multi"


@pytest.mark.parametrize("fault", foreign_events())
def test_a_malformed_or_hostile_event_is_rejected(fault: str) -> None:
    with pytest.raises(ForeignMessage):
        rebuilt_event(foreign_events()[fault])


@given(ANY, st.sampled_from(READERS))
def test_any_json_is_rejected_without_another_error(message: Any, reader: Any) -> None:
    with pytest.raises(ForeignMessage):
        reader(message)


@given(st.sampled_from(sorted({*HEARTBEAT, *SUCCESS})), ANY)
def test_a_changed_field_is_rejected_or_kept_as_a_value_of_its_type(name: str, value: Any) -> None:
    try:
        rebuilt = rebuilt_event(event(HEARTBEAT | SUCCESS, **{name: value}))
    except ForeignMessage:
        return
    assert body_of(rebuilt).keys() <= {*HEARTBEAT, *SUCCESS} - {"clock"}
    json.dumps(rebuilt, allow_nan=False)
