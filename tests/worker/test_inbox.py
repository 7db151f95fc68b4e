import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.messages import OURS, strange_ones, with_body, with_header
from worker.app import TASK
from worker.inbox import fault, fault_of_control


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
def test_a_message_changed_in_any_place_names_our_task_and_a_chunk_or_is_refused(
    place: tuple[str, ...], value: Any
) -> None:
    message = json.loads(json.dumps(OURS))
    part = message if len(place) == 1 else message[place[0]]
    part[place[-1]] = value
    if fault(message, TASK) is None:
        assert message["headers"]["task"] == TASK
        assert message["body"] == OURS["body"]


def test_what_is_asked_of_all_workers_passes_if_it_is_whole() -> None:
    assert fault_of_control(OURS) is None
    assert fault_of_control({**OURS, "properties": {}})
