import logging
from collections.abc import Callable

import pytest

from storage.errors import BadQuery, DatabaseBusy, DatabaseUnreachable, StorageError
from worker.queue import shutdown
from worker.queue.backoff import retrying


@pytest.fixture
def slept() -> list[float]:
    return []


def step_failing_with(*errors: Exception) -> Callable[[], str]:
    """Return a step that raises one error after the other, and then succeeds."""
    left = list(errors)

    def step() -> str:
        if left:
            raise left.pop(0)
        return "stored"

    return step


def test_a_step_that_succeeds_is_not_delayed(slept: list[float]) -> None:
    assert retrying(step_failing_with(), sleep=slept.append) == "stored"
    assert slept == []


def test_the_pauses_grow_and_each_is_logged_with_its_reason(
    slept: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    step = step_failing_with(*[DatabaseBusy("it is locked")] * 7)
    assert retrying(step, sleep=slept.append) == "stored"
    seconds = ["0.5", "1", "2", "4", "8", "8", "8"]
    assert caplog.messages == [f"it is locked; retrying in {s} s" for s in seconds]
    assert {entry.levelno for entry in caplog.records} == {logging.WARNING}
    assert sum(slept) == pytest.approx(31.5)


def test_a_shutdown_ends_the_pause_and_raises_the_error(slept: list[float]) -> None:
    def sleep(seconds: float) -> None:
        slept.append(seconds)
        shutdown.begin()

    step = step_failing_with(*[DatabaseUnreachable("gone")] * 9)
    with pytest.raises(DatabaseUnreachable):
        retrying(step, sleep=sleep)
    assert len(slept) == 1


@pytest.mark.parametrize("error", [BadQuery("no such column"), StorageError("a bug"), KeyError(1)])
def test_other_errors_are_raised_at_once(error: Exception, slept: list[float]) -> None:
    with pytest.raises(type(error)):
        retrying(step_failing_with(error), sleep=slept.append)
    assert slept == []
